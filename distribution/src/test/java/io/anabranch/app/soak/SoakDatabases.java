package io.anabranch.app.soak;

import io.anabranch.testkit.MariaDbServer;

/** Configurations of the proxy that works for hours. */
final class SoakDatabases {

  /** All connections are opened in the beginning: their number tells whether one stays. */
  private static final String SOURCE =
      "  %s: { url: \"jdbc:mysql://127.0.0.1:%d/%s\", username: %s, password: %s, maxPoolSize: 8,"
          + " minPoolSize: 8, connectionTimeoutMilliseconds: 15000 }\n";

  private SoakDatabases() {}

  /** Even ids in a group of two servers, odd ones in a third server. */
  static String soak(MariaDbServer primary, MariaDbServer replica, int shard) {
    return "databaseName: soak\ndataSources:\n"
        + SOURCE.formatted("a", primary.port(), "soak", "proxy", "proxy")
        + SOURCE.formatted("b", replica.port(), "soak", "proxy", "proxy")
        + ofTest("g1", shard, "soak")
        + """
          rules:
          - !READWRITE_SPLITTING
            dataSourceGroups:
              g0:
                writeDataSourceName: a
                readDataSourceNames: [b]
                readConsistency: SESSION
                healthCheck: { intervalMilliseconds: 500, timeoutMilliseconds: 500, rise: 1, fall: 2 }
                discovery: { type: REPLICATION, holdWritesMilliseconds: 20000 }
          - !SHARDING
            tables:
          """
        + table("s", "g")
        + table("w", "g")
        + table("l", "g")
        + algorithm();
  }

  /** Even accounts in one schema, odd ones in another. */
  static String bank(int shard) {
    return "databaseName: bank\ndataSources:\n"
        + ofTest("ds_0", shard, "bank0")
        + ofTest("ds_1", shard, "bank1")
        + "rules:\n- !SHARDING\n  tables:\n"
        + table("account", "ds_")
        + algorithm();
  }

  static String plain(int shard) {
    return "databaseName: plain\ndataSources:\n" + ofTest("ds_0", shard, "plain") + "rules: []\n";
  }

  private static String ofTest(String name, int port, String schema) {
    return SOURCE.formatted(name, port, schema, MariaDbServer.USER, MariaDbServer.PASSWORD);
  }

  private static String table(String name, String sources) {
    return """
          %1$s:
            actualDataNodes: %2$s${0..1}.%1$s
            databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_id } }
      """
        .formatted(name, sources);
  }

  private static String algorithm() {
    return """
        shardingAlgorithms:
          by_id: { type: MOD, props: { sharding-count: 2 } }
      """;
  }
}
