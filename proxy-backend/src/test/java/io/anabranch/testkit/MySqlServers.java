package io.anabranch.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The MySQL servers that all tests of a JVM share, started when first asked for. */
final class MySqlServers implements DatabaseServers, AutoCloseable {

  private final Map<String, MySqlServer> running = new HashMap<>();
  private final List<MySqlServer> inOrder = new ArrayList<>();

  @Override
  public synchronized MySqlServer primaryA() {
    return running.computeIfAbsent("mysql-a", this::start);
  }

  @Override
  public synchronized MySqlServer primaryB() {
    return running.computeIfAbsent("mysql-b", this::start);
  }

  private MySqlServer start(String name) {
    MySqlServer.assumeInstalled();
    // As MariaDbServer: a test that waits for a lock must not wait for long.
    MySqlServer server =
        MySqlServer.start(
            name,
            "--innodb-lock-wait-timeout=5",
            "--log-bin-trust-function-creators=1",
            "--local-infile=ON");
    inOrder.add(server);
    return server;
  }

  @Override
  public synchronized void close() {
    inOrder.reversed().forEach(MySqlServer::close);
    inOrder.clear();
    running.clear();
  }
}
