package io.anabranch.rules.model;

/**
 * The key {@code transaction} of the global file. Times in milliseconds.
 *
 * @param defaultType of sessions that say nothing else
 * @param xa how distributed transactions are named, logged and recovered
 * @param idleLimit a transaction is rolled back when its client is silent for longer; 0: never
 * @param longLimit a transaction is rolled back when it is open for longer; 0: never
 */
public record TransactionSettings(
    TransactionType defaultType, Xa xa, long idleLimit, long longLimit) {

  /** What holds when nothing is said. */
  public static final TransactionSettings DEFAULTS =
      new TransactionSettings(TransactionType.LOCAL, Xa.DEFAULTS, 0, 0);

  /** Whether sessions may have distributed transactions. */
  public boolean offersXa() {
    return defaultType == TransactionType.XA || !xa.logDataSource().isEmpty();
  }

  /**
   * @param cluster the same for all proxies that work on the same databases
   * @param node this proxy's name; empty: the machine's
   * @param logDataSource {@code database.dataSource}, or a group's name instead of the data
   *     source's; empty: the first by name that takes writes
   * @param recoveryInterval between two looks for branches that nobody ends
   * @param nodeTimeout a proxy that has been silent for so long is taken for dead
   * @param answerTimeout how long a database may take for a phase of the commit
   * @param logTimeout how long COMMIT waits for the log
   * @param decisionRetention how long the log keeps a decision whose branches have not all told
   *     that they are committed
   */
  public record Xa(
      String cluster,
      String node,
      String logDataSource,
      long recoveryInterval,
      long nodeTimeout,
      long answerTimeout,
      long logTimeout,
      long decisionRetention) {

    /** Longest name of a cluster or node. */
    public static final int MAX_NAME = 16;

    static final Xa DEFAULTS =
        new Xa("anabranch", "", "", 5_000, 15_000, 30_000, 10_000, 86_400_000);
  }
}
