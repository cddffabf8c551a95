package io.anabranch.rules.model;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * {@code props} of the global file that the proxy reads, typed, with their defaults.
 *
 * @param sqlShow log logical SQL, actual SQL and data source
 * @param maxConnectionsSizePerQuery connections that one statement may take per data source
 * @param maxUnionSizePerDataSource legs of one UNION ALL
 * @param frontendFlushThreshold rows before a flush on the merge lane
 * @param frontendExecutorThreads event loops; 0: one per core
 * @param defaultPort port where no other is given
 * @param unixSocket file by which clients of this machine may connect besides; empty: none
 * @param nettyBacklog of the listening socket
 * @param admin the HTTP port for operators
 * @param mergeMaxRows rows that one statement may hold in the merge lane
 * @param ending how clients are sent away when the proxy ends
 * @param relayEnabled false: every statement takes the merge lane (for tests)
 * @param transport {@code auto}, {@code epoll}, {@code nio}, {@code io_uring}
 * @param serverVersion what the greeting says; empty: as the first data source says
 * @param stageMaxRows rows that one statement may copy into temporary tables; 0: no statement does
 * @param stageMaxBytes bytes that one statement may copy into temporary tables
 * @param stageTotalBytes bytes that all statements together may have there at a time
 * @param stageDataSource data source or group whose databases run statements over copies; empty:
 *     the one that has most of what a statement reads
 * @param atomicStatements whether a write to several nodes of a sharded table is one unit
 * @param deadlockCheckMilliseconds how long a statement of a transaction over several data sources
 *     waits before a deadlock is looked for; 0: none is
 * @param statementsPerConnection prepared statements that a database connection keeps open for the
 *     next session that has one of them
 * @param memory what clients may make the proxy keep
 * @param backendSilenceSeconds after so long without a byte of an answer the database is asked
 *     whether it still works at it; 0: never
 * @param configurationWatchSeconds between looks at the configuration's files; 0: nobody looks
 * @param pipelineDepth reads of several sessions that may be under way on one connection to a
 *     database; 0: none shares one, {@link #PIPELINE_AUTO}: by load
 * @param clients what is asked of clients' connections and what they may cost
 * @param statistics what is kept of statements that were run
 * @param tracing where spans of statements are sent
 */
public record ProxyProperties(
    boolean sqlShow,
    int maxConnectionsSizePerQuery,
    int maxUnionSizePerDataSource,
    int frontendFlushThreshold,
    int frontendExecutorThreads,
    int defaultPort,
    String unixSocket,
    int nettyBacklog,
    Admin admin,
    long mergeMaxRows,
    Ending ending,
    boolean relayEnabled,
    String transport,
    String serverVersion,
    long stageMaxRows,
    long stageMaxBytes,
    long stageTotalBytes,
    String stageDataSource,
    boolean atomicStatements,
    long deadlockCheckMilliseconds,
    int statementsPerConnection,
    MemoryLimits memory,
    long backendSilenceSeconds,
    long configurationWatchSeconds,
    int pipelineDepth,
    ClientProperties clients,
    Statistics statistics,
    Tracing tracing) {

  /** {@code proxy-pipeline-depth: auto}. */
  public static final int PIPELINE_AUTO = -1;

  /** What holds when {@code props} is absent. */
  public static final ProxyProperties DEFAULTS =
      new ProxyProperties(
          false,
          1,
          Integer.MAX_VALUE,
          128,
          0,
          3307,
          "",
          1024,
          Admin.DEFAULTS,
          1_000_000,
          Ending.DEFAULTS,
          true,
          "auto",
          "",
          10_000_000,
          4L << 30,
          16L << 30,
          "",
          true,
          200,
          128,
          MemoryLimits.DEFAULTS,
          10,
          0,
          PIPELINE_AUTO,
          ClientProperties.DEFAULTS,
          Statistics.DEFAULTS,
          Tracing.DEFAULTS);

  /**
   * How clients are sent away when the proxy ends, all in milliseconds.
   *
   * @param lameDuckMilliseconds for which clients are still accepted, while load balancers learn
   *     that they are to send nobody
   * @param quietMilliseconds of silence after which a session with nothing open is closed; pools
   *     look at such a connection before they use it
   * @param patienceMilliseconds after which sessions that are never quiet are closed in a pause,
   *     and from the middle of the rest on at the end of a statement or transaction
   * @param idleTransactionMilliseconds of silence after which a transaction is rolled back
   * @param timeoutMilliseconds after which everyone is cut off, counted from the end of the lame
   *     duck's time
   */
  public record Ending(
      long lameDuckMilliseconds,
      long quietMilliseconds,
      long patienceMilliseconds,
      long idleTransactionMilliseconds,
      long timeoutMilliseconds) {

    /** What holds when {@code props} says nothing of it. */
    public static final Ending DEFAULTS = new Ending(0, 3000, 10_000, 10_000, 30_000);
  }

  /**
   * What is kept of statements that were run.
   *
   * @param digests normalised texts that are counted apart; 0: none are
   * @param slowMilliseconds a statement that takes as long is slow; below 0: none is
   * @param slowUsers the same for some users
   * @param slowDatabases the same for some logical databases
   * @param slowFile where slow statements are logged; empty: nowhere
   * @param slowForm how they are written there
   * @param slowPlans slow statements whose plans databases are asked for, in a minute; 0: none
   * @param auditFile where audited statements are logged; empty: nowhere
   * @param audited which statements are
   * @param showsLiterals false: both logs have {@code ?} in their place
   * @param logBytes of one file of a log
   * @param logFiles that are kept of each log
   * @param tellsOrigin whether texts for databases have a comment that says who has asked
   */
  public record Statistics(
      int digests,
      long slowMilliseconds,
      Map<String, Long> slowUsers,
      Map<String, Long> slowDatabases,
      String slowFile,
      LogForm slowForm,
      int slowPlans,
      String auditFile,
      Set<Audited> audited,
      boolean showsLiterals,
      long logBytes,
      int logFiles,
      boolean tellsOrigin) {

    /** What holds when {@code props} says nothing of it. */
    public static final Statistics DEFAULTS =
        new Statistics(
            10_000,
            1000,
            Map.of(),
            Map.of(),
            "",
            LogForm.JSON,
            0,
            "",
            EnumSet.of(Audited.WRITE, Audited.DEFINITION, Audited.ACCOUNT),
            false,
            100L << 20,
            5,
            false);

    public Statistics {
      slowUsers = Map.copyOf(slowUsers);
      slowDatabases = Map.copyOf(slowDatabases);
      audited = Set.copyOf(audited);
    }
  }

  /**
   * Where spans of statements are sent, by OTLP over HTTP.
   *
   * @param endpoint URL; empty: nowhere
   * @param authorization the header of that name; empty: none
   * @param serviceName what traces call the proxy
   * @param samplePercent of the statements that belong to no trace, 0 to 100
   */
  public record Tracing(
      String endpoint, String authorization, String serviceName, double samplePercent) {

    /** What holds when {@code props} says nothing of it. */
    public static final Tracing DEFAULTS = new Tracing("", "", "anabranch", 100);

    /** Without the authorization. */
    @Override
    public String toString() {
      return "Tracing[" + endpoint + " " + serviceName + " " + samplePercent + " %]";
    }
  }

  /** How a log of statements is written. */
  public enum LogForm {
    /** A line of JSON for each. */
    JSON,
    /** As MySQL writes its slow log. */
    TEXT
  }

  /** Groups of statements that an audit asks for. */
  public enum Audited {
    READ,
    WRITE,
    DEFINITION,
    ACCOUNT,
    TRANSACTION,
    OTHER,
    /** Statements of any group that fail. */
    FAILED
  }

  /**
   * The HTTP port for operators.
   *
   * @param port 0: none
   * @param address where it listens: a name or a number
   * @param token what requests must show that change anything, or ask for more than metrics and
   *     health; empty: none, and only this machine may
   */
  public record Admin(int port, String address, String token) {

    /** What holds when {@code props} says nothing of it. */
    public static final Admin DEFAULTS = new Admin(9307, "127.0.0.1", "");

    /** Without the token. */
    @Override
    public String toString() {
      return "Admin[" + address + " port " + port + "]";
    }
  }
}
