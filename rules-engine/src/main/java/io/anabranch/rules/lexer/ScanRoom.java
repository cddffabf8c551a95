package io.anabranch.rules.lexer;

/** Where a {@link Scan} of many literals asks for room. */
public interface ScanRoom {

  /** For who counts otherwise what texts take. */
  ScanRoom UNCOUNTED =
      new ScanRoom() {
        @Override
        public void take(long bytes) {}

        @Override
        public void give(long bytes) {}
      };

  /**
   * Asked before so many bytes more are kept.
   *
   * @throws RuntimeException if they cannot be; the scan ends
   */
  void take(long bytes);

  /** They are kept no more. */
  void give(long bytes);
}
