package io.anabranch.app.installation;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.FreePorts;
import io.anabranch.testkit.MariaDbServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The build's last step: starts the proxy from the tarball, sends it statements of many kinds
 * ({@code training.sql}) and puts the cache of classes and profiles that Java makes of such a run
 * into the tarball. Where there is no database for the statements, {@code train.sh} trains the
 * start alone.
 */
final class TarballTraining {

  private static final int ROUNDS = 50;
  private static final int POINT_SELECTS = 300;
  private static final int SECONDS = 120;

  private final Path home;
  private final Path work;

  private TarballTraining(Path home, Path work) {
    this.home = home;
    this.work = work;
  }

  /**
   * @param arguments the tarball, and a directory for temporary files
   */
  public static void main(String[] arguments)
      throws IOException, InterruptedException, SQLException {
    Path tarball = Path.of(arguments[0]).toAbsolutePath();
    String name = tarball.getFileName().toString().replaceFirst("\\.tar\\.gz$", "");
    Path work = Path.of(arguments[1]).toAbsolutePath();
    delete(work);
    Files.createDirectories(work);
    new TarballTraining(work.resolve(name), work).train(tarball);
    delete(work);
  }

  private void train(Path tarball) throws IOException, InterruptedException, SQLException {
    run("tar", "-xzf", tarball.toString(), "-C", work.toString());
    if (MariaDbServer.isAvailable()) {
      try (MariaDbServer server = MariaDbServer.start("training")) {
        train(server);
      }
    } else {
      run(home.resolve("bin/train.sh").toString());
    }
    Path trained = work.resolve("trained.tar.gz");
    run(
        "tar",
        "-czf",
        trained.toString(),
        "-C",
        work.toString(),
        String.valueOf(home.getFileName()));
    Files.move(trained, tarball, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private void train(MariaDbServer server) throws IOException, InterruptedException, SQLException {
    server.execute("CREATE DATABASE training_0", "CREATE DATABASE training_1");
    int port = FreePorts.one();
    Path cache = work.resolve("anabranch.aot");
    var builder =
        new ProcessBuilder(
            home.resolve("bin/start.sh").toString(),
            "--foreground",
            "-p",
            Integer.toString(port),
            "-c",
            configuration(server).toString());
    builder.environment().put("ANABRANCH_TRAIN", cache.toString());
    builder.environment().put("ANABRANCH_LOG_DIR", work.resolve("logs").toString());
    Process proxy = launch(builder);
    try {
      awaitReady(proxy, port);
      converse(port);
    } finally {
      proxy.destroy();
    }
    if (!proxy.waitFor(SECONDS, TimeUnit.SECONDS) || !Files.exists(cache)) {
      proxy.destroyForcibly();
      throw new IllegalStateException("no cache was made:\n" + output());
    }
    Files.move(cache, home.resolve("lib/anabranch.aot"), StandardCopyOption.REPLACE_EXISTING);
  }

  /** One pass-through and one sharded database, with the options that the tarball starts with. */
  private Path configuration(MariaDbServer server) throws IOException {
    Path directory = Files.createDirectories(work.resolve("conf"));
    Files.writeString(
        directory.resolve("global.yaml"),
        """
        authority:
          users: [ { user: "%s@%%", password: %s, admin: true } ]
        props: { proxy-admin-port: 0 }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD));
    Files.writeString(
        directory.resolve("database-training_0.yaml"),
        RunningProxy.passThrough("training_0", server));
    Files.writeString(
        directory.resolve("database-sharded.yaml"),
        "databaseName: sharded\ndataSources:\n"
            + RunningProxy.source("ds_0", server, "training_0")
            + RunningProxy.source("ds_1", server, "training_1")
            + """
            rules:
            - !SHARDING
              tables:
                t:
                  actualDataNodes: ds_${0..1}.t_${0..1}
                  databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_database } }
                  tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_table } }
              shardingAlgorithms:
                by_database: { type: INLINE, props: { algorithm-expression: "ds_${id % 2}", allow-range-query-with-inline-sharding: true } }
                by_table: { type: INLINE, props: { algorithm-expression: "t_${id.intdiv(2) % 2}", allow-range-query-with-inline-sharding: true } }
            - !BROADCAST
              tables: [ b ]
            """);
    return directory;
  }

  private void awaitReady(Process proxy, int port) {
    Eventually.holds(
        "the proxy takes connections",
        () -> {
          if (!proxy.isAlive()) {
            throw new IllegalStateException("the proxy did not start:\n" + output());
          }
          try (Connection connection = connect(port)) {
            return connection.isValid(5);
          } catch (SQLException notYet) {
            return false;
          }
        });
  }

  private static Connection connect(int port, String... options) throws SQLException {
    return Driver.MARIADB.connect(
        port, "sharded", RunningProxy.USER, RunningProxy.PASSWORD, options);
  }

  private static void converse(int port) throws IOException, SQLException {
    List<String> statements = statements();
    try (Connection text = connect(port);
        Connection prepared = connect(port, "useServerPrepStmts=true");
        Statement statement = text.createStatement()) {
      for (int round = 0; round < ROUNDS; round++) {
        for (String each : statements) {
          statement.execute(each);
        }
      }
      for (Connection each : List.of(text, prepared)) {
        try (PreparedStatement point = each.prepareStatement("SELECT v FROM t WHERE id = ?")) {
          for (int id = 0; id < POINT_SELECTS; id++) {
            point.setInt(1, id);
            point.executeQuery().close();
          }
        }
      }
    }
  }

  private static List<String> statements() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(TarballTraining.class.getResourceAsStream("/training.sql"))) {
      return Stream.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split(";\\s*", -1))
          .filter(each -> !each.isBlank())
          .toList();
    }
  }

  private void run(String... command) throws IOException, InterruptedException {
    Process process = launch(new ProcessBuilder(command));
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(String.join(" ", command) + " failed:\n" + output());
    }
  }

  private Process launch(ProcessBuilder builder) throws IOException {
    // On the Java that this runs on, whatever the PATH says.
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder
        .redirectErrorStream(true)
        .redirectOutput(work.resolve("output").toFile())
        .start();
  }

  private String output() {
    try {
      return Files.readString(work.resolve("output"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
