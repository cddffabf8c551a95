package io.anabranch.frontend.limit;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.protection.Limit;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The share that one subject has of a limit. Thread-safe. */
public final class SubjectLimits {

  private final String subject;
  private final StatementGate gate;
  private final TokenBucket statements;
  private final TokenBucket logins;
  private final Map<LimitKind, LongAdder> reached = counters();
  private volatile Limit limit;

  SubjectLimits(Limit limit, String subject, long now) {
    this.limit = limit;
    this.subject = subject;
    gate = new StatementGate(limit.statements());
    statements = new TokenBucket(now);
    logins = new TokenBucket(now);
  }

  void limit(Limit changed) {
    limit = changed;
    gate.settings(changed.statements());
  }

  Limit limit() {
    return limit;
  }

  /** Empty for that of all. */
  String subject() {
    return subject;
  }

  /** Counts a statement; null, or 1226 if there are too many in a second. */
  public @Nullable RefusedException refusesRate(long now) {
    Limit.Rate rate = limit.statements().rate();
    long wait = rate.isLimited() ? statements.take(rate, now) : 0;
    return wait == 0
        ? null
        : reached(
            LimitKind.STATEMENT_RATE,
            ErrorCatalogue.LIMIT_STATEMENT_RATE.refuse(
                limit.name(), rate.perSecond(), milliseconds(wait)));
  }

  /** Takes a place among the statements that run; false if {@link #join} is to be called. */
  public boolean enter() {
    return gate.enter();
  }

  /** Waits for a place; null, or 1226 if too many wait. */
  public @Nullable RefusedException join(QueuedStatement statement, boolean inTransaction) {
    return gate.join(statement, inTransaction)
        ? null
        : reached(
            LimitKind.STATEMENTS,
            ErrorCatalogue.LIMIT_QUEUE_FULL.refuse(
                limit.name(), limit.statements().most(), limit.statements().queue()));
  }

  /** How long a statement waits at most. */
  public long queueMilliseconds() {
    return limit.statements().queueMilliseconds();
  }

  /**
   * What a statement is told that has waited for too long.
   *
   * @param milliseconds how long
   */
  public RefusedException waitedTooLong(long milliseconds) {
    return reached(
        LimitKind.STATEMENTS,
        ErrorCatalogue.LIMIT_QUEUE_TIME.refuse(
            limit.name(), limit.statements().most(), milliseconds));
  }

  /** Takes one out of the line that has given up. */
  public void forget(QueuedStatement gone) {
    gate.forget(gone);
  }

  /** Gives the place back. */
  public void leave() {
    gate.leave();
  }

  /**
   * @param present how many connections the subject has
   * @return null, or 1040, 1203 if one more is too many
   */
  @Nullable RefusedException refusesConnections(int present) {
    int most = limit.connections().most();
    if (most == 0 || present < most) {
      return null;
    }
    ErrorCatalogue which =
        limit.each() == Limit.Each.USER
            ? ErrorCatalogue.LIMIT_USER_CONNECTIONS
            : ErrorCatalogue.LIMIT_CONNECTIONS;
    return reached(LimitKind.CONNECTIONS, which.refuse(limit.name(), most));
  }

  /** Counts a login; null, or 1226 if there are too many in a second. */
  @Nullable RefusedException refusesLogin(long now) {
    Limit.Rate rate = limit.connections().rate();
    long wait = rate.isLimited() ? logins.take(rate, now) : 0;
    return wait == 0
        ? null
        : reached(
            LimitKind.CONNECT_RATE,
            ErrorCatalogue.LIMIT_CONNECT_RATE.refuse(
                limit.name(), rate.perSecond(), milliseconds(wait)));
  }

  /** A transaction was ended. */
  void ended(LimitKind why) {
    count(why).increment();
  }

  int running() {
    return gate.running();
  }

  int waiting() {
    return gate.waiting();
  }

  long reached(LimitKind kind) {
    return count(kind).sum();
  }

  void forgetReached() {
    reached.values().forEach(LongAdder::reset);
  }

  private RefusedException reached(LimitKind kind, RefusedException refusal) {
    count(kind).increment();
    return refusal;
  }

  private LongAdder count(LimitKind kind) {
    return Objects.requireNonNull(reached.get(kind));
  }

  private static Map<LimitKind, LongAdder> counters() {
    Map<LimitKind, LongAdder> counters = new EnumMap<>(LimitKind.class);
    for (LimitKind kind : LimitKind.values()) {
      counters.put(kind, new LongAdder());
    }
    return Collections.unmodifiableMap(counters);
  }

  /** Rounded up. */
  private static long milliseconds(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos) + 1;
  }
}
