package io.anabranch.app;

import io.anabranch.app.cluster.Cluster;
import io.anabranch.app.live.CertificateExpiry;
import io.anabranch.app.live.PasswordExpiry;
import io.anabranch.app.tracing.Tracing;
import io.anabranch.backend.deadlock.DeadlockListener;
import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.relay.pipe.PipeListener;
import io.anabranch.backend.stage.StagedBytes;
import io.anabranch.backend.topology.Topology;
import io.anabranch.frontend.answer.KeptAnswers;
import io.anabranch.frontend.limit.LimitInForce;
import io.anabranch.frontend.limit.LimitKind;
import io.anabranch.frontend.rule.RuleCount;
import io.anabranch.frontend.rule.RuleCounts;
import io.anabranch.frontend.statementlog.StatementListeners;
import io.anabranch.frontend.statementlog.StatementLog;
import io.anabranch.frontend.statementlog.StatementLogs;
import io.anabranch.frontend.statistics.Digests;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Everything that {@code /metrics} shows. One per process; thread-safe. */
final class Metrics implements AutoCloseable {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final List<String> GROUPS = List.of("anabranch.group", "anabranch.member");

  private final Map<String, PoolMetrics> pools = new ConcurrentHashMap<>();
  private final PrometheusMeterRegistry registry = registry();
  private final LoopTallies tallies = new LoopTallies();
  private final StageTimes times = new StageTimes(tallies);
  private final SessionMetrics sessions = new SessionMetrics(registry, tallies, times);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final Counter partialCommits =
      Counter.builder("anabranch.transactions.partial")
          .description("LOCAL transactions that some of their data sources only have committed")
          .register(registry);

  private final StagedBytes staged = new StagedBytes();
  private final Counter copiedRows =
      Counter.builder("anabranch.staged.rows")
          .description("Rows that statements have copied into temporary tables")
          .register(registry);

  /** Has the users shown that there are now. */
  private volatile Runnable passwords = () -> {};

  Metrics(String version) {
    FunctionCounter.builder("process.cpu", ProcessHandle.current(), Metrics::cpuSeconds)
        .baseUnit("seconds")
        .description("CPU time that the process has used")
        .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections.bindTo(registry);
    Gauge.builder("anabranch.staged.bytes", staged, StagedBytes::taken)
        .description("What statements have in temporary tables now, as INSERT writes it")
        .register(registry);
    FunctionCounter.builder("anabranch.staged.refused", staged, StagedBytes::refusals)
        .description("Statements for whose copies all of them together had no room")
        .register(registry);
    registry.getPrometheusRegistry().register(times);
    Gauge.builder("anabranch.build.info", () -> 1)
        .description("The version that runs")
        .tag("version", version)
        .register(registry);
  }

  private static PrometheusMeterRegistry registry() {
    var made = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    made.config().meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"));
    made.config().meterFilter(new PrometheusNames());
    return made;
  }

  private static double cpuSeconds(ProcessHandle process) {
    return process.info().totalCpuDuration().map(Metrics::seconds).orElse(Double.NaN);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / NANOS_PER_SECOND;
  }

  /** Micrometer's own names that Prometheus' linter does not take. */
  private static final class PrometheusNames implements MeterFilter {
    @Override
    public Meter.Id map(Meter.Id id) {
      return id.getName().equals("system.cpu.count") ? id.withName("system.cpus") : id;
    }
  }

  /** Listens to all sessions. */
  SessionMetrics sessions() {
    return sessions;
  }

  /** What is counted of the connections to a data source that sessions share. */
  PipeListener.Source pipes(String database, String dataSource) {
    PoolMetrics ofDatabase = pools.get(database);
    return ofDatabase == null ? PipeListener.Source.NONE : ofDatabase.pipes(dataSource);
  }

  /** Listens to the pools of one logical database. */
  PoolMetrics pools(String database, Collection<String> dataSources) {
    PoolMetrics ofDatabase =
        pools.computeIfAbsent(database, name -> new PoolMetrics(registry, name, List.of()));
    ofDatabase.add(dataSources);
    return ofDatabase;
  }

  /** Shows the read/write groups of one logical database, instead of those that it had. */
  void groups(String database, Topology topology) {
    forget(registry, GROUPS, Tags.of("database", database));
    var _ = new GroupMetrics(registry, database, topology);
  }

  /** There is no such logical database any more. */
  void forget(String database) {
    pools.remove(database);
    forget(registry, List.of(""), Tags.of("database", database));
    sessions.forget(database);
  }

