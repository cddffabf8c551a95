package io.anabranch.app.tracing;

import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.frontend.session.SessionListener;
import io.anabranch.frontend.session.StatementListener;
import io.anabranch.frontend.table.VirtualSchema;
import io.anabranch.rules.lexer.StatementKind;
import io.netty.util.concurrent.EventExecutor;

/** Tells another listener all, and makes spans of statements that have ended. Thread-safe. */
final class TracingListener implements SessionListener {

  private final SessionListener other;
  private final StatementSpans spans;

  TracingListener(SessionListener other, StatementSpans spans) {
    this.other = other;
    this.spans = spans;
  }

  @Override
  public void connected() {
    other.connected();
  }

  @Override
  public void closed() {
    other.closed();
  }

  @Override
  public void refused(int errno) {
    other.refused(errno);
  }

  @Override
  public long statements() {
    return other.statements();
  }

  @Override
  public VirtualSchema schema() {
    return other.schema();
  }

  @Override
  public StatementListener of(EventExecutor loop) {
    return new Loop(other.of(loop), spans);
  }

  private record Loop(StatementListener other, StatementSpans spans) implements StatementListener {

    @Override
    public void done(
        StatementKind kind, Lane lane, long planNanos, long leaseNanos, long runNanos, int errno) {
      other.done(kind, lane, planNanos, leaseNanos, runNanos, errno);
    }

    @Override
    public void executed(ExecutedStatement statement) {
      other.executed(statement);
      spans.make(statement);
    }

    @Override
    public void fetched(ExecutedStatement statement) {
      other.fetched(statement);
    }
  }
}
