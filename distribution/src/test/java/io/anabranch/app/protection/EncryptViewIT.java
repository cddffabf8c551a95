package io.anabranch.app.protection;

import static io.anabranch.app.protection.EncryptIT.assertAlike;
import static io.anabranch.app.protection.EncryptIT.column;
import static io.anabranch.app.protection.EncryptIT.refusal;
import static io.anabranch.app.protection.EncryptIT.rows;
import static io.anabranch.app.protection.EncryptIT.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.protection.EncryptIT.Case;
import io.anabranch.app.protection.EncryptIT.Layout;
import io.anabranch.app.protection.EncryptIT.Pair;
import io.anabranch.app.protection.EncryptIT.Protocol;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Views over encrypted columns: what they are to clients is what they are over plain ones. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
@Tag("long")
class EncryptViewIT {

  private static final List<String> VIEWS =
      List.of(
          "CREATE VIEW whole AS SELECT * FROM person",
          "CREATE VIEW aliased AS SELECT p.id, p.phone AS number, mail AS `their mail`, note FROM person p",
          "CREATE VIEW listed (k, tel, town) AS SELECT id, phone, city FROM person WHERE phone IS NOT NULL",
          "CREATE VIEW starred (k, tel, m, n, town) AS SELECT p.* FROM person p",
          "CREATE VIEW nested AS SELECT id, number, note FROM aliased WHERE id < 5",
          "CREATE VIEW counted AS SELECT mail, COUNT(*) AS c FROM person GROUP BY mail",
          "CREATE VIEW towns AS SELECT id, city FROM person",
          "CREATE VIEW chosen AS SELECT id, phone FROM person WHERE phone = '13800000001'",
          "CREATE OR REPLACE VIEW paired AS SELECT p.id, p.phone, c.phone AS other FROM person p"
              + " JOIN contact c ON p.id = c.id");

  private static final List<Case> ROWS =
      List.of(
          new Case(
              "INSERT INTO person VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?)",
              1,
              "13800000001",
              "one@example.org",
              "a note",
              "Bonn",
              2,
              "13800000002",
              "same@example.org",
              null,
              "Kiel"),
          new Case(
              "INSERT INTO person VALUES (?, ?, ?, ?, ?)",
              3,
              "777",
              "same@example.org",
              "b note",
              null),
          new Case(
              "INSERT INTO contact VALUES (?, ?, ?), (?, ?, ?)", 1, "777", "x", 2, "888", "y"));

  private static List<Case> queries() {
    return List.of(
        new Case("SELECT * FROM whole"),
        new Case("SELECT phone, note, mail FROM whole WHERE phone = ? AND id > ?", "777", 0),
        new Case("SELECT id FROM whole w WHERE w.phone LIKE ?", "138%"),
        new Case("SELECT * FROM aliased"),
        new Case(
            "SELECT number AS x, `their mail` FROM aliased WHERE number IN (?, ?)", "777", "8"),
        new Case("SELECT a.number, p.phone FROM aliased a JOIN person p ON a.number = p.phone"),
        new Case("SELECT tel, town FROM listed WHERE tel <> ?", "777"),
        new Case("SELECT * FROM starred WHERE tel = ? OR m = ?", "777", "one@example.org"),
        new Case("SELECT * FROM nested WHERE number = ?", "13800000002"),
        new Case("SELECT number, note FROM nested"),
        new Case("SELECT * FROM counted WHERE mail = ?", "same@example.org"),
        new Case("SELECT * FROM towns"),
        new Case("SELECT * FROM paired"),
        new Case(
            "SELECT id, other FROM paired WHERE phone = ? AND other = ?", "13800000001", "777"),
        new Case("SELECT COUNT(DISTINCT number) FROM aliased"),
        new Case("SELECT id FROM whole WHERE phone IN (SELECT phone FROM contact)"),
        new Case("SELECT x.number FROM (SELECT number FROM aliased WHERE number = ?) x", "777"));
  }

