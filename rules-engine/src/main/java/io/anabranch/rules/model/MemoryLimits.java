package io.anabranch.rules.model;

/**
 * How much memory clients may make the proxy keep.
 *
 * @param heapBytes on the heap, all clients together; 0: by the size of the heap
 * @param directBytes in buffers of packets, all clients together; 0: by what Java may have of them
 * @param userPercent of these that the sessions of one user may have, 1 to 100
 * @param sessionPercent of these that one session may have, 1 to 100
 */
public record MemoryLimits(long heapBytes, long directBytes, int userPercent, int sessionPercent) {

  private static final int HEAP_PERCENT = 60;
  private static final int DIRECT_PERCENT = 75;
  private static final int PERCENT = 100;

  /** What holds when nothing is said. */
  public static final MemoryLimits DEFAULTS = new MemoryLimits(0, 0, 90, 50);

  /**
   * With defaults in the place of zeros.
   *
   * @param maxDirectBytes what the Java process may have of direct memory; 0: as much as heap
   */
  public MemoryLimits in(long maxDirectBytes) {
    long maxHeap = Runtime.getRuntime().maxMemory();
    long maxDirect = maxDirectBytes > 0 ? maxDirectBytes : maxHeap;
    return new MemoryLimits(
        heapBytes > 0 ? heapBytes : maxHeap / PERCENT * HEAP_PERCENT,
        directBytes > 0 ? directBytes : maxDirect / PERCENT * DIRECT_PERCENT,
        userPercent,
        sessionPercent);
  }
}
