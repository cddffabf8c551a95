package io.anabranch.app;

import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The same logical database twice: plain on one server, and sharded over two servers with four
 * tables each behind the proxy. Tables {@code t_order} and {@code t_item} are sharded alike by
 * {@code user_id} and {@code order_id}, {@code t_log} by {@code id} alone, {@code t_country} is a
 * broadcast table, all others are single tables.
 */
final class ShardedFixture implements AutoCloseable {

  final RunningProxy proxy;
  private final DatabaseServer plain;
  private final String plainSchema;
  private final String schema;

  private ShardedFixture(RunningProxy proxy, DatabaseServer plain, String schema) {
    this.proxy = proxy;
    this.plain = plain;
    this.schema = schema;
    this.plainSchema = schema + "_plain";
  }

  static ShardedFixture start(DatabaseServers servers, String schema, String... properties) {
    DatabaseServer a = servers.primaryA();
    DatabaseServer b = servers.primaryB();
    a.execute(
        "DROP DATABASE IF EXISTS " + schema,
        "CREATE DATABASE " + schema,
        "DROP DATABASE IF EXISTS " + schema + "_plain",
        "CREATE DATABASE " + schema + "_plain");
    b.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    String database =
        "databaseName: "
            + schema
            + "\ndataSources:\n"
            + RunningProxy.source("ds_0", a, schema)
            + RunningProxy.source("ds_1", b, schema)
            + """
              rules:
              - !SHARDING
                tables:
                  t_order:
                    actualDataNodes: ds_${0..1}.t_order_${0..3}
                    databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: by_user } }
                    tableStrategy: { standard: { shardingColumn: order_id, shardingAlgorithmName: by_order } }
                  t_item:
                    actualDataNodes: ds_${0..1}.t_item_${0..3}
                    databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: by_user } }
                    tableStrategy: { standard: { shardingColumn: order_id, shardingAlgorithmName: by_order } }
                autoTables:
                  t_log:
                    actualDataSources: ds_0,ds_1
                    shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: eighths } }
                bindingTables:
                  - t_order, t_item
                shardingAlgorithms:
                  by_user: { type: MOD, props: { sharding-count: 2 } }
                  by_order: { type: MOD, props: { sharding-count: 4 } }
                  eighths: { type: HASH_MOD, props: { sharding-count: 8 } }
              - !BROADCAST
                tables: [t_country]
              - !SINGLE
                tables: ["*.*"]
                defaultDataSource: ds_0
              """;
    return new ShardedFixture(RunningProxy.start(List.of(properties), database), a, schema);
  }

  String schema() {
    return schema;
  }

  Connection throughProxy(String... options) throws SQLException {
    return proxy.connect(schema, options);
  }

  Connection onPlain(String... options) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(
        plain.port(), plainSchema, MariaDbServer.USER, MariaDbServer.PASSWORD, options);
  }

  @Override
  public void close() {
    proxy.close();
  }
}
