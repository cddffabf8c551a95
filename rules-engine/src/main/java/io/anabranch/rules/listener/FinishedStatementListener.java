package io.anabranch.rules.listener;

/**
 * Hears of each statement that has ended. Asked by one thread of its own, one statement at a time,
 * so it may block: no statement waits for it. What it cannot take in time is dropped and counted.
 */
public interface FinishedStatementListener {

  /**
   * A statement has ended.
   *
   * @throws Exception what it throws is logged without its message, not more often than each
   *     minute, and counted; the next statement is told all the same
   */
  void finished(FinishedStatement statement) throws Exception;

  /**
   * No more statements come: the configuration in force does not name it any more, or the proxy
   * ends. On the same thread; may take two seconds, then it is interrupted.
   */
  default void close() throws Exception {}
}
