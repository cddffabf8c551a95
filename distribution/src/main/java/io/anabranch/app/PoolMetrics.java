package io.anabranch.app;

import io.anabranch.backend.breaker.CircuitBreaker;
import io.anabranch.backend.lease.PoolGauges;
import io.anabranch.backend.lease.PoolListener;
import io.anabranch.backend.relay.pipe.PipeListener;
import io.anabranch.backend.relay.pipe.Repeat;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Leases, waits and connections of one logical database's data sources. Thread-safe. */
final class PoolMetrics implements PoolListener {

  /** What there is of each data source. */
  private static final List<String> PREFIXES =
      List.of(
          "anabranch.pool",
          "anabranch.lease",
          "anabranch.connection",
          "anabranch.pipelined",
          "anabranch.breaker");

  private final MeterRegistry registry;
  private final String database;
  private final Map<String, SourceMeters> sources = new ConcurrentHashMap<>();
  private final Set<String> shown = ConcurrentHashMap.newKeySet();
  private volatile Function<String, PoolGauges> gauges = _ -> PoolGauges.NONE;
  private volatile Function<String, CircuitBreaker.@Nullable Status> breakers = _ -> null;

  PoolMetrics(MeterRegistry registry, String database, Collection<String> dataSources) {
    this.registry = registry;
    this.database = database;
    add(dataSources);
  }

  /** Counts for these data sources, too. */
  void add(Collection<String> dataSources) {
    for (String source : dataSources) {
      sources.computeIfAbsent(source, name -> new SourceMeters(registry, tags(name)));
    }
  }

  /**
   * Shows the pools' present state from now on.
   *
   * @param present all data sources that there are: what others had is forgotten
   */
  void observe(
      Collection<String> present,
      Function<String, PoolGauges> state,
      Function<String, CircuitBreaker.@Nullable Status> breaking) {
    for (String source : List.copyOf(sources.keySet())) {
      if (!present.contains(source)) {
        sources.remove(source);
        shown.remove(source);
        Metrics.forget(registry, PREFIXES, tags(source));
      }
    }
    gauges = state;
    breakers = breaking;
    for (String source : present) {
      if (shown.add(source)) {
        show(source);
      }
    }
  }

  private void show(String source) {
    Supplier<PoolGauges> look = () -> gauges.apply(source);
    gauge("active", source, look, PoolGauges::active);
    gauge("idle", source, look, PoolGauges::idle);
    gauge("waiting", source, look, PoolGauges::waiting);
    gauge("maximum", source, look, PoolGauges::maximum);
    gauge("limit", source, look, PoolGauges::limit);
    FunctionCounter.builder("anabranch.leases.shed", this, all -> all.gauges.apply(source).shed())
        .description("Requests for connections that were sent away so that others get one")
        .tags(tags(source))
        .register(registry);
    Gauge.builder(
            "anabranch.breaker.state", () -> ofBreaker(source, breaker -> number(breaker.state())))
        .description("Circuit breaker: 0 closed, or there is none; 1 half open; 2 open")
        .tags(tags(source))
        .register(registry);
    FunctionCounter.builder(
            "anabranch.breaker.opened",
            this,
            all -> all.ofBreaker(source, CircuitBreaker.Status::opened))
        .description("How often the circuit breaker has opened")
        .tags(tags(source))
        .register(registry);
    FunctionCounter.builder(
            "anabranch.breaker.refused",
            this,
            all -> all.ofBreaker(source, CircuitBreaker.Status::refused))
        .description("Requests for connections that the open circuit breaker has refused")
        .tags(tags(source))
        .register(registry);
  }

  private static long number(CircuitBreaker.State state) {
    return switch (state) {
      case CLOSED -> 0;
      case HALF_OPEN -> 1;
      case OPEN -> 2;
    };
  }

