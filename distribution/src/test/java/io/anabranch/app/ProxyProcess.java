package io.anabranch.app;

import io.anabranch.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A proxy in a process of its own, to be killed. Users as with {@link RunningProxy}. */
public final class ProxyProcess implements AutoCloseable {

  /** Another user, for what must not harm the first. */
  static final String HOG = "hog";

  static final String HOG_PASSWORD = "hog-secret";

  private final String name;
  private final Path directory;
  private final int port;
  private Process process;

  private ProxyProcess(String name, Path directory) {
    this.name = name;
    this.directory = directory;
    this.port = FreePorts.one();
    this.process = launch();
  }

  /**
   * Starts it and waits until it accepts clients.
   *
   * @param directory gets configuration and output
   * @param global further sections of the global file
   * @param databases texts of database files
   */
  public static ProxyProcess start(String name, Path directory, String global, String... databases)
      throws IOException {
    Files.createDirectories(directory);
    Files.writeString(
        directory.resolve("global.yaml"),
        """
        authority:
          users:
          - { user: "%s@%%", password: %s, admin: true }
          - { user: "%s@%%", password: %s, admin: true }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
        """
                .formatted(RunningProxy.USER, RunningProxy.PASSWORD, HOG, HOG_PASSWORD)
            + global);
    for (int i = 0; i < databases.length; i++) {
      Files.writeString(directory.resolve("database-" + i + ".yaml"), databases[i]);
    }
    var proxy = new ProxyProcess(name, directory);
    proxy.awaitReady();
    return proxy;
  }

  private Process launch() {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "-XX:NativeMemoryTracking=summary",
            "-Dlogback.configurationFile=" + logConfiguration(),
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "-p",
            Integer.toString(port),
            "-c",
            directory.toString()));
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("out.log").toFile()))
          .start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Path logConfiguration() {
    try {
      return Files.writeString(
          directory.resolve("logback.xml"),
          """
          <configuration>
            <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
              <encoder><pattern>%d %-5level %logger{0} %msg%n%ex{5}</pattern></encoder>
            </appender>
            <root level="INFO"><appender-ref ref="out"/></root>
          </configuration>
          """);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitReady() {
    Eventually.holds(
        name + " accepts clients",
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError(name + " did not start, see " + directory);
          }
          try (Connection connection = connect("")) {
            return connection.isValid(5);
          } catch (SQLException notYet) {
            return false;
          }
        });
  }

  public int port() {
    return port;
  }

  /** Of the process that runs now. */
  public long pid() {
    return process.pid();
  }

  public Connection connect(String database, String... options) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(
        port, database, RunningProxy.USER, RunningProxy.PASSWORD, options);
  }

  /** What it has written to its log. */
  public String output() {
    try {
      return Files.readString(directory.resolve("out.log"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL; returns when it is dead. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Starts it again on the same port; the one before must have been killed. */
  void startAgain() {
    process.onExit().join();
    process = launch();
    awaitReady();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
