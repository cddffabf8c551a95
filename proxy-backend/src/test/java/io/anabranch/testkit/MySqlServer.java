package io.anabranch.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * One MySQL server process out of a directory into which Debian's packages were unpacked by {@code
 * .ci/mysql}, or that the system property {@code mysql.root} or the environment's {@code
 * MYSQL_ROOT} names. Where there is none, tests are skipped, and the run says so at its end. GTIDs
 * are on; the account is as {@link MariaDbServer}'s.
 */
public final class MySqlServer implements DatabaseServer {

  /** Why tests are skipped where no server is. */
  public static final String NONE =
      "no MySQL server: .ci/mysql unpacks one (or name a directory with -Dmysql.root=DIRECTORY)";

  private static final int START_SECONDS = 120;

  private final String name;
  private final Path root;
  private final Path directory;
  private final int port;
  private final List<String> options;
  private final Thread endAtExit;
  private final Process process;

  private MySqlServer(String name, Path root, Path directory, List<String> options) {
    this.name = name;
    this.root = root;
    this.directory = directory;
    this.options = options;
    this.port = FreePorts.one();
    this.process = launch();
    this.endAtExit = new Thread(() -> process.destroyForcibly(), "end-" + name);
    Runtime.getRuntime().addShutdownHook(endAtExit);
  }

  /** Whether there is a server to start. */
  public static boolean isInstalled() {
    return Files.isRegularFile(root().resolve("usr/sbin/mysqld"));
  }

  /** Skips the test, with how to get one, where there is no server to start. */
  public static void assumeInstalled() {
    assumeTrue(isInstalled(), NONE);
  }

  private static Path root() {
    String named = System.getenv().getOrDefault("MYSQL_ROOT", cached().toString());
    return Path.of(System.getProperty("mysql.root", named)).toAbsolutePath();
  }

  /** Where {@code .ci/mysql} unpacks one. */
  private static Path cached() {
    String home = System.getProperty("user.home");
    String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", home + "/.cache");
    return Path.of(cache, "anabranch", "mysql");
  }

