package io.anabranch.frontend.statistics;

import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.frontend.session.SessionListener;
import io.anabranch.frontend.session.StatementListener;
import io.anabranch.frontend.statementlog.StatementLogs;
import io.anabranch.frontend.table.VirtualSchema;
import io.anabranch.rules.lexer.StatementKind;
import io.netty.util.concurrent.EventExecutor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Gives what happens in sessions to the metrics and to the statistics. Thread-safe. */
public final class StatisticsListener implements SessionListener {

  private final SessionListener metrics;
  private final Digests digests;
  private final StatementLogs logs;
  private volatile VirtualSchema schema = VirtualSchema.EMPTY;
  private final Map<EventExecutor, StatementListener> loops = new ConcurrentHashMap<>();

  public StatisticsListener(SessionListener metrics, Digests digests, StatementLogs logs) {
    this.metrics = metrics;
    this.digests = digests;
    this.logs = logs;
  }

  /** What sessions that begin from now on find in the schema {@code anabranch}. */
  public void schema(VirtualSchema tables) {
    schema = tables;
  }

  @Override
  public VirtualSchema schema() {
    return schema;
  }

  @Override
  public void connected() {
    metrics.connected();
  }

  @Override
  public void closed() {
    metrics.closed();
  }

  @Override
  public void refused(int errno) {
    metrics.refused(errno);
  }

  @Override
  public long statements() {
    return metrics.statements();
  }

  @Override
  public StatementListener of(EventExecutor loop) {
    return loops.computeIfAbsent(loop, each -> new Loop(metrics.of(each)));
  }

  private final class Loop implements StatementListener {
    private final StatementListener counting;
    private final LoopDigests own = digests.ofLoop();

    Loop(StatementListener counting) {
      this.counting = counting;
    }

    @Override
    public void done(
        StatementKind kind, Lane lane, long planNanos, long leaseNanos, long runNanos, int errno) {
      counting.done(kind, lane, planNanos, leaseNanos, runNanos, errno);
    }

    @Override
    public void executed(ExecutedStatement statement) {
      counting.executed(statement);
      if (digests.areKept()) {
        own.add(statement);
      }
      logs.executed(statement);
    }

    @Override
    public void fetched(ExecutedStatement statement) {
      if (digests.areKept()) {
        own.addRows(statement);
      }
    }
  }
}
