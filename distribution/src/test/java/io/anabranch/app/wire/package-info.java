/**
 * Commands and packets as they go over the wire, in order and out of it: both lanes against the
 * server itself ({@code LaneContractIT}, where to start), edges of commands, raw bytes, files, and
 * what no client should send.
 */
@NullMarked
package io.anabranch.app.wire;

import org.jspecify.annotations.NullMarked;