  private static List<Case> changes() {
    return List.of(
        new Case("UPDATE whole SET phone = ?, city = 'Trier' WHERE phone = ?", "779", "777"),
        new Case("UPDATE aliased SET number = ?, note = ? WHERE id = ?", "780", "c note", 2),
        new Case("DELETE FROM listed WHERE tel = ?", "779"),
        new Case("SELECT * FROM person"));
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void areTablesToClients(Layout layout, DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, layout, "it_encrypt_view");
        Connection maker = pair.client()) {
      for (String view : VIEWS) {
        // that one has a constant, and joins need a data source for both
        run(pair.plain, view);
        run(maker, view);
      }
      for (Protocol protocol : Protocol.values()) {
        assertAlike(
            pair,
            protocol,
            List.of("contact", "person"),
            Stream.of(ROWS, queries(), changes()).flatMap(List::stream).toList());
      }
      assertThat(pair.stored())
          .noneMatch(cell -> cell.contains("138000") || cell.contains("@example.org"))
          .doesNotContain("777", "779", "780");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Layout.class,
      names = {"PASS_THROUGH", "SINGLE"})
  void takeRows(Layout layout, DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, layout, "it_encrypt_view_rows");
        Connection client = pair.client()) {
      for (Connection each : List.of(pair.plain, client)) {
        run(each, "CREATE VIEW rich AS SELECT * FROM person WHERE phone = '777' WITH CHECK OPTION");
        run(each, "CREATE VIEW plain AS SELECT id, phone AS tel, mail FROM person");
      }
      assertAlike(
          pair,
          Protocol.TEXT,
          List.of(),
          List.of(
              new Case(
                  "INSERT INTO rich VALUES (?, ?, ?, ?, ?)", 1, "777", "m@example.org", "n", "c"),
              new Case(
                  "INSERT INTO plain (id, tel, mail) VALUES (?, ?, ?)", 2, "888", "o@example.org"),
              new Case("INSERT INTO plain VALUES (?, ?, ?)", 3, "999", null),
              new Case("REPLACE INTO plain (tel, id) VALUES (?, ?)", "998", 3),
              new Case(
                  "INSERT INTO person (id, phone) SELECT id + 50, tel FROM plain WHERE tel = ?",
                  "x"),
              new Case("DELETE FROM plain WHERE tel = ?", "888"),
              new Case("SELECT * FROM plain"),
              new Case("SELECT * FROM rich")));
      assertThat(refusal(client, "INSERT INTO rich VALUES (7, '778', NULL, NULL, NULL)"))
          .contains("CHECK OPTION");
      assertThat(pair.stored()).noneMatch(cell -> cell.contains("@")).doesNotContain("777");
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void areToldWithLogicalColumns(Layout layout, DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, layout, "it_encrypt_view_told");
        Connection client = pair.client()) {
      for (String view : VIEWS) {
        run(client, view);
      }
      assertThat(column(client, "DESC aliased"))
          .containsExactly("id", "number", "their mail", "note");
      assertThat(column(client, "SHOW COLUMNS FROM listed")).containsExactly("k", "tel", "town");
      for (String show : List.of("SHOW CREATE VIEW aliased", "SHOW CREATE TABLE aliased")) {
        String told = String.valueOf(rows(client, show).getFirst().get(1)).toLowerCase(Locale.ROOT);
        assertThat(told)
            .contains("`phone` as `number`", "`note` as `note`")
            .doesNotContain("phone_", "note_", "$");
      }
      assertThat(refusal(client, "SHOW CREATE VIEW chosen")).contains("AB2071");
      run(client, "ALTER VIEW aliased AS SELECT id, phone AS n FROM person");
      assertThat(column(client, "DESC aliased")).containsExactly("id", "n");
      run(client, "INSERT INTO person (id, phone) VALUES (1, '777')");
      assertThat(column(client, "SELECT n FROM aliased WHERE n = '777'")).containsExactly("777");
      run(client, "CREATE OR REPLACE VIEW aliased AS SELECT id FROM person");
      assertThat(column(client, "SELECT * FROM aliased")).containsExactly("1");
      run(client, "DROP VIEW aliased");
      assertThat(refusal(client, "SELECT * FROM aliased")).contains("aliased");
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void refuseWhatTablesRefuse(Layout layout, DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, layout, "it_encrypt_view_refused");
        Connection client = pair.client()) {
      for (String view : VIEWS) {
        run(client, view);
      }
      run(client, "INSERT INTO person (id, phone, mail) VALUES (1, '777', 'x@y')");
      for (String sql :
          List.of(
              "SELECT UPPER(number) FROM aliased",
              "SELECT id FROM aliased ORDER BY number",
              "SELECT `number$equal` FROM aliased",
              "SELECT `number$like` FROM aliased a",
              "SELECT id FROM aliased WHERE number > '7'",
              "SELECT id FROM aliased WHERE note = 'a'",
              "UPDATE aliased SET `number$equal` = 'x'",
              "UPDATE aliased SET number = CONCAT('a', 'b')",
              "CREATE TABLE copied AS SELECT * FROM aliased",
              "SELECT id FROM towns WHERE city = (SELECT number FROM aliased LIMIT 1)")) {
        assertThat(refusal(client, sql)).as(sql).contains("AB20");
      }
    }
  }

  @Test
  void thatWereMadePastTheProxyAreReadOrRefused(DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, Layout.PASS_THROUGH, "it_encrypt_view_past");
        Connection client = pair.client()) {
      run(client, "INSERT INTO person (id, phone, mail) VALUES (1, '777', 'x@y')");
      servers
          .primaryA()
          .execute(
              "CREATE VIEW it_encrypt_view_past.seen AS SELECT id, phone_cipher, mail FROM"
                  + " it_encrypt_view_past.person",
              "CREATE VIEW it_encrypt_view_past.shows AS SELECT UPPER(phone_cipher) u FROM"
                  + " it_encrypt_view_past.person",
              "CREATE VIEW it_encrypt_view_past.compared AS SELECT phone_hash FROM"
                  + " it_encrypt_view_past.person",
              "CREATE VIEW it_encrypt_view_past.again AS SELECT u FROM it_encrypt_view_past.shows");
      assertThat(rows(client, "SELECT * FROM seen")).containsExactly(List.of("1", "777", "x@y"));
      for (String sql :
          List.of(
              "UPDATE seen SET phone_cipher = '888' WHERE id = 1",
              "INSERT INTO seen (id, phone_cipher) VALUES (2, '9')",
              "INSERT INTO seen (id) VALUES (1) ON DUPLICATE KEY UPDATE phone_cipher = '9'")) {
        assertThat(refusal(client, sql)).as(sql).contains("AB2070", "not all that is stored");
      }
      run(client, "UPDATE seen SET mail = 'x@y' WHERE id = 1");
      assertThat(rows(client, "SELECT id FROM person WHERE phone = '777'"))
          .containsExactly(List.of("1"));
      for (String view : List.of("shows", "compared", "again")) {
        assertThat(refusal(client, "SELECT * FROM " + view)).as(view).contains("AB2071");
      }
      assertThat(refusal(client, "CREATE OR REPLACE VIEW shows AS SELECT id, u FROM person, shows"))
          .contains("AB2071");
      run(client, "CREATE OR REPLACE VIEW shows AS SELECT id, phone FROM person");
      run(client, "ALTER VIEW compared AS SELECT phone FROM person");
      for (String sql : List.of("SELECT phone FROM shows", "SELECT * FROM compared")) {
        assertThat(rows(client, sql)).as(sql).containsExactly(List.of("777"));
      }
      run(client, "DROP VIEW shows, again");
    }
  }

  /** Another proxy makes a view anew: this one is told nothing. */
  @Test
  void areWhatTheyAreNow(DatabaseServers servers) throws SQLException {
    String schema = "it_encrypt_view_anew";
    try (Pair pair = new Pair(servers, Layout.PASS_THROUGH, schema);
        Connection client = pair.client()) {
      run(client, "INSERT INTO person (id, phone, city) VALUES (1, '777', 'Ulm')");
      run(client, "CREATE VIEW v AS SELECT id, city AS x FROM person");
      assertThat(rows(client, "SELECT x FROM v")).containsExactly(List.of("Ulm"));
      assertThat(rows(client, "SELECT * FROM v")).containsExactly(List.of("1", "Ulm"));
      String view = "CREATE OR REPLACE VIEW " + schema + ".v AS SELECT ";
      servers.primaryA().execute(view + "id, phone_cipher AS x FROM " + schema + ".person");
      assertThat(rows(client, "SELECT x FROM v")).containsExactly(List.of("777"));
      assertThat(rows(client, "SELECT * FROM v")).containsExactly(List.of("1", "777"));
      servers.primaryA().execute(view + "phone_cipher AS y, id AS x FROM " + schema + ".person");
      assertThat(rows(client, "SELECT x FROM v")).containsExactly(List.of("1"));
      assertThat(rows(client, "SELECT * FROM v")).containsExactly(List.of("777", "1"));
    }
  }

  @Test
  void areMaskedAsTheirTablesAre(DatabaseServers servers) throws SQLException {
    String schema = "it_encrypt_view_masked";
    var server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS " + schema,
        "CREATE DATABASE " + schema,
        "DROP DATABASE IF EXISTS " + schema + "_beside",
        "CREATE DATABASE " + schema + "_beside");
    String database =
        "databaseName: "
            + schema
            + "\ndataSources:\n"
            + RunningProxy.source("ds_0", server, schema)
            + "rules:\n"
            + EncryptIT.RULE
            + """
            - !MASK
              tables:
                person: { columns: { phone: { maskAlgorithm: first } } }
              maskAlgorithms:
                first: { type: KEEP_FIRST_N_LAST_M, props: { first-n: 1, last-m: 0, replace-char: '*' } }
              users: [auditor]
            """;
    String beside =
        "databaseName: "
            + schema
            + "_beside\ndataSources:\n"
            + RunningProxy.source("ds_1", server, schema + "_beside");
    String global =
        """
        authority:
          users:
            - { user: "auditor@%", password: secret }
            - { user: "clerk@%", password: secret }
        props: { proxy-admin-port: 0, proxy-drain-quiet-milliseconds: 0 }
        """;
    try (RunningProxy proxy = RunningProxy.startWith(global, database, beside);
        Connection client = as(proxy, "auditor", schema);
        Connection clerk = as(proxy, "clerk", schema);
        Connection other = as(proxy, "auditor", schema + "_beside")) {
      run(
          client,
          "CREATE TABLE person (id INT PRIMARY KEY, phone VARCHAR(40), mail VARCHAR(60), note TEXT)");
      run(client, "CREATE VIEW shown AS SELECT id, phone AS tel FROM person");
      run(client, "INSERT INTO shown VALUES (1, '777')");
      assertThat(rows(client, "SELECT * FROM shown")).containsExactly(List.of("1", "777"));
      assertThat(rows(clerk, "SELECT * FROM shown")).containsExactly(List.of("1", "7**"));
      assertThat(column(clerk, "SELECT tel AS t FROM shown WHERE tel = '777'"))
          .containsExactly("7**");
      for (String name : List.of("person", "shown")) {
        assertThat(refusal(other, "SELECT * FROM " + schema + "." + name))
            .as(name)
            .contains("AB2071");
      }
    }
  }

  private static Connection as(RunningProxy proxy, String user, String schema) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(proxy.port(), schema, user, "secret");
  }
}
