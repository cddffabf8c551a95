package io.anabranch.app.live;

import io.anabranch.backend.health.Asker;
import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.health.HealthWatch;
import io.anabranch.backend.health.PositionAsker;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.topology.Member;
import io.anabranch.backend.topology.MemberState;
import io.anabranch.backend.topology.Topology;
import io.anabranch.backend.topology.TopologyListener;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.HealthCheck;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ReplicationGroup;
import io.netty.channel.EventLoop;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what the pools of one logical database do in step with what is known of its data sources:
 * whoever asks for a database that is down is told at once, and whoever waits for the answer of one
 * that hangs need not wait for ever: of a group's member not at all, because another one may take
 * its place, of any other not much longer.
 */
public final class Watching implements TopologyListener, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Watching.class);

  /** One that does not answer the questions for its health for so long does not just stumble. */
  private static final long HANGS_MILLISECONDS = 5000;

  private static final long FIRST_CONNECTION_MILLISECONDS = 2000;

  private final LogicalDatabase database;
  private final HikariLeaseDesk desk;
  private final Consumer<DataSourceDefinition> failures;
  private final Runnable reachChanged;
  private final Topology topology;
  private final HealthWatch watch;
  private final PositionAsker positions;

  /** Pools of other databases on the same data sources. */
  private final Set<HikariLeaseDesk> others = ConcurrentHashMap.newKeySet();

  private boolean isClosed;

  /** Data sources whose writes must be followed: the members of groups. */
  static Set<String> tracked(LogicalDatabase database) {
    var names = new HashSet<String>();
    for (ReplicationGroup group : database.groups().values()) {
      if (!group.replicas().isEmpty()) {
        names.add(group.primary());
        names.addAll(group.replicas());
      }
    }
    return names;
  }

  private final Executor later =
      CompletableFuture.delayedExecutor(
          HANGS_MILLISECONDS,
          TimeUnit.MILLISECONDS,
          task -> Thread.ofVirtual().name("cut").start(task));

  /**
   * @param versions gets the server version of each data source as it answers
   * @param failures gets each data source that is found to be down
   * @param reachChanged runs when a data source has gone or come back: plans may prefer others now
   */
  Watching(
      LogicalDatabase database,
      HikariLeaseDesk desk,
      Consumer<String> versions,
      Consumer<DataSourceDefinition> failures,
      Runnable reachChanged) {
    this.failures = failures;
    this.reachChanged = reachChanged;
    this.database = database;
    this.desk = desk;
    this.positions = new PositionAsker(desk::asker);
    this.topology = Topology.of(database, this, positions, new Random());
    this.watch =
        new HealthWatch(topology, report -> versions.accept(report.version()), desk::isCrowded);
  }

  public Topology topology() {
    return topology;
  }

  public boolean hasSources() {
    return !database.dataSources().isEmpty();
  }

  /** The pools of another database on the same data sources are to be told the same. */
  void follow(HikariLeaseDesk other) {
    others.add(other);
    topology
        .conditions()
        .forEach(
            (source, condition) -> {
              if (!condition.isReachable()) {
                other.down(source, condition.reason());
              }
            });
  }

  /** They are told nothing any more. */
  void forget(HikariLeaseDesk other) {
    others.remove(other);
  }

  /**
   * Uses one data source as it will be used, on the calling thread and few others. Many virtual
   * threads that load the driver's classes at once can wait for each other for ever: those in the
   * class loader hold on to their carriers, and whom they wait for gets none (JDK 25).
   *
   * <p>For databases that {@link #hasSources} only.
   *
   * @param loop any; the calling thread must be another, and no virtual one
   */
  public void connectOnce(EventLoop loop) {
    String source = database.dataSources().keySet().iterator().next();
    try (Asker asker = desk.asker(source).open(FIRST_CONNECTION_MILLISECONDS)) {
      asker.ask("SELECT 1");
    } catch (AskException down) {
      log.debug("data source {}: {}", source, down.getMessage());
      return;
    }
    var leased = new CompletableFuture<@Nullable Void>();
    desk.lease(
        new LeaseDesk.Request(source, false, loop),
        (lease, _) -> {
          if (lease != null) {
            lease.release();
          }
          leased.complete(null);
        });
    leased.completeOnTimeout(null, FIRST_CONNECTION_MILLISECONDS, TimeUnit.MILLISECONDS).join();
  }

  public synchronized void start() {
    if (isClosed) {
      return;
    }
    desk.warmUp();
    for (String source : database.dataSources().keySet()) {
      Discovery.Kind kind = discovery(source);
      HealthCheck check = topology.healthCheck(source);
      if (kind == null) {
        watch.add(source, check, desk.asker(source));
      } else {
        watch.addMember(source, kind, check, desk.asker(source));
      }
    }
    watch.start();
  }

  /** That of the source's group; null if it is in none. */
  private Discovery.@Nullable Kind discovery(String source) {
    for (ReplicationGroup group : database.groups().values()) {
      if (group.primary().equals(source) || group.replicas().contains(source)) {
        return group.discovery().kind();
      }
    }
    return null;
  }

  @Override
  public void reachChanged(Member source) {
    Member.Condition condition = source.condition();
    String reason = condition.isReachable() ? null : condition.reason();
    desk.down(source.name(), reason);
    others.forEach(other -> other.down(source.name(), reason));
    reachChanged.run();
    if (!condition.isReachable()) {
      DataSourceDefinition definition = database.dataSources().get(source.name());
      if (definition != null) {
        failures.accept(definition);
      }
      long since = condition.sinceMillis();
      later.execute(() -> cutIfStillDown(source, since));
    }
  }

  /** Whoever waits for an answer of a data source that hangs, and is in no group, learns it too. */
  private void cutIfStillDown(Member source, long since) {
    Member.Condition now = source.condition();
    if (!now.isReachable() && now.sinceMillis() == since) {
      cut(source.name());
    }
  }

  @Override
  public void stateChanged(String group, Member member, MemberState before) {
    if (!member.condition().isReachable()) {
      cut(member.name());
    }
  }

  private void cut(String source) {
    desk.cut(source);
    others.forEach(other -> other.cut(source));
  }

  @Override
  public void primaryChanged(String group, String primary) {
    if (primary.isEmpty()) {
      watch.askNow();
    }
  }

  @Override
  public void contradiction(String group) {
    watch.askNow();
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    watch.close();
    positions.close();
  }
}
