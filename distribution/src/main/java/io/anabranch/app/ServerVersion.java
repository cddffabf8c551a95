package io.anabranch.app;

import io.anabranch.rules.model.DataSourceDefinition;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The version that clients are greeted with where none is configured: that of the database that
 * answers first. Drivers go by it, so a start waits for it: a moment in any case, and longer as
 * long as a server takes connections and no question to it has failed. Thread-safe.
 */
final class ServerVersion {

  /** For a start while no database can be reached. */
  static final String UNKNOWN = "8.0.40";

  private static final Logger log = LoggerFactory.getLogger(ServerVersion.class);
  private static final int DEFAULT_PORT = 3306;
  private static final int CONNECT_MILLISECONDS = 500;

  private final long momentMilliseconds;
  private final long patienceMilliseconds;
  private final CompletableFuture<String> answer = new CompletableFuture<>();

  /** Completes with the first answer, or when there is nobody left to wait for. */
  private final CompletableFuture<Boolean> decided = new CompletableFuture<>();

  /** Servers that may still answer. */
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  ServerVersion(Collection<DataSourceDefinition> sources) {
    this(sources, 1500, 15_000);
  }

  /**
   * @param momentMilliseconds how long a start waits in any case
   * @param patienceMilliseconds how much longer where a server takes connections
   */
  ServerVersion(
      Collection<DataSourceDefinition> sources,
      long momentMilliseconds,
      long patienceMilliseconds) {
    this.momentMilliseconds = momentMilliseconds;
    this.patienceMilliseconds = patienceMilliseconds;
    sources.forEach(source -> asked.add(source.server()));
    decideIfAlone();
  }

  /** A database has answered. */
  void told(String version) {
    answer.complete(version);
  }

  /** A data source is down, or answers with errors only. */
  void failed(DataSourceDefinition source) {
    asked.remove(source.server());
    decideIfAlone();
  }

  private void decideIfAlone() {
    if (asked.isEmpty()) {
      decided.complete(false);
    }
  }

  /**
   * Waits for it; blocks.
   *
   * @param taken gets the version, now or whenever a database answers
   */
  void await(Consumer<String> taken) {
    answer.thenAccept(taken).thenRun(() -> decided.complete(true));
    if (!isDecidedWithin(momentMilliseconds)) {
      forgetUnreachable();
      decideIfAlone();
      isDecidedWithin(patienceMilliseconds);
    }
    if (!decided.getNow(false)) {
      log.warn(
          "no database has answered yet: clients are greeted with version {} until one does",
          UNKNOWN);
    }
  }

  private boolean isDecidedWithin(long milliseconds) {
    return decided
        .thenApply(_ -> true)
        .completeOnTimeout(false, milliseconds, TimeUnit.MILLISECONDS)
        .join();
  }

  private void forgetUnreachable() {
    CompletableFuture.allOf(
            asked.stream()
                .map(
                    server ->
                        CompletableFuture.runAsync(
                            () -> {
                              if (!takesConnections(server)) {
                                asked.remove(server);
                              }
                            },
                            task -> Thread.ofPlatform().daemon().name("reach").start(task)))
                .toArray(CompletableFuture<?>[]::new))
        .join();
  }

  /**
   * @param server host and port as the URL has them, or a socket's file
   */
  private static boolean takesConnections(String server) {
    return server.startsWith("/") ? takesLocal(server) : takesRemote(server);
  }

  private static boolean takesLocal(String file) {
    try (SocketChannel taken = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      return taken.isConnected();
    } catch (IOException | IllegalArgumentException unreachable) {
      log.debug("{}: {}", file, unreachable.getMessage());
      return false;
    }
  }

  private static boolean takesRemote(String server) {
    int colon = server.lastIndexOf(':');
    boolean hasPort = colon > server.lastIndexOf(']');
    String host = hasPort ? server.substring(0, colon) : server;
    try (var socket = new Socket()) {
      int port = hasPort ? Integer.parseInt(server.substring(colon + 1)) : DEFAULT_PORT;
      socket.connect(new InetSocketAddress(host, port), CONNECT_MILLISECONDS);
      return true;
    } catch (IOException | IllegalArgumentException unreachable) {
      log.debug("{}: {}", server, unreachable.getMessage());
      return false;
    }
  }
}
