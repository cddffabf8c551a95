package io.anabranch.app;

import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.frontend.session.SessionListener;
import io.anabranch.frontend.session.StatementListener;
import io.anabranch.frontend.session.StatementListener.Lane;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.StatementKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.EventExecutor;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients, statements by kind and lane, errors and latencies. Thread-safe. */
final class SessionMetrics implements SessionListener {

  /** What databases most often answer instead of doing something. */
  private static final List<Integer> OF_DATABASES =
      List.of(
          1048, 1054, 1062, 1064, 1146, 1205, 1213, 1216, 1217, 1264, 1290, 1366, 1406, 1451, 1452,
          3024);

  /** Why clients are sent away. */
  private static final List<Integer> OF_LOGINS =
      List.of(1040, 1043, 1044, 1045, 1049, 1053, 1153, 1159, 1203, 1226, 3118, 3159);

  private final MeterRegistry registry;
  private final LoopTallies tallies;
  private final Map<EventExecutor, StatementListener> loops = new ConcurrentHashMap<>();
  private final AtomicInteger clients = new AtomicInteger();
  private final Counter accepted;
  private final Map<Lane, LaneMeters> lanes = new EnumMap<>(Lane.class);
  private final NamedTallies users;
  private final NamedTallies databases;
  private final Map<Integer, Counter> errors = new ConcurrentHashMap<>();
  private final Map<Integer, Counter> refusals = new ConcurrentHashMap<>();

  SessionMetrics(MeterRegistry registry, LoopTallies tallies, StageTimes times) {
    this.registry = registry;
    this.tallies = tallies;
    users = new NamedTallies(registry, tallies, "user");
    databases = new NamedTallies(registry, tallies, "database");
    Gauge.builder("anabranch.clients", clients::get)
        .description("Clients connected now")
        .register(registry);
    accepted =
        Counter.builder("anabranch.clients.accepted")
            .description("Clients that have authenticated")
            .register(registry);
    for (Lane lane : Lane.values()) {
      lanes.put(lane, new LaneMeters(registry, tallies, times, lane));
    }
    // at 0 before the first: what is watched for an increase must not begin with 1
    for (ErrorCatalogue entry : ErrorCatalogue.values()) {
      error(entry.errno());
    }
    OF_DATABASES.forEach(this::error);
    OF_LOGINS.forEach(this::refusal);
  }

  /** A logical database is gone, with all metrics of it. */
  void forget(String database) {
    databases.forget(database);
  }

  @Override
  public void connected() {
    clients.incrementAndGet();
    accepted.increment();
  }

  @Override
  public void closed() {
    clients.decrementAndGet();
  }

  @Override
  public void refused(int errno) {
    refusal(errno).increment();
  }

  private Counter refusal(int errno) {
    return refusals.computeIfAbsent(
        errno,
        code ->
            Counter.builder("anabranch.clients.refused")
                .description("Clients sent away before they had a session, by errno")
                .tag("errno", Integer.toString(code))
                .register(registry));
  }

  @Override
  public StatementListener of(EventExecutor loop) {
    return loops.computeIfAbsent(loop, _ -> new Loop(tallies.tally()));
  }

  @Override
  public long statements() {
    return lanes.values().stream()
        .flatMap(lane -> lane.statements.values().stream())
        .mapToLong(tallies::sum)
        .sum();
  }

  private static <K extends Enum<K>, V> V of(Map<K, V> meters, K key) {
    return Objects.requireNonNull(meters.get(key), () -> "no meters for " + key);
  }

  private Counter error(int errno) {
    return errors.computeIfAbsent(
        errno,
        code ->
            Counter.builder("anabranch.errors")
                .description("Statements answered with an error, by errno")
                .tag("errno", Integer.toString(code))
                .register(registry));
  }

  /** What one event loop has answered. */
  private final class Loop implements StatementListener {
    private final LoopTally tally;

    Loop(LoopTally tally) {
      this.tally = tally;
    }

    @Override
    public void done(
        StatementKind kind, Lane lane, long planNanos, long leaseNanos, long runNanos, int errno) {
      LaneMeters meters = of(lanes, lane);
      tally.add(of(meters.statements, kind), 1);
      meters.plan.record(tally, planNanos);
      if (lane != Lane.LOCAL) {
        meters.lease.record(tally, leaseNanos);
      }
      meters.run.record(tally, runNanos);
      if (errno != 0) {
        error(errno).increment();
      }
    }

    @Override
    public void executed(ExecutedStatement statement) {
      LaneMeters meters = of(lanes, statement.lane());
      if (statement.lane() == Lane.MERGE) {
        meters.merge.record(tally, statement.mergeNanos());
      }
      if (statement.writeNanos() > 0) {
        meters.write.record(tally, statement.writeNanos());
      }
      long nanos = statement.totalNanos();
      users.add(tally, statement.session().user().name(), nanos, statement.errno());
      databases.add(tally, statement.database(), nanos, statement.errno());
    }
  }

  /** Made once: looking a meter up by its tags costs more than counting, Micrometer's too. */
  private static final class LaneMeters {
    /** Their places in a tally. */
    private final Map<StatementKind, Integer> statements = new EnumMap<>(StatementKind.class);

    private final StageTimes.Series plan;
    private final StageTimes.Series lease;
    private final StageTimes.Series run;
    private final StageTimes.Series merge;
    private final StageTimes.Series write;

    LaneMeters(MeterRegistry registry, LoopTallies tallies, StageTimes times, Lane lane) {
      String name = lane.name().toLowerCase(Locale.ROOT);
      for (StatementKind kind : StatementKind.values()) {
        int place = tallies.reserve(1);
        statements.put(kind, place);
        FunctionCounter.builder("anabranch.statements", tallies, all -> all.sum(place))
            .description("Statements answered, by kind and lane")
            .tag("kind", kind.name().toLowerCase(Locale.ROOT))
            .tag("lane", name)
            .register(registry);
      }
      plan = times.series(name, "plan");
      lease = times.series(name, "lease");
      run = times.series(name, "run");
      merge = times.series(name, "merge");
      write = times.series(name, "write");
    }
  }
}
