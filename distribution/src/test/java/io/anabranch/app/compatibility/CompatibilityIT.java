package io.anabranch.app.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.compatibility.CompatibilityPage.Row;
import io.anabranch.app.compatibility.StatementFamilies.Family;
import io.anabranch.app.compatibility.VariableCases.Variable;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Writes and checks the tables of {@code docs/compatibility.md}, on MySQL those of {@code
 * docs/compatibility-mysql.md}: see {@link CompatibilityPage}.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class CompatibilityIT {

  private static final String SCHEMA = "it_compatibility";
  private static final String SERVER = DatabaseServers.areMySql() ? "MySQL" : "MariaDB";
  private static final Row HEAD = Row.of("Statement", "Outcome", "Remark");

  private static DatabaseServer plain;
  private static RunningProxy proxy;
  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) {
    plain = servers.primaryA();
    DatabaseServer behind = servers.primaryB();
    plain.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    behind.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough(SCHEMA, behind));
    sharded = ShardedFixture.start(servers, SCHEMA + "_shards");
  }

  @AfterAll
  static void stop() {
    proxy.close();
    sharded.close();
  }

  @Test
  void capabilities() throws IOException {
    long offered;
    long direct;
    try (var here = throughProxy();
        var there = directly()) {
      offered = here.capabilities();
      direct = there.capabilities();
    }
    var rows = new ArrayList<Row>();
    CompatibilityCases.CAPABILITIES.forEach(
        (name, bit) -> {
          String server = (direct & bit) != 0 ? "yes" : "no";
          String here = (offered & bit) != 0 ? "yes" : "no";
          rows.add(Row.of("`" + name + "`", here, server));
        });
    check("Capabilities", Row.of("Capability", "offered by the proxy", "by " + SERVER), rows);
  }

  @Test
  void commands() throws IOException {
    var rows = new ArrayList<Row>();
    for (Map.Entry<String, byte[]> command : CompatibilityCases.COMMANDS.entrySet()) {
      String here;
      String there;
      try (var probe = throughProxy()) {
        here = probe.answer(command.getValue());
      }
      try (var probe = directly()) {
        there = probe.answer(command.getValue());
      }
      boolean same = here.equals(there);
      rows.add(
          Row.of(
              "`" + command.getKey() + "`",
              same ? "passes" : here.equals("error 1235") ? "refused" : "differs",
              same ? here : here + "; the server: " + there));
    }
    check("Commands", Row.of("Command", "Outcome", "Answer"), rows);
  }

  @Test
  void variables() throws SQLException, IOException {
    var rows = new ArrayList<Row>();
    for (Variable variable : VariableCases.ofTheServer()) {
      String name = variable.name();
      rows.add(
          compared(
              "`" + name + "`",
              List.of(
                  "SET SESSION " + name + " = " + variable.value(),
                  "SELECT @@" + name,
                  "SHOW VARIABLES LIKE '" + name + "'",
                  "SET " + name + " = DEFAULT",
                  "SELECT @@session." + name)));
    }
    check("Session variables", Row.of("Variable", "Outcome", "Remark"), rows);
  }

  @Test
  void statements() throws SQLException, IOException {
    var rows = new ArrayList<Row>();
    for (Family family : StatementFamilies.ofTheServer()) {
      rows.add(compared(family.name(), family.statements()));
    }
    check("Statements in a pass-through database", HEAD, rows);
  }

  @Test
  void statementsOverShards() throws SQLException, IOException {
    var rows = new ArrayList<Row>();
    try (Connection here = sharded.throughProxy();
        Connection there = sharded.onPlain()) {
      for (String sql : CompatibilityCases.SHARDED_SCHEMA) {
        assertThat(Transcript.of(here, sql).withoutMessage())
            .as(sql)
            .isEqualTo(Transcript.of(there, sql).withoutMessage());
      }
      for (String sql : CompatibilityCases.shardedStatements()) {
        String way = way(here, sql);
        Row row =
            CompatibilityPage.row(
                "`" + sql + "`",
                List.of(sql),
                List.of(Transcript.of(there, sql)),
                List.of(Transcript.of(here, sql)));
        rows.add(Row.of(row.cells().get(0), way, row.cells().get(1), row.cells().get(2)));
      }
    }
    check("Statements over shards", Row.of("Statement", "Way", "Outcome", "Remark"), rows);
  }

  /** As EXPLAIN ROUTE says: relayed to one database, merged, or staged in one. */
  private static String way(Connection connection, String sql) {
    Transcript route = Transcript.of(connection, "EXPLAIN ROUTE " + sql);
    if (route.isError()) {
      return "refused";
    }
    String plan = String.join("\n", route.rows());
    if (Pattern.compile("\\bstage\\b").matcher(plan).find()) {
      return "staged";
    }
    return plan.startsWith("'relay'") ? "relayed" : "merged";
  }

  /** With the driver that lets its session have any character set. */
  private static Row compared(String name, List<String> statements) throws SQLException {
    var there = new ArrayList<Transcript>();
    var here = new ArrayList<Transcript>();
    try (Connection direct =
            Driver.MYSQL.connect(plain.port(), SCHEMA, MariaDbServer.USER, MariaDbServer.PASSWORD);
        Connection proxied =
            Driver.MYSQL.connect(proxy.port(), SCHEMA, RunningProxy.USER, RunningProxy.PASSWORD)) {
      for (String sql : statements) {
        there.add(Transcript.of(direct, sql));
        here.add(Transcript.of(proxied, sql));
      }
    }
    return CompatibilityPage.row(name, statements, there, here);
  }

  private static CommandProbe throughProxy() throws IOException {
    return new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, SCHEMA);
  }

  private static CommandProbe directly() throws IOException {
    return new CommandProbe(plain.port(), MariaDbServer.USER, MariaDbServer.PASSWORD, SCHEMA);
  }

  private static void check(String title, Row head, List<Row> rows) throws IOException {
    CompatibilityPage.Comparison page = CompatibilityPage.section(title, head, rows);
    assertThat(page.written())
        .as("%s; COMPATIBILITY_WRITE=1 writes it anew", CompatibilityPage.PAGE)
        .isEqualTo(page.seen());
  }
}
