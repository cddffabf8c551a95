/**
 * Every kind of command under every fault of a network, at every stage, on either side of the
 * proxy: {@link io.anabranch.app.faults.FaultMatrixIT}.
 */
@NullMarked
package io.anabranch.app.faults;

import org.jspecify.annotations.NullMarked;
