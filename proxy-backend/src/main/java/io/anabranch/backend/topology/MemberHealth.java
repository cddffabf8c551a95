package io.anabranch.backend.topology;

import io.anabranch.backend.topology.Member.Condition;
import io.anabranch.backend.topology.MemberReport.Membership;
import io.anabranch.backend.topology.MemberReport.Source;
import io.anabranch.rules.model.HealthCheck;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of one member's health: answers and failures in, {@link Condition} out. Used
 * under its group's lock.
 */
final class MemberHealth {

  private final Member member;
  private final HealthCheck check;
  private boolean isDown;
  private boolean isOffline;

  /** {@link System#nanoTime}; it comes back with the first answer to a question asked later. */
  private long returnNanos;

  private boolean returns;
  private int failures;
  private int successes;

  /** Whether it has refused a write, and when: what it was asked before that is out of date. */
  private boolean refused;

  private long refusedNanos;
  private String failure = "";
  private @Nullable MemberReport report;

  MemberHealth(Member member, HealthCheck check) {
    this.member = member;
    this.check = check;
  }

  Member member() {
    return member;
  }

  /** Whether the last question failed, though not yet often enough to be down. */
  boolean isSuspect() {
    return failures > 0 && !isDown;
  }

  void answered(MemberReport answer) {
    // One that has never been up need not prove itself.
    boolean isFirst = report == null;
    failures = 0;
    successes++;
    boolean isOld = refused && answer.askedNanos() - refusedNanos < 0;
    report = isOld ? answer.asReadOnly() : answer;
    if (returns && answer.askedNanos() - returnNanos >= 0) {
      isBack();
    }
    if (isDown && (isFirst || successes >= check.rise())) {
      isDown = false;
    }
    settle();
  }

  /** It has just refused a write. */
  void isReadOnly() {
    refused = true;
    refusedNanos = System.nanoTime();
    MemberReport last = report;
    if (last != null && !last.isReadOnly()) {
      report = last.asReadOnly();
      settle();
    }
  }

  void failed(String reason) {
    successes = 0;
    failures++;
    failure = reason;
    if (returns) {
      isBack();
    }
    if (failures >= check.fall()) {
      isDown = true;
    }
    settle();
  }

  void offline(boolean wanted) {
    isOffline = wanted;
    returns = false;
    settle();
  }

  /**
   * It is to come back. One that could be written to when it was last asked is asked again before,
   * for meanwhile another may have become the primary.
   */
  void asksToReturn() {
    MemberReport last = report;
    if (isOffline && !isDown && last != null && !last.isReadOnly()) {
      returns = true;
      returnNanos = System.nanoTime();
    } else {
      offline(false);
    }
  }

  private void isBack() {
    returns = false;
    isOffline = false;
  }

  private void settle() {
    Condition before = member.condition();
    MemberState state = state();
    long since = state == before.state() ? before.sinceMillis() : System.currentTimeMillis();
    member.condition(new Condition(state, reason(state), since, report, !isDown));
  }

  private MemberState state() {
    if (isDown || isPutOut()) {
      return MemberState.DOWN;
    }
    if (isOffline) {
      return MemberState.OFFLINE_SOFT;
    }
    return standsStill() || isTooFarBehind() ? MemberState.LAGGING : MemberState.ONLINE;
  }

  private boolean isPutOut() {
    Membership membership = report == null ? null : report.membership();
    return membership != null && !membership.isServing();
  }

  private boolean standsStill() {
    Source source = report == null ? null : report.source();
    return source != null && !source.isApplying();
  }

  /** Who follows nobody cannot be behind. */
  private boolean isTooFarBehind() {
    MemberReport last = report;
    if (last == null || (last.source() == null && last.membership() == null)) {
      return false;
    }
    return check.maxLagMilliseconds() > 0 && last.lagMilliseconds() > check.maxLagMilliseconds();
  }

  private String reason(MemberState state) {
    MemberReport last = report;
    return switch (state) {
      case ONLINE -> isSuspect() ? "one question failed: " + failure : "";
      case OFFLINE_SOFT -> "taken out by an administrator";
      case LAGGING -> {
        Source source = last == null ? null : last.source();
        yield source != null && !source.isApplying()
            ? source.state()
            : (last == null ? "" : last.lagMilliseconds() + " ms behind");
      }
      case DOWN -> {
        Membership membership = last == null ? null : last.membership();
        yield isDown || membership == null ? failure : membership.state();
      }
    };
  }
}