  private long ofBreaker(String source, ToLongFunction<CircuitBreaker.Status> figure) {
    CircuitBreaker.Status breaker = breakers.apply(source);
    return breaker == null ? 0 : figure.applyAsLong(breaker);
  }

  private void gauge(
      String state, String source, Supplier<PoolGauges> look, ToIntFunction<PoolGauges> value) {
    Gauge.builder("anabranch.pool.connections", () -> value.applyAsInt(look.get()))
        .description("Backend connections by state; waiting counts requests without one")
        .tags(tags(source).and("state", state))
        .register(registry);
  }

  private Tags tags(String source) {
    return Tags.of("database", database, "data_source", source);
  }

  @Override
  public void leased(String dataSource, long waitNanos) {
    SourceMeters meters = sources.get(dataSource);
    if (meters != null) {
      meters.leases.increment();
      if (waitNanos > 0) {
        meters.wait.record(waitNanos, TimeUnit.NANOSECONDS);
      }
    }
  }

  @Override
  public void refused(String dataSource, long waitNanos) {
    SourceMeters meters = sources.get(dataSource);
    if (meters != null) {
      meters.refused.increment();
      meters.wait.record(waitNanos, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void opened(String dataSource, long nanos) {
    SourceMeters meters = sources.get(dataSource);
    if (meters != null) {
      meters.opened.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void discarded(String dataSource, String reason) {
    SourceMeters meters = sources.get(dataSource);
    if (meters != null) {
      meters.discarded.increment();
    }
  }

  /** What is counted of a data source's shared connections. */
  PipeListener.Source pipes(String source) {
    SourceMeters meters = sources.get(source);
    return meters == null ? PipeListener.Source.NONE : meters;
  }

  /** Made once: looking a meter up by its tags costs more than counting. */
  private static final class SourceMeters implements PipeListener.Source {
    private final LongAdder leases = new LongAdder();
    private final Counter refused;
    private final Counter discarded;
    private final Timer wait;
    private final Timer opened;
    private final LongAdder pipelined = new LongAdder();
    private final DistributionSummary depth;
    private final Map<Repeat, Counter> repeated = new EnumMap<>(Repeat.class);

    SourceMeters(MeterRegistry registry, Tags tags) {
      FunctionCounter.builder("anabranch.leases", leases, LongAdder::sum)
          .description("Leases of backend connections given")
          .tags(tags)
          .register(registry);
      refused =
          Counter.builder("anabranch.leases.refused")
              .description("Leases that could not be given: data source down, or none free in time")
              .tags(tags)
              .register(registry);
      discarded =
          Counter.builder("anabranch.connections.discarded")
              .description("Backend connections thrown away by their lease")
              .tags(tags)
              .register(registry);
      wait =
          Latency.timer("anabranch.lease.wait", "From the request of a lease to the answer")
              .tags(tags)
              .register(registry);
      opened =
          Latency.timer("anabranch.connection.open", "Connecting and authenticating to a database")
              .tags(tags)
              .register(registry);
      FunctionCounter.builder("anabranch.pipelined.statements", pipelined, LongAdder::sum)
          .description("Statements sent on a connection with others that were not answered")
          .tags(tags)
          .register(registry);
      depth =
          DistributionSummary.builder("anabranch.pipelined.depth")
              .description("Statements under way on a connection that may be shared, at each send")
              .tags(tags)
              .register(registry);
      for (Repeat why : Repeat.values()) {
        repeated.put(
            why,
            Counter.builder("anabranch.pipelined.repeated")
                .description("Statements that were to share a connection and ran on their own")
                .tags(tags.and("reason", why.name().toLowerCase(Locale.ROOT)))
                .register(registry));
      }
    }

    @Override
    public void sent(int underWay) {
      depth.record(underWay);
      if (underWay > 1) {
        pipelined.increment();
      }
    }

    @Override
    public void repeated(Repeat why) {
      Counter counter = repeated.get(why);
      if (counter != null) {
        counter.increment();
      }
    }
  }
}
