package io.anabranch.app.differential;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;

/** One layout: a proxy over its data sources, and one plain database with the same tables. */
final class Arena implements AutoCloseable {

  private static final String PREFIX = "diff_";

  /**
   * The length of {@link ColumnPool#EXACT}, where it is stored encrypted: that of the ciphertext.
   */
  private static final Pattern ENCRYPTED =
      Pattern.compile(
          "(?m)^(?<told>[^|]*\\|"
              + ColumnPool.EXACT
              + "\\|.*\\|VARCHAR\\|java.lang.String\\|)234\\|0\\|234\\|");

  private final String name;
  private final DatabaseServer server;
  private final RunningProxy proxy;

  private Arena(String name, DatabaseServer server, RunningProxy proxy) {
    this.name = name;
    this.server = server;
    this.proxy = proxy;
  }

  static Arena start(DatabaseServers servers, Layout layout) {
    String name = PREFIX + layout.name().toLowerCase(java.util.Locale.ROOT);
    List<DatabaseServer> both = List.of(servers.primaryA(), servers.primaryB());
    for (int source = 0; source < layout.sources(); source++) {
      create(both.get(source % both.size()), name + "_" + source);
    }
    create(both.getFirst(), name);
    return new Arena(name, both.getFirst(), RunningProxy.start(List.of(), layout.yaml(name, both)));
  }

  private static void create(DatabaseServer server, String schema) {
    server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
  }

  /** Two connections, each in the middle of nothing. */
  Bout bout(boolean binary) throws SQLException {
    String[] protocol = binary ? new String[] {"useServerPrepStmts=true"} : new String[0];
    return new Bout(
        proxy.connect(name, protocol),
        RunningProxy.Driver.MARIADB.connect(
            server.port(), name, MariaDbServer.USER, MariaDbServer.PASSWORD, protocol),
        binary);
  }

  @Override
  public void close() {
    proxy.close();
  }

  /** A connection through the proxy and one to the plain database. */
  record Bout(Connection proxied, Connection plain, boolean binary) implements AutoCloseable {

    Verdict compare(Query query) {
      Transcript answer = viaProxy(query);
      Transcript expected = answer.isRefusal() && !query.isQuery() ? answer : run(plain, query);
      return answer.isRefusal() && !query.isQuery()
          ? new Verdict(Verdict.Outcome.REFUSED, answer.head())
          : Verdict.of(query, answer, expected);
    }

    Transcript throughProxy(String sql) {
      return viaProxy(Query.whole(sql));
    }

    Transcript onPlain(String sql) {
      return run(plain, Query.whole(sql));
    }

    private Transcript viaProxy(Query query) {
      Transcript told = run(proxied, query);
      return new Transcript(
          ENCRYPTED.matcher(told.head()).replaceAll("${told}20|0|20|"), told.rows());
    }

    private Transcript run(Connection connection, Query query) {
      if (!binary) {
        return Transcript.of(connection, query.sql());
      }
      Parameters parameters = Parameters.of(query.text());
      return parameters.values().isEmpty()
          ? Transcript.prepared(connection, parameters.sql())
          : Transcript.of(connection, parameters.sql(), parameters.values().toArray());
    }

    /** Makes the tables anew, with these rows. */
    void load(List<Sample.Table> tables) {
      for (Sample.Table table : tables) {
        Transcript.of(proxied, "DROP TABLE " + table.name());
        Transcript.of(plain, "DROP TABLE " + table.name());
        both(table.create());
        if (!table.rows().isEmpty()) {
          both(table.insert(table.rows()));
        }
      }
    }

    /** Makes the views anew. */
    void define(List<Views.View> views) {
      views.forEach(view -> both(view.create()));
    }

    private void both(String sql) {
      Transcript here = Transcript.of(proxied, sql);
      Transcript there = Transcript.of(plain, sql);
      if (here.isError() || there.isError()) {
        throw new IllegalStateException(sql + "\n" + here.head() + "\n" + there.head());
      }
    }

    @Override
    public void close() throws SQLException {
      proxied.close();
      plain.close();
    }
  }
}
