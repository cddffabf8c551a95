package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nothing that a user can see depends on masked values: two databases that differ in these alone
 * answer alike to whatever the grammar makes up. {@code -Dmask.seeds=1,100} draws from the first to
 * the last of these.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class MaskedGrammarIT {

  private static final String ONE = "it_masked_one";
  private static final String OTHER = "it_masked_two";
  private static final int STATEMENTS = 250;
  private static final int ROWS = 6;

  /** So many statements of a seed have to be answered: else they try nothing. */
  private static final int ANSWERED_AT_LEAST = STATEMENTS / 10;

  @TempDir static Path temporary;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) throws IOException {
    DatabaseServer server = servers.primaryA();
    for (String schema : List.of(ONE, OTHER)) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema + " CHARACTER SET utf8mb4",
          "CREATE TABLE "
              + schema
              + ".t_user (id INT PRIMARY KEY, name VARCHAR(30), phone VARCHAR(30), pin INT)",
          "CREATE TABLE " + schema + ".t_own (id INT, phone VARCHAR(30), hit INT)",
          "CREATE VIEW %1$s.v_user AS SELECT id, phone AS p, pin FROM %1$s.t_user"
              .formatted(schema),
          "CREATE VIEW %1$s.v_told AS SELECT id, LEFT(phone, 1) AS p FROM %1$s.t_user"
              .formatted(schema));
      for (int id = 1; id <= ROWS; id++) {
        // of the same lengths, in another order
        int secret = schema.equals(ONE) ? 70_000 + id : 50_000 - id;
        server.execute(
            "INSERT INTO %s.t_user VALUES (%d, 'name %d', '%d', %d)"
                .formatted(schema, id, id, secret, secret));
      }
    }
    var folder = new ReloadFolder(temporary);
    folder.write(
        "global.yaml",
        """
        authority:
          users:
          - { user: "%s@%%", password: %s, admin: true }
          - { user: clerk, password: clerk }
          - { user: auditor, password: auditor }
          privilege: { type: ALL_PERMITTED }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD));
    for (String schema : List.of(ONE, OTHER)) {
      folder.write(
          "database-" + schema + ".yaml",
          "databaseName: "
              + schema
              + "\ndataSources:\n"
              + ReloadFolder.source("ds_0", server, schema, 10)
              + """
              rules:
              - !MASK
                tables:
                  t_user:
                    columns:
                      phone: { maskAlgorithm: stars }
                      pin: { maskAlgorithm: hashes }
                maskAlgorithms:
                  stars: { type: MASK_FROM_X_TO_Y, props: { from-x: 0, to-y: 99, replace-char: '*' } }
                  hashes: { type: MASK_FROM_X_TO_Y, props: { from-x: 0, to-y: 99, replace-char: '#' } }
                users: [auditor]
              """);
    }
    proxy = RunningProxy.startFrom(temporary);
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static Connection connect(String user, String schema) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://127.0.0.1:%d/%s".formatted(proxy.port(), schema), user, user);
  }

  private static String run(Connection client, String sql, boolean isBinary) {
    Transcript told = isBinary ? Transcript.prepared(client, sql) : Transcript.of(client, sql);
    return (told.head() + told.rows()).replace(OTHER, ONE).replaceAll("0\\.0\\d+", "0.0");
  }

  /** What a statement has left, as those see it who see all. */
  private static String left(Connection auditor) {
    String rows = run(auditor, "SELECT * FROM t_own", false);
    String copy = run(auditor, "SELECT * FROM t_copy", false);
    run(auditor, "DROP TABLE IF EXISTS t_copy", false);
    run(auditor, "DELETE FROM t_own", false);
    run(auditor, "INSERT INTO t_own VALUES (1, '70001', 0), (2, '49998', 0), (3, 'x', 0)", false);
    run(auditor, "UPDATE t_user SET name = CONCAT('name ', id)", false);
    return rows + copy;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tellsNothingOfMaskedValues(boolean isBinary) throws SQLException {
    String[] seeds = System.getProperty("mask.seeds", "1,2").split(",", -1);
    var leaks = new ArrayList<String>();
    for (long seed = Long.parseLong(seeds[0]); seed <= Long.parseLong(seeds[1]); seed++) {
      var grammar = new ProtectedGrammar(new Random(seed));
      int answered = 0;
      try (Connection one = connect("clerk", ONE);
          Connection other = connect("clerk", OTHER);
          Connection oneSeen = connect("auditor", ONE);
          Connection otherSeen = connect("auditor", OTHER)) {
        left(oneSeen);
        left(otherSeen);
        for (int i = 0; i < STATEMENTS; i++) {
          String sql = grammar.statement();
          String here = run(one, sql, isBinary) + run(one, "SHOW WARNINGS", false);
          String there = run(other, sql, isBinary) + run(other, "SHOW WARNINGS", false);
          boolean isRead = sql.startsWith("SELECT") || sql.startsWith("WITH");
          String left = isRead ? "" : left(oneSeen);
          String leftThere = isRead ? "" : left(otherSeen);
          answered += here.contains("error ") ? 0 : 1;
          if (!here.equals(there) || !left.equals(leftThere)) {
            leaks.add(seed + ": " + sql + "\n" + here + left + "\n" + there + leftThere);
          }
        }
      }
      assertThat(answered).as("of seed " + seed).isGreaterThan(ANSWERED_AT_LEAST);
    }
    assertThat(leaks).isEmpty();
  }
}
