package io.anabranch.rules.algorithm.key;

/**
 * Where the sequence of a new millisecond begins, so that keys are not all even. Not thread-safe.
 */
sealed interface Opening {

  /**
   * @param previous the last number of the sequence before
   */
  int first(int previous);

  /** No sequence begins later. */
  int latest();

  /** One later each time, then again at 0: ShardingSphere's. */
  final class Vibrating implements Opening {

    private final int latest;
    private int current = -1;

    Vibrating(int latest) {
      this.latest = latest;
    }

    @Override
    public int first(int previous) {
      current = current >= latest ? 0 : current + 1;
      return current;
    }

    @Override
    public int latest() {
      return latest;
    }
  }

  /** The sequence goes on until half of its numbers are used: CosId's. */
  record GoingOn(int latest) implements Opening {
    @Override
    public int first(int previous) {
      return previous >= latest ? 0 : previous + 1;
    }
  }
}
