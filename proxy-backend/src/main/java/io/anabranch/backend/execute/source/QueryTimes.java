package io.anabranch.backend.execute.source;

/** Is told of the queries of one statement when they end. Called on the threads that run them. */
public interface QueryTimes {

  /** Nobody wants to know. */
  QueryTimes NONE = (_, _, _, _) -> {};

  /**
   * @param dataSource that it ran on
   * @param began {@link System#nanoTime}
   * @param ended of the end of its answer
   * @param errno 0: it succeeded
   */
  void ran(String dataSource, long began, long ended, int errno);
}
