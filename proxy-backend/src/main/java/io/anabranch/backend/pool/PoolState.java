package io.anabranch.backend.pool;

import io.anabranch.backend.health.Asker;
import io.anabranch.backend.lease.HeldLease;
import java.util.List;

/**
 * Who has a data source's connections and who waits for one, as a look found it.
 *
 * @param dataSource with its logical database in front
 * @param server where its database is: several data sources may be on the same
 * @param permits connections that may be leased at the same time
 * @param held leases of connections whose number on the server is known
 * @param queued requests in line
 * @param asker opens connections for questions to the server
 */
public record PoolState(
    String dataSource,
    String server,
    int permits,
    List<HeldLease> held,
    List<QueuedRequest> queued,
    Asker.Opener asker) {}
