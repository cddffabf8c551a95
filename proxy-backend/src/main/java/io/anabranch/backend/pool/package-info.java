/**
 * Connections to the databases, and leases of them.
 *
 * <p>Start at {@link io.anabranch.backend.lease.LeaseDesk} and {@link
 * io.anabranch.backend.pool.HikariLeaseDesk}; {@code SourceLeases} gives one data source's
 * connections out and takes them back. HikariCP and the MariaDB driver open, authenticate,
 * validate, keep alive and retire every connection, over a socket ({@code DriverSocket}) that a
 * Netty channel feeds; during a lease the channel's bytes go to {@link
 * io.anabranch.backend.lease.BackendConnection.Receiver} instead.
 *
 * <p>Imports {@code rules.model}, {@code rules.error} and the contracts of {@code backend.shard}
 * and {@code backend.health}; HikariCP and the driver are used here only.
 *
 * <p>Threads: channels live on the event loops of {@link
 * io.anabranch.backend.pool.wire.BackendTransport}; everything that may block (HikariCP, the
 * driver) runs on virtual threads, never on an event loop. HikariCP keeps a housekeeper of its own
 * per pool.
 */
@NullMarked
package io.anabranch.backend.pool;

import org.jspecify.annotations.NullMarked;
