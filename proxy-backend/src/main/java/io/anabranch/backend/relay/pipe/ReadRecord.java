package io.anabranch.backend.relay.pipe;

import io.anabranch.rules.plan.StatementPlan;
import java.lang.ref.WeakReference;

/**
 * What an event loop has seen of one plan: whether its statements may share connections, and how
 * they have behaved. Forgiving: who was a burden is tried again, after twice as many executions
 * each time.
 */
public final class ReadRecord {

  /** Answered so quickly, a statement is no burden to those behind it. */
  static final long SHORT_NANOS = 5_000_000;

  /** So soon behind the answer in front, most are of a statement that takes no time. */
  static final long QUICK_NANOS = 500_000;

  /** Rows that fit in what is kept of an answer, mostly. */
  static final long FEW_ROWS = 200;

  /** Short executions that are seen before a plan shares by itself. */
  static final int PROOFS = 3;

  private static final int FIRST_REST = 64;
  private static final int MOST_LEVELS = 12;
  private static final int GOOD_PER_LEVEL = 64;

  /**
   * Any statement may be late where the machine is: a few are forgiven, one in sixteen for ever.
   */
  private static final int LATE_SUSPICION = 16;

  private static final int MOST_QUICK = 64;
  private static final int MOST_SUSPICION = 2 * LATE_SUSPICION;

  private final WeakReference<StatementPlan> plan;
  private final boolean isPlain;
  private int proofs;
  private int level;
  private int rest;
  private int good;
  private int suspicion;
  private int quick;

  ReadRecord(StatementPlan plan, boolean isPlain) {
    this.plan = new WeakReference<>(plan);
    this.isPlain = isPlain;
  }

  boolean isOf(StatementPlan asked) {
    return plan.refersTo(asked);
  }

  /** Whether its statements leave nothing and depend on nothing that a connection has. */
  public boolean isPlain() {
    return isPlain;
  }

  /**
   * Whether the next execution may share a connection; asked once for each.
   *
   * @param needsProof only if it is known to be short
   */
  public boolean mayShare(boolean needsProof) {
    if (!isPlain) {
      return false;
    }
    if (rest > 0) {
      rest--;
      return false;
    }
    return !needsProof || proofs >= PROOFS;
  }

  /** Whether its answers come so quickly that a connection has room for many. */
  public boolean isQuick() {
    return quick > MOST_QUICK / 2;
  }

  /** It was answered, alone on a connection. */
  public void ranAlone(long nanos, long rows, int warnings) {
    if (warnings > 0 || rows > FEW_ROWS) {
      burdened();
    } else if (nanos <= SHORT_NANOS && proofs < PROOFS) {
      proofs++;
    }
  }

  /** It was answered on a shared connection, and has kept others waiting. */
  public void wasLate() {
    quick = 0;
    suspicion += LATE_SUSPICION;
    if (suspicion > MOST_SUSPICION) {
      burdened();
    }
  }

  /**
   * It was answered on a shared connection, as it should.
   *
   * @param nanos behind the answer in front
   */
  public void shared(long nanos) {
    quick = nanos <= QUICK_NANOS ? Math.min(quick + 1, MOST_QUICK) : Math.max(quick - 1, 0);
    if (suspicion > 0) {
      suspicion--;
    }
    if (level > 0 && ++good % GOOD_PER_LEVEL == 0) {
      level--;
    }
  }

  /** It was too long, or had to be run again for what it did. */
  public void burdened() {
    suspicion = 0;
    quick = 0;
    proofs = 0;
    rest = FIRST_REST << level;
    level = Math.min(level + 2, MOST_LEVELS);
  }
}
