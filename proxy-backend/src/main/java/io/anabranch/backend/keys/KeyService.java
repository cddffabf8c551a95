package io.anabranch.backend.keys;

import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.topology.MemberWait;
import io.anabranch.backend.topology.Topology;
import io.anabranch.rules.algorithm.StoredKeys;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.netty.channel.EventLoopGroup;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives key generators that need a database their tables, and lets them prolong what they have
 * leased, on a virtual thread of its own. Thread-safe.
 */
public final class KeyService implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(KeyService.class);
  private static final long TENDING_MILLISECONDS = 10_000;

  private final EventLoopGroup loops;
  private final Thread tending;
  private volatile List<StoredKeys> served = List.of();

  /** What serves one logical database. */
  public interface Served {

    LogicalDatabase database();

    /** Connections that are not the sessions'. */
    LeaseDesk describing();

    Topology topology();
  }

  public KeyService(EventLoopGroup loops) {
    this.loops = loops;
    this.tending = Thread.ofVirtual().name("key-service").unstarted(this::run);
  }

  /** Begins to prolong leases. */
  public void start() {
    tending.start();
  }

  /**
   * These databases are in force, or will be at once; generators of others are not tended any more.
   */
  public void follow(Collection<? extends Served> databases) {
    Set<StoredKeys> found = new LinkedHashSet<>();
    for (Served each : databases) {
      for (ShardedTable table : each.database().shardedTables().values()) {
        ShardedTable.KeyGeneration generation = table.keyGeneration();
        if (generation != null && generation.generator() instanceof StoredKeys keys) {
          keys.serve(tables(each, keys.dataSource()));
          found.add(keys);
        }
      }
    }
    List<StoredKeys> before = served;
    served = List.copyOf(found);
    for (StoredKeys keys : found) {
      if (!before.contains(keys)) {
        Thread.ofVirtual().name("keys").start(keys::tend);
      }
    }
  }

  private KeyTables tables(Served of, String endpoint) {
    return new KeyTables(
        of.describing(),
        () -> of.topology().memberBlocking(endpoint, Access.WRITE, null, new MemberWait()).name(),
        loops.next());
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(TENDING_MILLISECONDS);
        served.forEach(StoredKeys::tend);
      }
    } catch (InterruptedException _) {
      log.debug("leases of keys are not prolonged any more");
    }
  }

  @Override
  public void close() {
    served = List.of();
    tending.interrupt();
  }
}
