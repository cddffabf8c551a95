/**
 * A physical connection: a Netty channel that the JDBC driver opens and authenticates over a socket
 * of ours, and that a lease takes over.
 *
 * <p>Start at {@link io.anabranch.backend.pool.wire.WireConnection}; {@code DriverSocket} is what
 * the driver sees of it. Channels live on the event loops of {@link
 * io.anabranch.backend.pool.wire.BackendTransport}; the driver blocks on virtual threads.
 */
@NullMarked
package io.anabranch.backend.pool.wire;

import org.jspecify.annotations.NullMarked;