  /**
   * Starts an empty server and waits until it answers. Where there is none, the test that asks is
   * skipped, and the run says so at its end.
   *
   * @param options further command-line options of {@code mysqld}
   */
  public static MySqlServer start(String name, String... options) {
    assumeInstalled();
    Path root = root();
    Path data = Path.of(System.getProperty("mariadb.directory", "target/mariadb")).toAbsolutePath();
    Path directory = data.resolve(name + "-" + ProcessHandle.current().pid());
    try {
      DataDirectory.delete(directory);
      Files.createDirectories(directory);
      Path program = root.resolve("usr/sbin/mysqld");
      int version = Objects.hash(program, Files.size(program), Files.getLastModifiedTime(program));
      String kind = "template-mysql-" + Integer.toHexString(version);
      Path template =
          DataDirectory.template(data, kind, (made, log) -> initialize(root, made, log));
      DataDirectory.copy(template, directory.resolve("data"));
      // each has a UUID of its own, which it makes when it starts
      Files.delete(directory.resolve("data").resolve("auto.cnf"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var server = new MySqlServer(name, root, directory, List.of(options));
    try {
      server.awaitReady();
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private static void initialize(Path root, Path data, Path log) throws IOException {
    List<String> command = program(root, data);
    command.add("--initialize-insecure");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException("mysqld --initialize:\n" + Files.readString(log));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while mysqld made its data", e);
    }
  }

  /** With the libraries that it came with, whatever those of this system are. */
  private static List<String> program(Path root, Path data) {
    return new ArrayList<>(
        List.of(
            root.resolve("lib64/ld-linux-x86-64.so.2").toString(),
            "--library-path",
            root.resolve("usr/lib/x86_64-linux-gnu") + ":" + root.resolve("usr/lib/mysql/private"),
            root.resolve("usr/sbin/mysqld").toString(),
            "--no-defaults",
            "--user=" + System.getProperty("user.name"),
            "--datadir=" + data,
            "--lc-messages-dir=" + root.resolve("usr/share/mysql"),
            "--character-sets-dir=" + root.resolve("usr/share/mysql/charsets"),
            "--plugin-dir=" + root.resolve("usr/lib/mysql/plugin"),
            "--secure-file-priv=NULL",
            "--innodb-redo-log-capacity=16M",
            "--innodb-buffer-pool-size=32M"));
  }

  private Process launch() {
    List<String> command = program(root, directory.resolve("data"));
    command.addAll(
        List.of(
            "--socket=server.sock",
            "--pid-file=" + directory.resolve("server.pid"),
            "--init-file=" + writeAccount(),
            "--bind-address=127.0.0.1",
            "--mysqlx=OFF",
            "--port=" + port,
            "--server-id=" + port,
            "--report-host=127.0.0.1",
            "--gtid-mode=ON",
            "--enforce-gtid-consistency=ON",
            "--log-bin=binlog",
            "--innodb-flush-log-at-trx-commit=2",
            "--sync-binlog=0"));
    command.addAll(options);
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(log().toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path writeAccount() {
    String sql =
        """
        SET sql_log_bin=0;
        CREATE USER IF NOT EXISTS '%1$s'@'%%' IDENTIFIED BY '%2$s';
        GRANT ALL PRIVILEGES ON *.* TO '%1$s'@'%%' WITH GRANT OPTION;
        """
            .formatted(MariaDbServer.USER, MariaDbServer.PASSWORD);
    try {
      return Files.writeString(directory.resolve("account.sql"), sql);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public int port() {
    return port;
  }

  /** JDBC URL as configuration files have it. */
  @Override
  public String url(String database) {
    return "jdbc:mysql://127.0.0.1:"
        + port
        + "/"
        + database
        + "?useSSL=false&allowPublicKeyRetrieval=true";
  }

  /** As an entry of {@code dataSources}, for the account proxy. */
  public String dataSource(String source, String database) {
    return "  %s: { url: \"%s\", username: proxy, password: proxy, connectionTimeoutMilliseconds: 15000 }\n"
        .formatted(source, url(database));
  }

  /** A connection of the MariaDB driver; an empty {@code database} selects none. */
  @Override
  public Connection connect(String database) throws SQLException {
    var properties = new Properties();
    properties.setProperty("user", MariaDbServer.USER);
    properties.setProperty("password", MariaDbServer.PASSWORD);
    properties.setProperty("allowPublicKeyRetrieval", "true");
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
      throw new IllegalStateException(
          name + ": " + Arrays.toString(statements) + ": " + e.getMessage(), e);
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

  /** Makes this server a read-only replica of another one, by GTID. */
  public void follow(MySqlServer primary) {
    execute(
        "SET GLOBAL super_read_only = ON",
        ("CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=%d, SOURCE_USER='%s',"
                + " SOURCE_PASSWORD='%s', SOURCE_AUTO_POSITION=1, GET_SOURCE_PUBLIC_KEY=1,"
                + " SOURCE_CONNECT_RETRY=1")
            .formatted(primary.port, MariaDbServer.USER, MariaDbServer.PASSWORD),
        "START REPLICA");
  }

  /** Makes this replica the primary, as a tool for failover does: no source, and writable. */
  public void promote() {
    execute(
        "STOP REPLICA",
        "RESET REPLICA ALL",
        "SET GLOBAL super_read_only = OFF",
        "SET GLOBAL read_only = OFF");
  }

  /** Waits until {@code replica} has applied all that was committed here so far. */
  public void awaitReplica(MySqlServer replica) {
    String executed = queryOne("SELECT @@global.gtid_executed").replace("\n", "");
    String outcome = replica.queryOne("SELECT WAIT_FOR_EXECUTED_GTID_SET('" + executed + "', 60)");
    if (!outcome.equals("0")) {
      throw new IllegalStateException(replica.name + " did not reach " + executed);
    }
  }

  /** Ends the process the hard way. */
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + name + " ended", e);
    }
  }

  @Override
  public void close() {
    kill();
    Runtime.getRuntime().removeShutdownHook(endAtExit);
    DataDirectory.delete(directory);
  }

  private Path log() {
    return directory.resolve("server.log");
  }

  private void awaitReady() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    SQLException last = null;
    try {
      while (System.nanoTime() < deadline) {
        if (process.waitFor(100, TimeUnit.MILLISECONDS)) {
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
      throw new IllegalStateException(name + " did not answer in " + START_SECONDS + " s", last);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + name + " started", e);
    }
  }
}
