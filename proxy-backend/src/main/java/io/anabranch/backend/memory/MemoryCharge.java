package io.anabranch.backend.memory;

import io.anabranch.rules.error.RefusedException;

/**
 * Bytes that one holder keeps for a session. Closing gives all of them back, whatever has happened;
 * it may grow again afterwards. Used by one thread at a time.
 */
public final class MemoryCharge implements AutoCloseable {

  private final SessionMemory of;
  private final MemoryKind kind;
  private final String what;
  private long bytes;

  MemoryCharge(SessionMemory of, MemoryKind kind, String what) {
    this.of = of;
    this.kind = kind;
    this.what = what;
  }

  /**
   * Takes more, before it is kept.
   *
   * @throws RefusedException MEMORY_SHARE; then nothing is taken
   */
  public void grow(long more) {
    RefusedException refusal = of.take(kind, more, what);
    if (refusal != null) {
      throw refusal;
    }
    bytes += more;
  }

  /** Takes more if there is room. */
  public boolean tryGrow(long more) {
    boolean fits = of.take(kind, more, what) == null;
    if (fits) {
      bytes += more;
    }
    return fits;
  }

  /** Gives a part back. */
  public void shrink(long less) {
    bytes -= less;
    of.give(kind, less);
  }

  /**
   * Keeps so many from now on.
   *
   * @throws RefusedException MEMORY_SHARE; then it is as before
   */
  public void to(long total) {
    if (total > bytes) {
      grow(total - bytes);
    } else if (total < bytes) {
      shrink(bytes - total);
    }
  }

  public long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    if (bytes > 0) {
      shrink(bytes);
    }
  }
}
