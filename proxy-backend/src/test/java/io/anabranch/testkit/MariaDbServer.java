package io.anabranch.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * One MariaDB server process with its own data directory and port. Close it to end the process and
 * delete its data. Not thread-safe; what {@link #url} names may be used from anywhere.
 *
 * <p>Accounts: {@value #USER} with password {@value #PASSWORD} and all rights. Character set
 * utf8mb4, binary log with GTIDs, no name resolution.
 */
public final class MariaDbServer implements DatabaseServer {

  /** Account with all rights. */
  public static final String USER = "test";

  /** Password of {@link #USER}. */
  public static final String PASSWORD = "test";

  private static final int START_SECONDS = 60;
  private static final int STOP_SECONDS = 30;

  private final String name;
  private final MariaDbBinaries binaries;
  private final Path directory;
  private final int port;
  private final List<String> options;
  private final Thread endAtExit;
  private Process process;

  private MariaDbServer(
      String name, MariaDbBinaries binaries, Path directory, List<String> options) {
    this.name = name;
    this.binaries = binaries;
    this.directory = directory;
    this.options = options;
    this.port = FreePorts.one();
    this.process = launch();
    this.endAtExit = new Thread(() -> process.destroyForcibly(), "end-" + name);
    Runtime.getRuntime().addShutdownHook(endAtExit);
  }

  /** Whether this machine has a server program. */
  public static boolean isAvailable() {
    return MariaDbBinaries.search().isPresent();
  }

  /**
   * Starts an empty server and waits until it answers.
   *
   * @param name for messages and the directory, unique among the running ones
   * @param options further command-line options of {@code mariadbd}
   * @throws IllegalStateException if there is no server program or it does not start
   */
  public static MariaDbServer start(String name, String... options) {
    return start(name, Map.of(), options);
  }

  /**
   * The same with files in its data directory.
   *
   * @param files contents by name
   * @param options in which {@code {port}} is the server's port
   */
  public static MariaDbServer start(String name, Map<String, String> files, String... options) {
    MariaDbBinaries binaries = MariaDbBinaries.find();
    Path root = Path.of(System.getProperty("mariadb.directory", "target/mariadb")).toAbsolutePath();
    Path directory = root.resolve(name + "-" + ProcessHandle.current().pid());
    DataDirectory.copy(DataDirectory.template(binaries, root), directory.resolve("data"));
    files.forEach((file, text) -> write(directory.resolve("data").resolve(file), text));
    var server = new MariaDbServer(name, binaries, directory, List.of(options));
    try {
      server.awaitReady();
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /**
   * Starts a read-only asynchronous GTID replica of this server, which applies all that was ever
   * written here: for servers of one test class.
   */
  public MariaDbServer startReplica(String replicaName) {
    MariaDbServer replica = start(replicaName, "--read-only=ON");
    replica.execute(
        "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=%d, MASTER_USER='%s',"
                .formatted(port, USER)
            + " MASTER_PASSWORD='%s', MASTER_USE_GTID=slave_pos, MASTER_CONNECT_RETRY=1"
                .formatted(PASSWORD),
        "START SLAVE");
    awaitReplica(replica);
    return replica;
  }

  /** Waits until {@code replica} has applied all that was committed here so far. */
  public void awaitReplica(MariaDbServer replica) {
    String position = queryOne("SELECT @@gtid_binlog_pos");
    String outcome = replica.queryOne("SELECT MASTER_GTID_WAIT('" + position + "', 60)");
    if (!"0".equals(outcome)) {
      throw new IllegalStateException(
          replica.name
              + " did not reach "
              + position
              + ": "
              + replica.queryOne("SELECT @@gtid_slave_pos"));
    }
  }

  public String name() {
    return name;
  }

  @Override
  public int port() {
    return port;
  }

  /** JDBC URL as configuration files have it; an empty {@code database} names none. */
  @Override
  public String url(String database) {
    return "jdbc:mysql://127.0.0.1:" + port + "/" + database;
  }

  /** A connection of the MariaDB driver; an empty {@code database} selects none. */
  @Override
  public Connection connect(String database) throws SQLException {
    var properties = new Properties();
    properties.setProperty("user", USER);
    properties.setProperty("password", PASSWORD);
    properties.setProperty("allowMultiQueries", "true");
    return DriverManager.getConnection(
        "jdbc:mariadb://127.0.0.1:" + port + "/" + database, properties);
  }

  /** Runs statements one after the other on one connection without a database. */
  @Override
  public void execute(String... statements) {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(name + ": " + e.getMessage(), e);
    }
  }

  /** The first column of the first row as text; "null" for NULL. */
  @Override
  public String queryOne(String sql) {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      if (!rows.next()) {
        throw new IllegalStateException(name + ": no row from " + sql);
      }
      return String.valueOf(rows.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(name + ": " + e.getMessage(), e);
    }
  }

  /** Ends the process the hard way; {@link #startAgain} brings it back with its data. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Ends the process in good order; {@link #startAgain} brings it back with its data. */
  public void stop() {
    process.destroy();
    awaitEnd();
  }

  /** Stops the process where it stands: its connections stay open and nobody answers any more. */
  public void pause() {
    Suspension.stop(process);
  }

  /** Lets a paused process go on. */
  public void goOn() {
    Suspension.goOn(process);
  }

  /** Makes this replica the primary, as a tool for failover does: no source, and writable. */
  public void promote() {
    execute("STOP SLAVE", "RESET SLAVE ALL", "SET GLOBAL read_only = OFF");
  }

  /** Makes this server a read-only replica of another one. */
  public void follow(MariaDbServer primary) {
    execute(
        "SET GLOBAL read_only = ON",
        "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=%d, MASTER_USER='%s',"
                .formatted(primary.port, USER)
            + " MASTER_PASSWORD='%s', MASTER_USE_GTID=current_pos, MASTER_CONNECT_RETRY=1"
                .formatted(PASSWORD),
        "START SLAVE");
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  /** Starts the process again on the same port and data. */
  public void startAgain() {
    if (process.isAlive()) {
      throw new IllegalStateException(name + " runs");
    }
    process = launch();
    awaitReady();
  }

  @Override
  public void close() {
    // The data goes with it: no need for an orderly end.
    kill();
    Runtime.getRuntime().removeShutdownHook(endAtExit);
    DataDirectory.delete(directory);
  }

  private Process launch() {
    var command = new ArrayList<String>();
    command.add(binaries.server().toString());
    command.add("--no-defaults");
    binaries.base().ifPresent(base -> command.add("--basedir=" + base));
    if (DataDirectory.isRoot()) {
      command.add("--user=root");
    }
    Path data = directory.resolve("data");
    command.addAll(
        List.of(
            "--datadir=" + data,
            // Relative to the data directory: a socket's path must be short, a checkout may be
            // deep.
            "--socket=server.sock",
            "--pid-file=" + data.resolve("server.pid"),
            "--init-file=" + writeAccounts(),
            "--bind-address=127.0.0.1",
            "--port=" + port,
            "--server-id=" + port,
            "--skip-name-resolve",
            "--character-set-server=utf8mb4",
            "--collation-server=utf8mb4_general_ci",
            "--log-bin=binlog",
            "--binlog-format=ROW",
            "--log-slave-updates=ON",
            "--gtid-strict-mode=ON",
            "--innodb-buffer-pool-size=24M",
            "--innodb-log-file-size=8M",
            "--innodb-flush-log-at-trx-commit=2",
            "--innodb-doublewrite=0",
            "--sync-binlog=0",
            "--key-buffer-size=1M",
            "--max-connections=500",
            "--max-allowed-packet=64M",
            "--performance-schema=OFF",
            "--innodb-lock-wait-timeout=5"));
    options.forEach(option -> command.add(option.replace("{port}", Integer.toString(port))));
    try {
      ProcessBuilder server =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
      DataDirectory.ownTemporaryFiles(server, directory.resolve("tmp"));
      return server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path writeAccounts() {
    Path file = directory.resolve("accounts.sql");
    String sql =
        """
        SET sql_log_bin=0;
        CREATE USER IF NOT EXISTS '%1$s'@'%%' IDENTIFIED BY '%2$s';
        GRANT ALL PRIVILEGES ON *.* TO '%1$s'@'%%' WITH GRANT OPTION;
        """
            .formatted(USER, PASSWORD);
    return write(file, sql);
  }

  private static Path write(Path file, String text) {
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path log() {
    return directory.resolve("server.log");
  }

  private void awaitReady() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    SQLException last = null;
    try {
      while (System.nanoTime() < deadline) {
        if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
          throw new IllegalStateException(name + " ended at start:\n" + Files.readString(log()));
        }
        try (Connection connection = connect("")) {
          if (connection.isValid(1)) {
            return;
          }
        } catch (SQLException e) {
          last = e;
        }
      }
      throw new IllegalStateException(
          name + " did not answer in " + START_SECONDS + " s:\n" + Files.readString(log()), last);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + name + " started", e);
    }
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(name + " did not end in " + STOP_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + name + " ended", e);
    }
  }
}
