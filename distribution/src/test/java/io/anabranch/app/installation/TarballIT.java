package io.anabranch.app.installation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.FreePorts;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The tarball unpacks to a proxy that its scripts start and stop, in a path with blanks. */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class TarballIT {

  @TempDir private static Path directory;
  private static Path home;

  @BeforeAll
  static void unpack() throws IOException, InterruptedException {
    Path tarball;
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      tarball = files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
    }
    Path place = Files.createDirectory(directory.resolve("a place with blanks"));
    Outcome unpacked =
        run(List.of("tar", "-xzf", tarball.toAbsolutePath().toString(), "-C", place.toString()));
    assertThat(unpacked.exitCode).as(unpacked.text).isZero();
    try (Stream<Path> files = Files.list(place)) {
      home = files.findFirst().orElseThrow();
    }
  }

  @AfterEach
  void stop() throws IOException, InterruptedException {
    Outcome stopped = script("stop.sh");
    assertThat(stopped.exitCode).as(stopped.text).isZero();
  }

  @Test
  void holdsWhatOperatorsLookFor() throws IOException {
    assertThat(home.getFileName().toString()).startsWith("anabranch-");
    for (String entry :
        List.of(
            "bin/start.sh",
            "bin/stop.sh",
            "bin/status.sh",
            "bin/train.sh",
            "bin/tune.sh",
            "bin/machine.sh",
            "bin/jfr.sh",
            "bin/anabranch",
            "lib/defaults/jvm.options",
            "lib/defaults/logback.xml",
            "docs/operations.md",
            "demo/rules.yaml",
            "README.md",
            "lib",
            "lib/anabranch.aot",
            "ext-lib",
            "lib-spi/anabranch-spi-0.1.0.jar",
            "lib-spi/anabranch-spi-0.1.0-sources.jar",
            "examples/plug-in/pom.xml",
            "plug-ins/ldap/account-ldap-0.1.0.jar",
            "conf/global.yaml",
            "conf/jvm.options",
            "conf/logback.xml",
            "logs",
            "LICENSE",
            "THIRD-PARTY.md",
            "licenses/LGPL-2.1.txt")) {
      assertThat(home.resolve(entry)).exists();
    }
    String notices = Files.readString(home.resolve("THIRD-PARTY.md"));
    try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
      List<String> foreign =
          jars.map(jar -> jar.getFileName().toString())
              .filter(name -> name.endsWith(".jar"))
              .filter(
                  name ->
                      !name.matches(
                          "(mysql-protocol|rules-engine|proxy-backend|proxy-frontend|distribution)-.*"))
              .filter(
                  name ->
                      !notices.contains("| `" + name.replaceFirst("-\\d.*", "-*`"))
                          && Stream.of(
                                  "netty",
                                  "micrometer",
                                  "opentelemetry",
                                  "prometheus-metrics",
                                  "logback")
                              .noneMatch(prefix -> name.startsWith(prefix + "-")))
              .toList();
      assertThat(foreign).as("jars without a notice").isEmpty();
    }
  }

  @Test
  void aChecksumIsBesideTheTarball() throws IOException, NoSuchAlgorithmException {
    Path tarball;
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      tarball = files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
    }
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(tarball));
    assertThat(tarball.resolveSibling(tarball.getFileName() + ".sha256"))
        .content()
        .isEqualToIgnoringNewLines(HexFormat.of().formatHex(digest) + "  " + tarball.getFileName());
  }

  @Test
  void startsAnswersAndStops(MariaDbServers servers)
      throws IOException, InterruptedException, SQLException {
    MariaDbServer server = servers.primaryA();
    server.execute("CREATE DATABASE IF NOT EXISTS it_tarball");
    int port = FreePorts.one();
    Path conf =
        configuration(
            "good conf",
            "databaseName: app\ndataSources:\n"
                + RunningProxy.source("ds_0", server, "it_tarball")
                + "rules: []\n");
    Outcome before = script("status.sh");
    assertThat(before.exitCode).as(before.text).isEqualTo(3);

    Path dump = Files.createFile(home.resolve("logs/heap.hprof"));
    Outcome started = script("start.sh", "-p", Integer.toString(port), "-c", conf.toString());
    assertThat(started.exitCode).as(started.text).isZero();
    assertThat(started.text)
        .contains(dump + " is of one that had no memory left")
        .contains("listens on 127.0.0.1 port " + port);
    assertThat(Files.readString(Path.of("/proc", pid(), "cmdline")))
        .contains("-XX:HeapDumpPath=" + dump);
    Files.delete(dump);
    try (Connection connection = Driver.MARIADB.connect(port, "app", "app", "s3cret")) {
      assertThat(Transcript.of(connection, "SELECT 1 AS one").rows()).containsExactly("Integer 1|");
    }
    assertThat(script("status.sh").exitCode).isZero();
    Outcome again = script("start.sh", "-p", Integer.toString(port), "-c", conf.toString());
    assertThat(again.exitCode).isZero();
    assertThat(again.text).contains("runs already");

    Outcome stopped = script("stop.sh");
    assertThat(stopped.exitCode).as(stopped.text).isZero();
    assertThat(script("status.sh").exitCode).isEqualTo(3);
    assertThat(Files.readString(home.resolve("logs/anabranch.log")))
        .contains("listens on")
        .contains("ended")
        .doesNotContain("s3cret");
  }

  /** The shell's limit on the size of files stands for a disk that is full: EFBIG for ENOSPC. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskTakesNothingButLinesOfTheLog(MariaDbServers servers)
      throws IOException, InterruptedException, SQLException {
    Path log = home.resolve("logs/anabranch.log");
    Files.writeString(log, ("x".repeat(1023) + '\n').repeat(64));
    int port = FreePorts.one();
    Path conf = passThrough(servers);
    Outcome started =
        run(
            List.of(
                "bash",
                "-c",
                "ulimit -f 64; exec \"$@\"",
                "bash",
                home.resolve("bin/start.sh").toString(),
                "-p",
                Integer.toString(port),
                "-c",
                conf.toString()));
    assertThat(started.exitCode).as(started.text).isZero();
    try (Connection connection = Driver.MARIADB.connect(port, "app", "app", "s3cret")) {
      assertThat(Transcript.of(connection, "RELOAD CONFIGURATION").isError()).isFalse();
      assertThat(Transcript.of(connection, "SELECT 1 AS one").rows()).containsExactly("Integer 1|");
      assertThat(Files.size(log)).as("nothing fits").isEqualTo(64 * 1024);

      try (var file = FileChannel.open(log, StandardOpenOption.WRITE)) {
        file.truncate(0);
      }
      Eventually.holds(
          "the log goes on when there is room",
          () -> {
            change(conf.resolve("global.yaml"));
            Transcript.of(connection, "RELOAD CONFIGURATION");
            return holds(log, "is in force");
          });
    }
    assertThat(script("status.sh").exitCode).isZero();
  }

  @Test
  void commandsWorkWithTheRunningProxy(MariaDbServers servers)
      throws IOException, InterruptedException {
    Path conf = passThrough(servers);
    int admin = FreePorts.one();
    Path global = conf.resolve("global.yaml");
    Files.writeString(
        global,
        Files.readString(global)
            .replace("port: 0", "port: " + admin + "\n  proxy-admin-token: a-token-of-the-test"));
    Outcome checked = script("anabranch", "check", conf.toString());
    assertThat(checked.exitCode).as(checked.text).isZero();
    int port = FreePorts.one();
    // as ShardingSphere-Proxy is started
    Outcome started = script("start.sh", Integer.toString(port), conf.toString(), "127.0.0.1");
    assertThat(started.exitCode).as(started.text).isZero();

    Outcome status = script("anabranch", "status", "-c", conf.toString());
    assertThat(status.text).contains("up: version ", "port " + port, "configuration 1", "app.ds_0");
    assertThat(status.exitCode).isZero();
    Outcome rows = script("anabranch", "sql", "-c", conf.toString(), "-D", "app", "SELECT 7 AS n");
    assertThat(rows.text).contains("| n |", "| 7 |", "1 row(s)");

    Path database = conf.resolve("database-app.yaml");
    String before = Files.readString(database);
    Files.writeString(database, before.replace("rules: []", "rules: [ 1"));
    Outcome refused = script("anabranch", "reload", "-c", conf.toString());
    assertThat(refused.exitCode).as(refused.text).isEqualTo(78);
    Files.writeString(database, before.replace("maxPoolSize: 10", "maxPoolSize: 7"));
    assertThat(script("anabranch", "diff", "-c", conf.toString()).text)
        .isEqualTo("database app: dataSources.ds_0.maxPoolSize: 10 -> 7\n");
    assertThat(script("anabranch", "reload", "-c", conf.toString()).text).contains("maxPoolSize");
    Outcome drained = script("anabranch", "drain", "-c", conf.toString(), "--wait", "10");
    assertThat(drained.text).isEqualTo("draining, 0 client(s) connected\n");
    assertThat(script("anabranch", "status", "-c", conf.toString()).exitCode).isEqualTo(1);
    assertThat(script("anabranch", "undrain", "-c", conf.toString()).text)
        .isEqualTo("takes clients, 0 client(s) connected\n");
    assertThat(script("anabranch", "status", "-c", conf.toString()).exitCode).isZero();
  }

  @Test
  void aFlightRecordingSaysWhereTheTimeGoes(MariaDbServers servers)
      throws IOException, InterruptedException {
    assertThat(script("jfr.sh").exitCode).isEqualTo(3);
    start(passThrough(servers));
    Path file = directory.resolve("flight.jfr");
    Outcome recorded =
        script("jfr.sh", "--seconds", "2", "--lines", "5", "--file", file.toString());
    assertThat(recorded.exitCode).as(recorded.text).isZero();
    assertThat(recorded.text)
        .contains("for 2 s", "Allocation by Class", "CPU Load", "the recording is " + file);
    assertThat(script("jfr.sh", "--show", file.toString()).text).contains("Allocation by Class");
    assertThat(script("status.sh").exitCode).isZero();
  }

  @Test
  void anotherOneIsNotStartedInItsPlace(MariaDbServers servers)
      throws IOException, InterruptedException {
    Path conf = passThrough(servers);
    start(conf);
    int other = FreePorts.one();
    Outcome refused = script("start.sh", "-p", Integer.toString(other));
    assertThat(refused.exitCode).as(refused.text).isEqualTo(1);
    assertThat(refused.text).contains("another one runs", "not started with port " + other);
    assertThat(script("start.sh", "-c", conf.toString()).text).contains("runs already");
  }

  @Test
  void openTransactionsDoNotHoldAForcedStop(MariaDbServers servers)
      throws IOException, InterruptedException, SQLException {
    Path conf = passThrough(servers);
    int port = FreePorts.one();
    Outcome started = script("start.sh", "-p", Integer.toString(port), "-c", conf.toString());
    assertThat(started.exitCode).as(started.text).isZero();
    try (Connection connection = Driver.MARIADB.connect(port, "app", "app", "s3cret")) {
      connection.setAutoCommit(false);
      Transcript.of(connection, "SELECT COUNT(*) AS n FROM user");
      Outcome stopped = script("stop.sh", "--force");
      assertThat(stopped.exitCode).as(stopped.text).isZero();
      assertThat(stopped.text).isEqualTo("anabranch: stopped\n");
    }
    assertThat(Files.readString(home.resolve("logs/anabranch.log")))
        .contains("cut off at once: 1 client(s)");
  }

  @Test
  void whatIsSupervisedComesBackUntilItIsStopped(MariaDbServers servers)
      throws IOException, InterruptedException, SQLException {
    int port = FreePorts.one();
    Path conf = passThrough(servers);
    String[] arguments = {"--supervised", "-p", Integer.toString(port), "-c", conf.toString()};
    Outcome started = script("start.sh", arguments);
    assertThat(started.exitCode).as(started.text).isZero();
    String killed = pid();
    Eventually.holds("somebody watches it", () -> supervisors().size() == 1);

    assertThat(run(List.of("kill", "-9", killed)).exitCode).isZero();
    Eventually.holds("another process answers", () -> !pid().equals(killed) && answers(port));
    assertThat(console()).contains("pid " + killed + " has ended, started again");
    assertThat(script("start.sh", arguments).text).contains("runs already: pid " + pid());
    Eventually.holds("a second start adds no supervisor", () -> supervisors().size() == 1);

    assertThat(script("stop.sh").text).isEqualTo("anabranch: stopped\n");
    Eventually.holds("nobody starts it again", () -> supervisors().isEmpty());
    assertThat(script("status.sh").exitCode).isEqualTo(3);
  }

  /** Where it has ended and is not there again, too. */
  @Test
  void aStopEndsTheSupervisorOfWhatHasEnded(MariaDbServers servers)
      throws IOException, InterruptedException {
    Path conf = passThrough(servers);
    Outcome started =
        script(
            "start.sh",
            "--supervised",
            "-p",
            Integer.toString(FreePorts.one()),
            "-c",
            conf.toString());
    assertThat(started.exitCode).as(started.text).isZero();
    // what it starts again ends at once
    Files.writeString(conf.resolve("global.yaml"), "authority: [\n");
    assertThat(run(List.of("kill", "-9", pid())).exitCode).isZero();
    Eventually.holds("a start fails", () -> holds(home.resolve("logs/console.log"), "global.yaml"));
    script("stop.sh");
    Eventually.holds("nobody starts it again", () -> supervisors().isEmpty());
    assertThat(script("status.sh").exitCode).isEqualTo(3);
  }

  /** A shell that one forks for a moment has its command line, and is among them. */
  private static List<ProcessHandle> supervisors() {
    String script = home.resolve("bin/start.sh").toString();
    return ProcessHandle.allProcesses()
        .filter(each -> each.info().commandLine().orElse("").contains(script))
        .toList();
  }

  private static boolean answers(int port) {
    try (Connection connection = Driver.MARIADB.connect(port, "app", "app", "s3cret")) {
      return !Transcript.of(connection, "SELECT 1 AS one").isError();
    } catch (SQLException e) {
      return false;
    }
  }

  private static String pid() {
    try {
      return Files.readString(home.resolve("logs/anabranch.pid")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Another directory lies over conf/, as a container's volume does. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void optionsAndLoggingHaveDefaultsBesideConf(MariaDbServers servers)
      throws IOException, InterruptedException {
    Path conf = passThrough(servers);
    Path hidden = home.resolveSibling("hidden-conf");
    Files.move(home.resolve("conf"), hidden);
    try {
      start(conf);
      assertThat(Files.readString(Path.of("/proc", pid(), "cmdline")))
          .contains("-XX:MaxDirectMemorySize=", "lib/defaults/logback.xml");
      assertThat(console()).isEmpty();
    } finally {
      Files.move(hidden, home.resolve("conf"));
    }
  }

  /** start.sh does not keep the signal away. */
  @Test
  void theHangUpSignalReloads(MariaDbServers servers) throws IOException, InterruptedException {
    Path conf = passThrough(servers);
    start(conf);
    assertThat(run(List.of("kill", "-HUP", pid())).exitCode).isZero();
    Eventually.holds("the signal is heard", () -> logHas("SIGHUP: the configuration is as it was"));
  }

  private static boolean logHas(String line) {
    try {
      return Files.readString(home.resolve("logs/anabranch.log")).contains(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void ofTwoStartsAtOnceOneWaits(MariaDbServers servers) throws Exception {
    Path conf = passThrough(servers);
    String port = Integer.toString(FreePorts.one());
    try (var starters = Executors.newFixedThreadPool(2)) {
      Callable<Outcome> start = () -> script("start.sh", "-p", port, "-c", conf.toString());
      var said = new ArrayList<Outcome>();
      for (Future<Outcome> each : starters.invokeAll(List.of(start, start))) {
        said.add(each.get());
      }
      assertThat(said).allSatisfy(each -> assertThat(each.exitCode).as(each.text).isZero());
      assertThat(said).filteredOn(each -> each.text.contains("runs already")).hasSize(1);
    }
    assertThat(script("status.sh").exitCode).isZero();
    assertThat(script("stop.sh").text).contains("stopped");
  }

  @Test
  void saysAllThatIsWrongWithTheConfiguration() throws IOException, InterruptedException {
    Path conf =
        configuration("bad conf", "databaseName: app\ndataSource:\n  ds_0: {}\nrules: []\n");
    Outcome started =
        script("start.sh", "-p", Integer.toString(FreePorts.one()), "-c", conf.toString());
    assertThat(started.exitCode).as(started.text).isEqualTo(78);
    assertThat(started.text)
        .contains("database-app.yaml:2:1")
        .contains("dataSource")
        .contains("dataSources");
    assertThat(script("start.sh", "-c", conf.resolve("nowhere").toString()).exitCode).isEqualTo(78);
  }

  /** Linux shows what a process has mapped. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void startsFromTheCacheOfClasses(MariaDbServers servers)
      throws IOException, InterruptedException {
    Path conf = passThrough(servers);
    Path extension = home.resolve("ext-lib/algorithms.jar");
    Files.copy(anyJar(), extension);
    start(conf);
    assertThat(memoryOfTheProxy()).contains("anabranch.aot");
    assertThat(console()).isEmpty();
    script("stop.sh");
    Files.delete(extension);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aCacheThatDoesNotFitIsPassedOverAndMadeAnew(MariaDbServers servers)
      throws IOException, InterruptedException {
    Path conf = passThrough(servers);
    Path jar = anyJar();
    FileTime built = Files.getLastModifiedTime(jar);
    Files.setLastModifiedTime(jar, FileTime.from(built.toInstant().plusSeconds(10)));
    start(conf);
    assertThat(memoryOfTheProxy()).doesNotContain("anabranch.aot");
    assertThat(console()).isEmpty();
    script("stop.sh");

    Outcome trained = script("train.sh");
    assertThat(trained.exitCode).as(trained.text).isZero();
    start(conf);
    assertThat(memoryOfTheProxy()).contains("anabranch.aot");
    script("stop.sh");
    Files.setLastModifiedTime(jar, built);
    assertThat(script("train.sh", "-c").exitCode).isEqualTo(2);
  }

  private static Path passThrough(MariaDbServers servers) throws IOException {
    return configuration(
        "good conf",
        "databaseName: app\ndataSources:\n"
            + RunningProxy.source("ds_0", servers.primaryA(), "mysql")
            + "rules: []\n");
  }

  private static void start(Path conf) throws IOException, InterruptedException {
    Outcome started =
        script("start.sh", "-p", Integer.toString(FreePorts.one()), "-c", conf.toString());
    assertThat(started.exitCode).as(started.text).isZero();
  }

  private static Path anyJar() throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("lib"))) {
      return files.filter(file -> file.toString().endsWith(".jar")).findFirst().orElseThrow();
    }
  }

  private static void change(Path global) {
    try {
      String text = Files.readString(global);
      Files.writeString(
          global,
          text.contains("sql-show: true")
              ? text.replace("sql-show: true", "sql-show: false")
              : text.replace("  sql-show: false\n", "") + "  sql-show: true\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean holds(Path file, String text) {
    try {
      return Files.readString(file).contains(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String memoryOfTheProxy() throws IOException {
    return Files.readString(Path.of("/proc", pid(), "maps"));
  }

  private static String console() throws IOException {
    return Files.readString(home.resolve("logs/console.log"));
  }

  @Test
  void saysThatThePortIsInUse(MariaDbServers servers) throws IOException, InterruptedException {
    Path conf = passThrough(servers);
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Outcome started =
          script("start.sh", "-p", Integer.toString(taken.getLocalPort()), "-c", conf.toString());
      assertThat(started.exitCode).as(started.text).isEqualTo(1);
      assertThat(started.text)
          .contains("cannot listen on 127.0.0.1 port " + taken.getLocalPort())
          .contains("in use");
    }
  }

  @Test
  void wrongArgumentsAreRefused() throws IOException, InterruptedException {
    assertThat(script("start.sh", "--prot", "1").exitCode).isEqualTo(2);
    assertThat(script("start.sh", "-p", "x").exitCode).isEqualTo(2);
    assertThat(script("start.sh", "-p", "70000").exitCode).isEqualTo(2);
    assertThat(script("start.sh", "--help").text).contains("usage: start.sh");
  }

  private static Path configuration(String name, String database) throws IOException {
    Path conf = Files.createDirectories(directory.resolve(name));
    Files.writeString(
        conf.resolve("global.yaml"),
        """
        authority:
          users:
            - { user: "app@%", password: s3cret, admin: true }
          privilege: { type: ALL_PERMITTED }
        props:
          proxy-admin-port: 0
        """);
    Files.writeString(conf.resolve("database-app.yaml"), database);
    return conf;
  }

  private static Outcome script(String name, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(home.resolve("bin").resolve(name).toString());
    command.addAll(List.of(arguments));
    return run(command);
  }

  private static Outcome run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(directory, "output", ".txt");
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    // The suite runs on a Java 25, whatever the PATH says.
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(command + " hangs: " + Files.readString(output));
    }
    return new Outcome(process.exitValue(), Files.readString(output));
  }

  private record Outcome(int exitCode, String text) {}
}
