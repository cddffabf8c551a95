package io.anabranch.app;

import io.anabranch.backend.xa.InDoubt;
import io.anabranch.backend.xa.XaListener;
import io.anabranch.backend.xa.XaService;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Distributed transactions: outcomes, the log's batches, what is in doubt. Thread-safe. */
final class XaMetrics implements XaListener {

  private static final double MILLISECONDS = 1000;

  private final MeterRegistry registry;
  private final Map<Outcome, Timer> ended = new EnumMap<>(Outcome.class);
  private final Map<Phase, Timer> phases = new EnumMap<>(Phase.class);
  private final DistributionSummary logged;

  XaMetrics(MeterRegistry registry) {
    this.registry = registry;
    for (Outcome outcome : Outcome.values()) {
      ended.put(
          outcome,
          Timer.builder("anabranch.xa.commit")
              .description("COMMIT of transactions over several data sources")
              .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    for (Phase phase : Phase.values()) {
      phases.put(
          phase,
          Timer.builder("anabranch.xa.phase")
              .description("Phases of COMMIT of transactions that changed several data sources")
              .tag("phase", phase.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    logged =
        DistributionSummary.builder("anabranch.xa.log.batch")
            .description("Decisions that became durable with one commit of the log")
            .register(registry);
    for (boolean commit : new boolean[] {true, false}) {
      for (boolean foreign : new boolean[] {true, false}) {
        resolvedCounter(commit, foreign);
      }
    }
  }

  /** Shows what the service finds. */
  void observe(XaService service) {
    for (InDoubt.Kind kind : InDoubt.Kind.values()) {
      Gauge.builder(
              "anabranch.xa.prepared",
              () -> service.inDoubt().stream().filter(each -> each.kind() == kind).count())
          .description("Prepared branches that the last look at the databases found")
          .tag("state", kind.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    Gauge.builder(
            "anabranch.xa.oldest.seconds",
            () ->
                service.inDoubt().stream().mapToLong(InDoubt::ageMilliseconds).max().orElse(0)
                    / MILLISECONDS)
        .description("Age of the oldest prepared branch")
        .register(registry);
    Gauge.builder("anabranch.xa.ready", () -> service.isReady() ? 1 : 0)
        .description("1 while this proxy can decide on transactions")
        .register(registry);
  }

  @Override
  public void ended(Outcome outcome, long nanos) {
    Timer timer = ended.get(outcome);
    if (timer != null) {
      timer.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void phase(Phase phase, long nanos) {
    Timer timer = phases.get(phase);
    if (timer != null) {
      timer.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void logged(int decisions) {
    logged.record(decisions);
  }

  @Override
  public void resolved(boolean committed, boolean foreign) {
    resolvedCounter(committed, foreign).increment();
  }

  private Counter resolvedCounter(boolean committed, boolean foreign) {
    return Counter.builder("anabranch.xa.recovered")
        .description("Branches that the recovery resolved")
        .tag("decision", committed ? "commit" : "rollback")
        .tag("of", foreign ? "another" : "own")
        .register(registry);
  }
}
