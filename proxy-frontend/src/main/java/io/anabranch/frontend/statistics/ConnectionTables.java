package io.anabranch.frontend.statistics;

import static io.anabranch.frontend.table.VirtualColumn.milliseconds;
import static io.anabranch.frontend.table.VirtualColumn.moment;
import static io.anabranch.frontend.table.VirtualColumn.number;
import static io.anabranch.frontend.table.VirtualColumn.text;

import io.anabranch.backend.breaker.CircuitBreaker;
import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.PoolGauges;
import io.anabranch.backend.topology.Member;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.table.VirtualTable;
import io.anabranch.rules.model.DataSourceDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tables of data sources, of the connections to them, and of the transactions there. */
final class ConnectionTables {

  private final Supplier<Deployment> deployment;

  ConnectionTables(Supplier<Deployment> deployment) {
    this.deployment = deployment;
  }

  // ---------------------------------------------------------------- data_sources

  VirtualTable dataSources() {
    return new ListedTable(
        "data_sources",
        List.of(
            text("database_name", 64),
            text("data_source", 255),
            text("server", 255),
            text("group_name", 255),
            text("state", 32),
            text("reason", 1024),
            moment("since"),
            milliseconds("lag_ms"),
            milliseconds("latency_ms"),
            number("connections_active"),
            number("connections_idle"),
            number("connections_waiting"),
            number("connections_maximum"),
            number("connections_limit"),
            number("shed"),
            text("breaker", 16),
            text("breaker_reason", 1024),
            number("breaker_opened"),
            number("breaker_refused")),
        this::dataSourceRows);
  }

  private List<List<@Nullable String>> dataSourceRows() {
    var rows = new ArrayList<List<@Nullable String>>();
    for (Backend backend : deployment.get().backends().values()) {
      var conditions = backend.topology().conditions();
      var latencies = backend.topology().latencyNanos();
      for (DataSourceDefinition source : backend.database().dataSources().values()) {
        long latency = latencies.getOrDefault(source.name(), 0L);
        rows.add(dataSource(backend, source, conditions.get(source.name()), latency));
      }
    }
    return rows;
  }

  private static List<@Nullable String> dataSource(
      Backend backend,
      DataSourceDefinition source,
      Member.@Nullable Condition condition,
      long latency) {
    PoolGauges pool = backend.desk().gauges(source.name());
    CircuitBreaker.Status breaker = backend.desk().breaker(source.name());
    long lag = condition == null ? -1 : condition.lagMilliseconds();
    return Arrays.asList(
        backend.database().name(),
        source.name(),
        source.server(),
        backend.topology().groupOf(source.name()),
        condition == null ? null : condition.state().name(),
        condition == null ? null : condition.reason(),
        condition == null ? null : Cells.moment(Instant.ofEpochMilli(condition.sinceMillis())),
        lag < 0 ? null : Cells.number(lag),
        latency == 0 ? null : Cells.milliseconds(latency),
        Cells.number(pool.active()),
        Cells.number(pool.idle()),
        Cells.number(pool.waiting()),
        Cells.number(pool.maximum()),
        Cells.number(pool.limit()),
        Cells.number(pool.shed()),
        breaker == null ? null : breaker.state().name(),
        breaker == null ? null : breaker.reason(),
        breaker == null ? null : Cells.number(breaker.opened()),
        breaker == null ? null : Cells.number(breaker.refused()));
  }

  // ---------------------------------------------------------------- leases

  VirtualTable leases() {
    return new ListedTable(
        "leases",
        List.of(
            text("database_name", 64),
            text("data_source", 255),
            number("backend_thread_id"),
            number("session_id"),
            number("is_busy")),
        this::leaseRows);
  }

  private List<List<@Nullable String>> leaseRows() {
    var rows = new ArrayList<List<@Nullable String>>();
    for (HeldLease held : held()) {
      int session = held.lessee().sessionId();
      rows.add(
          Arrays.asList(
              held.lease().logicalDatabase(),
              held.lease().dataSource(),
              Cells.number(held.threadId()),
              session == 0 ? null : Cells.number(session),
              held.busy() ? "1" : "0"));
    }
    return rows;
  }

  private List<HeldLease> held() {
    return deployment.get().backends().values().stream()
        .flatMap(backend -> backend.desk().held().stream())
        .toList();
  }

  // ---------------------------------------------------------------- transactions

  VirtualTable transactions() {
    return new ListedTable(
        "transactions",
        List.of(
            number("session_id"),
            text("database_name", 64),
            text("data_sources", 1024),
            number("participants"),
            text("state", 32),
            milliseconds("age_ms")),
        this::transactionRows);
  }

  /** Those that have taken a connection: BEGIN alone takes none. */
  private List<List<@Nullable String>> transactionRows() {
    long now = System.nanoTime();
    var bySession =
        held().stream()
            .filter(held -> held.lessee().sessionId() != 0)
            .filter(held -> held.lessee().since() != Long.MIN_VALUE)
            .collect(
                Collectors.groupingBy(
                    held -> held.lessee().sessionId(), TreeMap::new, Collectors.toList()));
    var rows = new ArrayList<List<@Nullable String>>();
    bySession.forEach((session, leases) -> rows.add(transaction(session, leases, now)));
    return rows;
  }

  private static List<@Nullable String> transaction(int session, List<HeldLease> leases, long now) {
    boolean runs = leases.stream().anyMatch(HeldLease::busy);
    String sources =
        leases.stream()
            .map(held -> held.lease().dataSource())
            .sorted()
            .collect(Collectors.joining(","));
    HeldLease first = leases.getFirst();
    long since = first.lessee().since();
    return Arrays.asList(
        Cells.number(session),
        first.lease().logicalDatabase(),
        sources,
        Cells.number(leases.size()),
        runs ? "running" : "idle",
        Cells.milliseconds(since == Long.MIN_VALUE ? 0 : now - since));
  }
}
