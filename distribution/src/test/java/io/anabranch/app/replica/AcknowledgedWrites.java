package io.anabranch.app.replica;

import io.anabranch.app.fixture.Load;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * Clients that insert numbers into {@code log (…, n INT UNIQUE)} and note which of them the
 * database has acknowledged.
 */
final class AcknowledgedWrites {

  private final Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
  private final AtomicInteger next;
  private final Load load;

  private AcknowledgedWrites(int clients, int from, Load.Connecting connecting) {
    next = new AtomicInteger(from);
    load =
        Load.start(
            clients,
            connecting,
            (client, _) -> {
              int n = next.incrementAndGet();
              ReplicaFixture.execute(client, "INSERT INTO log (n) VALUES (" + n + ")");
              acknowledged.add(n);
            });
  }

  /**
   * Returns when the first hundred are in.
   *
   * @param from the numbers begin after it
   */
  static AcknowledgedWrites start(int clients, int from, Load.Connecting connecting) {
    var writes = new AcknowledgedWrites(clients, from, connecting);
    writes.load.awaitMore(100);
    return writes;
  }

  /** Waits for a hundred more and ends. */
  void endAfterMore() throws InterruptedException {
    load.awaitMore(100);
    load.end();
  }

  List<String> errors() {
    return load.errors();
  }

  /**
   * Acknowledged numbers that a server does not have.
   *
   * @param server answers a query with one value
   */
  Set<Integer> missing(UnaryOperator<String> server) {
    String stored = server.apply("SELECT JSON_ARRAYAGG(n) FROM rw.log");
    var missing = new TreeSet<>(acknowledged);
    for (String n : stored.substring(1, stored.length() - 1).split(",", -1)) {
      missing.remove(Integer.valueOf(n.strip()));
    }
    return missing;
  }
}
