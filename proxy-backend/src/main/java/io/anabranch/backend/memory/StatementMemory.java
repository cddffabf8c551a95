package io.anabranch.backend.memory;

import io.anabranch.rules.error.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * What one statement of the merge lane keeps on the heap: rows that it sorts, long ones on their
 * way. All of it is given back when the statement ends, however it does. Thread-safe: the threads
 * of its data sources share it.
 */
public final class StatementMemory implements AutoCloseable {

  /** Rows below this are not worth a look on their way. */
  public static final int LONG_ROW = 64 * 1024;

  /** Of whatever is no session's: as much as there is. */
  public static final StatementMemory UNLIMITED = new StatementMemory(null);

  private static final long STEP = 64 * 1024;

  private final @Nullable MemoryCharge charge;
  private long held;

  private StatementMemory(@Nullable MemoryCharge charge) {
    this.charge = charge;
  }

  /** Of one statement of the session. */
  public static StatementMemory of(SessionMemory session) {
    return new StatementMemory(session.charge(MemoryKind.HEAP, "the rows of the statement"));
  }

  /**
   * Keeps more.
   *
   * @throws RefusedException MEMORY_SHARE; then nothing more is kept
   */
  public void hold(long bytes) {
    MemoryCharge taken = charge;
    if (taken != null) {
      synchronized (this) {
        long missing = held + bytes - taken.bytes();
        if (missing > 0) {
          taken.grow(Math.max(missing, STEP));
        }
        held += bytes;
      }
    }
  }

  /** The same where there is another way. */
  public boolean tryHold(long bytes) {
    MemoryCharge taken = charge;
    if (taken == null) {
      return true;
    }
    synchronized (this) {
      long missing = held + bytes - taken.bytes();
      boolean fits = missing <= 0 || taken.tryGrow(Math.max(missing, STEP));
      held += fits ? bytes : 0;
      return fits;
    }
  }

  /** Keeps a part no more. */
  public void letGo(long bytes) {
    MemoryCharge taken = charge;
    if (taken != null && bytes > 0) {
      synchronized (this) {
        held = Math.max(0, held - bytes);
        if (taken.bytes() - held > STEP) {
          taken.shrink(taken.bytes() - held - STEP);
        }
      }
    }
  }

  @Override
  public void close() {
    MemoryCharge taken = charge;
    if (taken != null) {
      synchronized (this) {
        held = 0;
        taken.close();
      }
    }
  }
}
