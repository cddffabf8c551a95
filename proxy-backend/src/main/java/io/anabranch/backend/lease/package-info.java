/**
 * Leases of connections to the databases: what sessions and statements see of the pools.
 *
 * <p>Start at {@link io.anabranch.backend.lease.LeaseDesk}; {@link
 * io.anabranch.backend.lease.Lease} is one hold on one {@link
 * io.anabranch.backend.lease.BackendConnection}, {@link io.anabranch.backend.lease.SessionSettings}
 * what a session wants its connection to be set to. Contracts and values; {@code backend.pool}
 * keeps the connections.
 */
@NullMarked
package io.anabranch.backend.lease;

import org.jspecify.annotations.NullMarked;
