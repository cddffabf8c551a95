package io.anabranch.app;

import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A proxy over two databases with a table {@code account}: even ids in the first, odd ones in the
 * second. Its account on the databases may not write while they are read-only.
 */
final class XaFixture implements AutoCloseable {

  private static final String ACCOUNT = "xa_app";

  private final String schema;
  private final List<MariaDbServer> servers;
  private final RunningProxy proxy;

  private XaFixture(String schema, List<MariaDbServer> servers, RunningProxy proxy) {
    this.schema = schema;
    this.servers = servers;
    this.proxy = proxy;
  }

  static XaFixture start(MariaDbServers servers, String schema) throws SQLException {
    return start(servers, schema, 10, false);
  }

  /**
   * @param seesLocks whether the proxy's account may ask for lock waits
   */
  static XaFixture start(MariaDbServers servers, String schema, int poolSize, boolean seesLocks)
      throws SQLException {
    List<MariaDbServer> both = List.of(servers.primaryA(), servers.primaryB());
    var sources = new StringBuilder();
    for (MariaDbServer server : both) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE OR REPLACE USER %s@'%%' IDENTIFIED BY '%s'".formatted(ACCOUNT, ACCOUNT),
          "GRANT ALL ON %s.* TO %s@'%%'".formatted(schema, ACCOUNT));
      if (seesLocks) {
        server.execute("GRANT PROCESS ON *.* TO %s@'%%'".formatted(ACCOUNT));
      }
      sources.append(
          "  ds_%d: { url: \"%s\", username: %s, password: %s, maxPoolSize: %d, minPoolSize: 1, connectionTimeoutMilliseconds: 30000 }\n"
              .formatted(both.indexOf(server), server.url(schema), ACCOUNT, ACCOUNT, poolSize));
    }
    var proxy =
        RunningProxy.startWith(
            """
            transaction:
              defaultType: LOCAL
              props: { cluster: it, node: one, log-data-source: %s.ds_0, recovery-interval-milliseconds: 200 }
            """
                .formatted(schema),
            List.of(),
            XaCluster.database(schema, sources.toString()));
    var fixture = new XaFixture(schema, both, proxy);
    Eventually.holds("the proxy is registered", fixture::isRegistered);
    Eventually.holds("the proxy reaches the databases", () -> reaches(proxy, schema));
    try (Connection connection = fixture.connect()) {
      run(
          connection,
          "CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance INT NOT NULL) ENGINE=InnoDB");
    }
    return fixture;
  }

  /** A database that is slow with its first answer is taken for down until it gives the next. */
  static boolean reaches(RunningProxy proxy, String schema) {
    try (Connection connection = proxy.connect(schema)) {
      run(connection, "SHOW TABLES");
      return true;
    } catch (SQLException notYet) {
      return false;
    }
  }

  private boolean isRegistered() {
    String tables =
        first()
            .queryOne(
                "SELECT COUNT(*) FROM information_schema.tables WHERE table_name ="
                    + " 'anabranch_xa_node' AND table_schema = '"
                    + schema
                    + "'");
    return tables.equals("1")
        && first().queryOne("SELECT COUNT(*) FROM " + schema + ".anabranch_xa_node").equals("1");
  }

  MariaDbServer first() {
    return servers.getFirst();
  }

  List<MariaDbServer> servers() {
    return servers;
  }

  Connection connect() throws SQLException {
    return proxy.connect(schema);
  }

  /** To the first database, past the proxy. */
  Connection direct() throws SQLException {
    return first().connect(schema);
  }

  void accounts(int from, int count) throws SQLException {
    try (Connection connection = connect()) {
      run(connection, "DELETE FROM account");
      var rows = new StringBuilder("INSERT INTO account VALUES ");
      for (int i = 0; i < count; i++) {
        rows.append(i == 0 ? "(" : ", (").append(from + i).append(", 100)");
      }
      run(connection, rows.toString());
    }
  }

  List<String> balances() throws SQLException {
    try (Connection connection = connect()) {
      return column(connection, "SELECT balance FROM account ORDER BY id");
    }
  }

  /** Whether a server has transactions, open or prepared, of the proxy's account. */
  boolean hasTransactions(MariaDbServer server) {
    String open =
        server.queryOne(
            "SELECT COUNT(*) FROM information_schema.innodb_trx trx JOIN"
                + " information_schema.processlist thread ON thread.id = trx.trx_mysql_thread_id"
                + " WHERE thread.user = '"
                + ACCOUNT
                + "'");
    return !open.equals("0") || !XaCluster.prepared(server).isEmpty();
  }

  /**
   * How many connections of the proxy's account a server has.
   *
   * @param idle those that run nothing; otherwise those that do
   */
  int connections(MariaDbServer server, boolean idle) {
    return Integer.parseInt(
        server.queryOne(
            "SELECT COUNT(*) FROM information_schema.processlist WHERE user = '"
                + ACCOUNT
                + "' AND command "
                + (idle ? "=" : "<>")
                + " 'Sleep'"));
  }

  static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  static List<String> column(Connection connection, String sql) throws SQLException {
    var values = new ArrayList<String>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  static String one(Connection connection, String sql) throws SQLException {
    return column(connection, sql).getFirst();
  }

  @Override
  public void close() {
    proxy.close();
  }
}
