/**
 * Connections that statements of several sessions share: the next is sent before the one in front
 * of it has been answered (ADR 92).
 *
 * <p>Start at {@link io.anabranch.backend.relay.pipe.LoopPipes}: who shares with whom is decided by
 * {@code PipeRoom}, one connection is a {@code Pipe}, one statement a {@link
 * io.anabranch.backend.relay.pipe.PipedRead}. Which statements may share is told by the caller.
 *
 * <p>Imports {@code backend.lease}, {@code backend.loop} and the protocol. All of one event loop
 * stays on it: sessions, connections, answers; nothing here locks or waits.
 */
@NullMarked
package io.anabranch.backend.relay.pipe;

import org.jspecify.annotations.NullMarked;
