package io.anabranch.backend.breaker;

/** Is told how a data source answers. Thread-safe; nothing waits. */
public interface AnswerListener {

  /** The clock's time, for {@link #answered}. */
  long now();

  /**
   * A command was answered.
   *
   * @param begun when it was sent, as {@link #now} said
   * @param heard when its answer began
   * @param errno 0: no error
   */
  void answered(long begun, long heard, int errno);

  /** The server broke the connection under a command that began then. */
  void lost(long begun);

  /** One that tells both, which have the same clock. */
  static AnswerListener both(AnswerListener one, AnswerListener other) {
    return new AnswerListener() {
      @Override
      public long now() {
        return one.now();
      }

      @Override
      public void answered(long begun, long heard, int errno) {
        one.answered(begun, heard, errno);
        other.answered(begun, heard, errno);
      }

      @Override
      public void lost(long begun) {
        one.lost(begun);
        other.lost(begun);
      }
    };
  }
}