  /** Removes what is called so and has all these tags. */
  static void forget(MeterRegistry registry, List<String> prefixes, Tags tags) {
    List<Tag> all = tags.stream().toList();
    for (Meter meter : registry.getMeters()) {
      Meter.Id id = meter.getId();
      if (prefixes.stream().anyMatch(id.getName()::startsWith) && id.getTags().containsAll(all)) {
        registry.remove(meter);
      }
    }
  }

  /** Listens to distributed transactions. */
  XaMetrics distributedTransactions() {
    return new XaMetrics(registry);
  }

  /** Listens to those who look for deadlocks over data sources. */
  DeadlockListener deadlocks() {
    var counters = new EnumMap<DeadlockListener.Wait, Counter>(DeadlockListener.Wait.class);
    for (DeadlockListener.Wait wait : DeadlockListener.Wait.values()) {
      counters.put(
          wait,
          Counter.builder("anabranch.deadlocks")
              .description("Transactions ended because they were in a deadlock over data sources")
              .tag("wait", wait.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    return wait -> Objects.requireNonNull(counters.get(wait)).increment();
  }

  /** A LOCAL transaction has committed on some of its data sources only. */
  void committedInPart() {
    partialCommits.increment();
  }

  /** What all statements have in temporary tables. */
  StagedBytes staged() {
    return staged;
  }

  /** A statement has copied rows into temporary tables. */
  void copied(long rows) {
    copiedRows.increment((double) rows);
  }

  /** Shows how long the certificate that clients are shown is good. */
  void certificate(CertificateExpiry expiry) {
    Gauge.builder("anabranch.certificate.remaining.seconds", expiry, CertificateExpiry::seconds)
        .description("Seconds until the certificate that clients are shown expires")
        .strongReference(true)
        .register(registry);
  }

  /** Shows how long users' passwords are good, of those for whom a day is set. */
  void passwords(PasswordExpiry expiry) {
    MultiGauge shown =
        MultiGauge.builder("anabranch.password.remaining.seconds")
            .description("Seconds until a user's password is to be changed")
            .register(registry);
    passwords =
        () ->
            shown.register(
                expiry.dated().stream()
                    .map(
                        dated ->
                            MultiGauge.Row.of(
                                Tags.of("user", dated.user().toString()), dated, expiry::seconds))
                    .toList(),
                true);
  }

  /** Shows whether this proxy works with what its cluster has agreed on. */
  void cluster(Cluster cluster, LongSupplier number) {
    Gauge.builder("anabranch.cluster.revision", number, LongSupplier::getAsLong)
        .description("Number of the configuration that this proxy works with")
        .strongReference(true)
        .register(registry);
    Gauge.builder("anabranch.cluster.reachable", () -> cluster.isReachable() ? 1 : 0)
        .description("1 while the registry of the cluster answers")
        .register(registry);
    Gauge.builder("anabranch.cluster.up.to.date", () -> cluster.isUpToDate() ? 1 : 0)
        .description("0 while this proxy cannot take what its cluster has agreed on")
        .register(registry);
  }

  /** Shows what clients make the proxy keep. */
  void memory(MemoryBudget budget) {
    for (MemoryKind kind : MemoryKind.values()) {
      String tag = kind.name().toLowerCase(Locale.ROOT);
      Gauge.builder("anabranch.memory.taken.bytes", () -> budget.taken(kind))
          .description("Bytes that clients make the proxy keep")
          .tag("kind", tag)
          .register(registry);
      Gauge.builder("anabranch.memory.limit.bytes", () -> budget.limit(kind))
          .description("Bytes that clients may make the proxy keep")
          .tag("kind", tag)
          .register(registry);
    }
    FunctionCounter.builder("anabranch.memory.refused", budget, MemoryBudget::refusals)
        .description("How often something that a client wanted kept did not fit")
        .register(registry);
    FunctionCounter.builder(
            "anabranch.memory.forgotten.bytes", budget, MemoryBudget::forgottenBytes)
        .description("Bytes that ended sessions had not given back: a mistake of the proxy")
        .register(registry);
  }

  /** Shows what is taken of limits: of these, no longer of those that were in force before. */
  void limits(Collection<LimitInForce> limits) {
    forget(registry, List.of("anabranch.limits"), Tags.empty());
    for (LimitInForce limit : limits) {
      for (LimitKind kind : LimitKind.values()) {
        FunctionCounter.builder("anabranch.limits.reached", limit, each -> each.reached(kind))
            .description("Statements, logins and transactions that were too much for a limit")
            .tag("limit", limit.name())
            .tag("kind", kind.word())
            .register(registry);
      }
      Gauge.builder("anabranch.limits.statements", limit, LimitInForce::running)
          .description("Statements that run and take from a limit")
          .tag("limit", limit.name())
          .strongReference(true)
          .register(registry);
      Gauge.builder("anabranch.limits.waiting", limit, LimitInForce::waiting)
          .description("Statements that wait in line for others to end")
          .tag("limit", limit.name())
          .strongReference(true)
          .register(registry);
    }
  }

  /** Shows how often statements meet rules: of these, no longer of those in force before. */
  void rules(Collection<RuleCounts.Counted> rules) {
    forget(registry, List.of("anabranch.query.rule"), Tags.empty());
    for (RuleCounts.Counted each : rules) {
      FunctionCounter.builder("anabranch.query.rule.hits", each.count(), RuleCount::hits)
          .description("Statements that have met a query rule")
          .tag("rule", each.rule().name())
          .register(registry);
      if (each.rule().actions().shares()) {
        shared(each, "cache", RuleCount::caches);
        shared(each, "merge", RuleCount::merges);
      }
      if (each.rule().actions().mirror() != null) {
        mirror(each, "answered", RuleCount::mirrored);
        mirror(each, "error", RuleCount::mirrorErrors);
        mirror(each, "dropped", RuleCount::mirrorsDropped);
      }
    }
  }

  private void shared(RuleCounts.Counted of, String way, ToDoubleFunction<RuleCount> number) {
    FunctionCounter.builder("anabranch.query.rule.shared", of.count(), number)
        .description("Statements that have got another one's answer, as a query rule says")
        .tag("rule", of.rule().name())
        .tag("way", way)
        .register(registry);
  }

  private void mirror(RuleCounts.Counted of, String outcome, ToDoubleFunction<RuleCount> number) {
    FunctionCounter.builder("anabranch.query.rule.mirrored", of.count(), number)
        .description("Statements for the mirror of a query rule, by what came of them")
        .tag("rule", of.rule().name())
        .tag("outcome", outcome)
        .register(registry);
  }

  /** Shows what is kept for others. */
  void answers(KeptAnswers answers) {
    Gauge.builder("anabranch.kept.answers", answers, KeptAnswers::count)
        .description("Answers that are kept for others")
        .register(registry);
    Gauge.builder("anabranch.kept.answers.bytes", answers, KeptAnswers::bytes)
        .description("What the answers take that are kept for others")
        .register(registry);
  }

  /** Shows how many normalised texts are counted apart. */
  void digests(Digests digests) {
    Gauge.builder("anabranch.digests", digests::size)
        .description("Normalised texts of statements that are counted apart")
        .register(registry);
    FunctionCounter.builder("anabranch.digests.evicted", digests, Digests::evicted)
        .description("Normalised texts that have made room for others, with their counts")
        .register(registry);
  }

  /** Shows what the logs of statements have got. */
  void logs(StatementLogs logs) {
    log("slow", logs.slowLog());
    log("audit", logs.auditLog());
    listeners(logs.listeners());
  }

  private void listeners(StatementListeners listeners) {
    FunctionCounter.builder("anabranch.listener.statements", listeners, StatementListeners::told)
        .description("Statements that listeners of plug-ins have taken")
        .register(registry);
    FunctionCounter.builder("anabranch.listener.dropped", listeners, StatementListeners::dropped)
        .description("Statements that came faster than listeners of plug-ins take them")
        .register(registry);
    FunctionCounter.builder("anabranch.listener.failures", listeners, StatementListeners::failed)
        .description("Statements for which listeners of plug-ins have thrown")
        .register(registry);
  }

  /** Shows what collectors have not got. */
  void tracing(Tracing tracing) {
    FunctionCounter.builder("anabranch.tracing.lost.spans", tracing, Tracing::lost)
        .description("Spans that the collector did not take")
        .register(registry);
  }

  private void log(String name, @Nullable StatementLog log) {
    if (log == null) {
      return;
    }
    FunctionCounter.builder("anabranch.log.statements", log, StatementLog::written)
        .description("Statements in a log of statements")
        .tag("log", name)
        .register(registry);
    FunctionCounter.builder("anabranch.log.dropped", log, StatementLog::dropped)
        .description("Statements that a log of statements could not take")
        .tag("log", name)
        .register(registry);
  }

  /** In Prometheus' text format. */
  String text() {
    passwords.run();
    return registry.scrape();
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
