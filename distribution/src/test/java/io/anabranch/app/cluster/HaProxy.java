package io.anabranch.app.cluster;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.testkit.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/**
 * HAProxy with the sample configuration of the docs; tests that want it are skipped where it is not
 * installed.
 */
final class HaProxy implements AutoCloseable {

  private static final Path SAMPLE = Path.of("..", "docker", "haproxy", "haproxy.cfg");

  private final Process process;
  private final int port;
  private final int statsPort;

  private HaProxy(Process process, int port, int statsPort) {
    this.process = process;
    this.port = port;
    this.statsPort = statsPort;
  }

  /**
   * @param ports where two proxies take clients
   * @param adminPorts where they tell whether they do
   * @param options of each server besides
   */
  static HaProxy start(
      Path directory, List<Integer> ports, List<Integer> adminPorts, String... options)
      throws IOException {
    String program = find();
    Assumptions.assumeTrue(!program.isEmpty(), "HAProxy is not installed");
    int port = FreePorts.one();
    int statsPort = FreePorts.one();
    String text = Files.readString(SAMPLE);
    text = text.replace("bind :3307", "bind 127.0.0.1:" + port);
    text = text.replace("bind 127.0.0.1:8404", "bind 127.0.0.1:" + statsPort);
    for (int i = 0; i < ports.size(); i++) {
      text =
          text.replace(
              "proxy-" + i + ":3307 check port 9307",
              "127.0.0.1:"
                  + ports.get(i)
                  + " "
                  + String.join(" ", options)
                  + " check port "
                  + adminPorts.get(i));
    }
    Path file = Files.writeString(directory.resolve("haproxy.cfg"), text);
    Process process =
        new ProcessBuilder(program, "-db", "-f", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("haproxy.log").toFile())
            .start();
    return new HaProxy(process, port, statsPort);
  }

  private static String find() {
    String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
    return Pattern.compile(File.pathSeparator)
        .splitAsStream(path)
        .map(folder -> Path.of(folder, "haproxy"))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Path::toString)
        .orElse("");
  }

  /** Where clients connect. */
  int port() {
    return port;
  }

  /** Waits until it sends clients to these. */
  void awaitUp(int... proxies) {
    for (int proxy : proxies) {
      Pattern up = Pattern.compile("(?m)^proxies,proxy-" + proxy + ",(?:[^,]*,){15}UP,");
      Eventually.holds("proxy-" + proxy + " is up", () -> up.matcher(statistics()).find());
    }
  }

  private String statistics() {
    if (!process.isAlive()) {
      throw new AssertionError("HAProxy has ended with code " + process.exitValue());
    }
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), statsPort);
        InputStream in = socket.getInputStream()) {
      socket
          .getOutputStream()
          .write("GET /;csv HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (ConnectException notYet) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
