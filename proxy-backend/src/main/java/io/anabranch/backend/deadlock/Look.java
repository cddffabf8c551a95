package io.anabranch.backend.deadlock;

import io.anabranch.backend.deadlock.WaitGraph.Permits;
import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.Lessee;
import io.anabranch.backend.pool.PoolState;
import io.anabranch.backend.pool.QueuedRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one look at pools and databases found. The parts were not seen at the same moment; what two
 * looks have in common was there between them, all at the same time.
 *
 * @param locks waits by server; only of servers that were asked
 */
record Look(List<PoolState> pools, Map<String, Set<LockWait>> locks) {

  /** What both have seen. */
  Look and(Look later) {
    var before = new HashMap<Lease, Integer>();
    var queuedBefore = new HashSet<QueuedRequest>();
    for (PoolState pool : pools) {
      pool.held().forEach(held -> before.put(held.lease(), held.exchange()));
      queuedBefore.addAll(pool.queued());
    }
    var common = new ArrayList<PoolState>(later.pools.size());
    for (PoolState pool : later.pools) {
      common.add(
          new PoolState(
              pool.dataSource(),
              pool.server(),
              pool.permits(),
              pool.held().stream()
                  .filter(held -> Integer.valueOf(held.exchange()).equals(before.get(held.lease())))
                  .toList(),
              pool.queued().stream().filter(queuedBefore::contains).toList(),
              pool.asker()));
    }
    var commonLocks = new HashMap<String, Set<LockWait>>();
    later.locks.forEach(
        (server, waits) -> {
          var both = new HashSet<>(waits);
          both.retainAll(locks.getOrDefault(server, Set.of()));
          commonLocks.put(server, both);
        });
    return new Look(common, commonLocks);
  }

  /** Who waits for whom. Connections that are nobody's go on. */
  WaitGraph<Lessee> graph() {
    var graph = new WaitGraph<Lessee>();
    for (PoolState pool : pools) {
      if (!pool.queued().isEmpty()) {
        List<Lessee> holders = pool.held().stream().map(HeldLease::lessee).toList();
        var permits = new Permits<>(pool.permits(), holders);
        pool.queued().forEach(request -> graph.waitsForOne(request.lessee(), permits));
      }
    }
    rowWaits().forEach(wait -> graph.waitsForLock(wait.waiter().lessee(), wait.holder().lessee()));
    return graph;
  }

  /** One of our connections waits for a lock that another one of ours has. */
  record RowWait(PoolState pool, HeldLease waiter, HeldLease holder) {}

  List<RowWait> rowWaits() {
    var owners = new HashMap<String, Map<Long, RowWait>>();
    for (PoolState pool : pools) {
      for (HeldLease held : pool.held()) {
        owners
            .computeIfAbsent(pool.server(), _ -> new HashMap<>())
            .put(held.threadId(), new RowWait(pool, held, held));
      }
    }
    var waits = new LinkedHashMap<LockWait, RowWait>();
    locks.forEach(
        (server, told) -> {
          Map<Long, RowWait> known = owners.getOrDefault(server, Map.of());
          for (LockWait wait : told) {
            RowWait waiter = known.get(wait.waiter());
            RowWait holder = known.get(wait.blocker());
            if (waiter != null && holder != null && waiter.waiter().busy()) {
              waits.put(wait, new RowWait(waiter.pool(), waiter.waiter(), holder.holder()));
            }
          }
        });
    return List.copyOf(waits.values());
  }

  /** The wait of {@code lessee} for a lock of one of {@code holders}; null: none. */
  @Nullable RowWait rowWait(Lessee lessee, Set<Lessee> holders) {
    for (RowWait wait : rowWaits()) {
      if (wait.waiter().lessee().equals(lessee) && holders.contains(wait.holder().lessee())) {
        return wait;
      }
    }
    return null;
  }

  /** A request of {@code lessee} and the pool in whose line it stands. */
  record Line(PoolState pool, QueuedRequest request) {}

  /** Where {@code lessee} stands in line; null: nowhere. */
  @Nullable Line line(Lessee lessee) {
    for (PoolState pool : pools) {
      for (QueuedRequest request : pool.queued()) {
        if (request.lessee().equals(lessee)) {
          return new Line(pool, request);
        }
      }
    }
    return null;
  }
}
