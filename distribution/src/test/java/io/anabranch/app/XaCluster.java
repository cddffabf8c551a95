package io.anabranch.app;

import io.anabranch.testkit.MariaDbServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What tests of distributed transactions share. */
final class XaCluster {

  private XaCluster() {}

  /**
   * A database whose table {@code account} has even ids in one server and odd ones in the other.
   */
  static String database(String schema, MariaDbServer even, MariaDbServer odd) {
    return database(
        schema,
        RunningProxy.source("ds_0", even, schema) + RunningProxy.source("ds_1", odd, schema));
  }

  static String database(String schema, String sources) {
    return "databaseName: "
        + schema
        + "\ndataSources:\n"
        + sources
        + """
          rules:
          - !SHARDING
            tables:
              account:
                actualDataNodes: ds_${0..1}.account
                databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_id } }
            shardingAlgorithms:
              by_id: { type: MOD, props: { sharding-count: 2 } }
          """;
  }

  /** The same with a second table {@code transfer}, sharded alike. */
  static String bank(String schema, String sources) {
    return database(schema, sources)
        .replace(
            "    shardingAlgorithms:",
            """
                transfer:
                  actualDataNodes: ds_${0..1}.transfer
                  databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_id } }
              shardingAlgorithms:"""
                .indent(2)
                .stripTrailing());
  }

  /** The names of all prepared branches of a server. */
  static List<String> prepared(MariaDbServer server) {
    var names = new ArrayList<String>();
    try (Connection connection = server.connect("");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("XA RECOVER")) {
      while (rows.next()) {
        names.add(rows.getString("data"));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return names;
  }
}
