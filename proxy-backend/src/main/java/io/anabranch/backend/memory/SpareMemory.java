package io.anabranch.backend.memory;

/**
 * Bytes of the heap's budget that are kept for nobody in particular, and only while clients leave a
 * quarter of it: what does not fit is no refusal, and nobody is ended for it. Thread-safe.
 */
public final class SpareMemory {

  /** One part in so many stays for clients. */
  private static final int PART_OF_CLIENTS = 4;

  private final MemoryShare whole;

  SpareMemory(MemoryShare whole) {
    this.whole = whole;
  }

  /** All that clients and this have together. */
  public long limit() {
    return whole.limit();
  }

  /** Takes the bytes if there is room. */
  public boolean take(long bytes) {
    long most = whole.limit() - whole.limit() / PART_OF_CLIENTS;
    return whole.taken() + bytes <= most && whole.take(bytes) == null;
  }

  /** Gives back what was taken. */
  public void give(long bytes) {
    whole.give(bytes);
  }
}
