package io.anabranch.app;

import io.anabranch.frontend.session.SessionListener;
import io.anabranch.rules.lexer.StatementKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Clients, statements by kind and lane, errors and latencies. Thread-safe. */
final class SessionMetrics implements SessionListener {

  private final MeterRegistry registry;
  private final AtomicInteger clients = new AtomicInteger();
  private final Counter accepted;
  private final Map<Lane, LaneMeters> lanes = new EnumMap<>(Lane.class);
  private final Map<Integer, Counter> errors = new ConcurrentHashMap<>();
  private final Map<Integer, Counter> refusals = new ConcurrentHashMap<>();

  SessionMetrics(MeterRegistry registry, StageTimes times) {
    this.registry = registry;
    Gauge.builder("anabranch.clients", clients::get)
        .description("Clients connected now")
        .register(registry);
    accepted =
        Counter.builder("anabranch.clients.accepted")
            .description("Clients that have authenticated")
            .register(registry);
    for (Lane lane : Lane.values()) {
      lanes.put(lane, new LaneMeters(registry, times, lane));
    }
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
    refusals
        .computeIfAbsent(
            errno,
            code ->
                Counter.builder("anabranch.clients.refused")
                    .description("Clients sent away before they had a session, by errno")
                    .tag("errno", Integer.toString(code))
                    .register(registry))
        .increment();
  }

  @Override
  public void done(
      StatementKind kind, Lane lane, long planNanos, long leaseNanos, long runNanos, int errno) {
    LaneMeters meters = of(lanes, lane);
    of(meters.statements, kind).increment();
    meters.plan.record(planNanos);
    if (lane == Lane.RELAY) {
      meters.lease.record(leaseNanos);
    }
    meters.run.record(runNanos);
    if (errno != 0) {
      error(errno).increment();
    }
  }

  @Override
  public long statements() {
    return lanes.values().stream()
        .flatMap(lane -> lane.statements.values().stream())
        .mapToLong(LongAdder::sum)
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

  /** Made once: looking a meter up by its tags costs more than counting, Micrometer's too. */
  private static final class LaneMeters {
    private final Map<StatementKind, LongAdder> statements = new EnumMap<>(StatementKind.class);
    private final StageTimes.Series plan;
    private final StageTimes.Series lease;
    private final StageTimes.Series run;

    LaneMeters(MeterRegistry registry, StageTimes times, SessionListener.Lane lane) {
      String name = lane.name().toLowerCase(Locale.ROOT);
      for (StatementKind kind : StatementKind.values()) {
        var count = new LongAdder();
        FunctionCounter.builder("anabranch.statements", count, LongAdder::sum)
            .description("Statements answered, by kind and lane")
            .tag("kind", kind.name().toLowerCase(Locale.ROOT))
            .tag("lane", name)
            .register(registry);
        statements.put(kind, count);
      }
      plan = times.series(name, "plan");
      lease = times.series(name, "lease");
      run = times.series(name, "run");
    }
  }
}
