package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Encrypted columns: the proxy must answer as a database with plain values does, store no plain
 * value and show no ciphertext.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
class EncryptIT {

  static final String RULE =
      """
      - !ENCRYPT
        tables:
          person:
            columns:
              phone:
                cipher: { name: phone_cipher, encryptorName: aes }
                assistedQuery: { name: phone_hash, encryptorName: hash }
                likeQuery: { name: phone_like, encryptorName: like }
              mail:
                cipher: { name: mail, encryptorName: aes }
              note:
                cipher: { name: note_cipher, encryptorName: gcm }
          contact:
            columns:
              phone:
                cipher: { name: secret_phone, encryptorName: gcm }
                assistedQuery: { name: phone_digest, encryptorName: hash }
        encryptors:
          aes: { type: AES, props: { aes-key-value: 123456abc, digest-algorithm-name: SHA-1 } }
          gcm: { type: AES_GCM, props: { key-id: k2, key-value-k1: one, key-value-k2: two } }
          hash: { type: HMAC_SHA256, props: { hmac-key-value: pepper } }
          like: { type: CHAR_DIGEST_LIKE, props: { mask: 65535 } }
      """;

  private static final String LOGGED =
      "queryRules:\n- { name: all, match: { pattern: \".*\" }, log: true, next: true }\n";

  /** The plain columns where the others have encrypted ones. */
  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE person (id INT PRIMARY KEY, phone VARCHAR(40) NOT NULL, mail VARCHAR(60),"
              + " note TEXT, city VARCHAR(20), KEY by_phone (phone))",
          "CREATE TABLE contact (id INT PRIMARY KEY, phone VARCHAR(40), city VARCHAR(20))",
          "CREATE TABLE visit (id INT PRIMARY KEY, person_id INT, city VARCHAR(20))");

  enum Layout {
    PASS_THROUGH,
    SINGLE,
    SHARDED
  }

  enum Protocol {
    TEXT,
    PREPARED_TEXT,
    BINARY
  }

  /** A database with plain values beside the proxy with encrypted ones. */
  static final class Pair implements AutoCloseable {

    private final RunningProxy proxy;
    final List<DatabaseServer> servers;
    final String schema;
    final Connection plain;

    Pair(DatabaseServers servers, Layout layout, String schema) throws SQLException {
      this.schema = schema;
      DatabaseServer a = servers.primaryA();
      DatabaseServer b = servers.primaryB();
      this.servers = List.of(a, b);
      String make = " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";
      for (DatabaseServer server : this.servers) {
        server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema + make);
      }
      a.execute(
          "DROP DATABASE IF EXISTS " + schema + "_plain",
          "CREATE DATABASE " + schema + "_plain" + make);
      // plans with rules around them say what those inside say
      String rules = layout == Layout.SINGLE ? "" : LOGGED;
      proxy = RunningProxy.startWith(rules, List.of(), database(layout, schema, a, b));
      plain = a.connect(schema + "_plain");
      try (Connection client = client()) {
        for (String table : TABLES) {
          run(plain, table);
          run(client, table);
        }
      }
    }

    private static String database(
        Layout layout, String schema, DatabaseServer a, DatabaseServer b) {
      String head =
          "databaseName: " + schema + "\ndataSources:\n" + RunningProxy.source("ds_0", a, schema);
      String second = RunningProxy.source("ds_1", b, schema);
      return switch (layout) {
        case PASS_THROUGH -> head + "rules:\n" + RULE;
        case SINGLE ->
            head
                + second
                + "rules:\n- !SINGLE\n  tables: [\"*.*\"]\n  defaultDataSource: ds_1\n"
                + RULE;
        case SHARDED ->
            head
                + second
                + """
                rules:
                - !SHARDING
                  tables:
                    person:
                      actualDataNodes: ds_${0..1}.person_${0..1}
                      databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: halves } }
                      tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: thirds } }
                    contact:
                      actualDataNodes: ds_${0..1}.contact
                      databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: halves } }
                  shardingAlgorithms:
                    halves: { type: MOD, props: { sharding-count: 2 } }
                    thirds: { type: INLINE, props: { algorithm-expression: "person_${id.intdiv(2) % 2}", allow-range-query-with-inline-sharding: true } }
                - !SINGLE
                  tables: ["*.*"]
                  defaultDataSource: ds_0
                """
                + RULE;
      };
    }

    Connection client(String... options) throws SQLException {
      return proxy.connect(schema, options);
    }

    /** Everything that the databases have stored. */
    List<String> stored() throws SQLException {
      var cells = new ArrayList<String>();
      for (DatabaseServer server : servers) {
        try (Connection connection = server.connect(schema)) {
          for (String table : column(connection, "SHOW TABLES")) {
            for (List<@Nullable String> row : rows(connection, "SELECT * FROM " + table)) {
              row.stream().filter(Objects::nonNull).forEach(cells::add);
            }
          }
        }
      }
      return cells;
    }

    @Override
    public void close() throws SQLException {
      plain.close();
      proxy.close();
    }
  }

  static int run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      return statement.getUpdateCount();
    }
  }

  static List<String> column(Connection connection, String sql) throws SQLException {
    return rows(connection, sql).stream().map(row -> String.valueOf(row.getFirst())).toList();
  }

  static List<List<@Nullable String>> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return read(rows);
    }
  }

  private static List<List<@Nullable String>> read(ResultSet rows) throws SQLException {
    var all = new ArrayList<List<@Nullable String>>();
    int count = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      var row = new ArrayList<@Nullable String>();
      for (int i = 1; i <= count; i++) {
        row.add(rows.getString(i));
      }
      all.add(row);
    }
    return all;
  }

  /** What came of a statement: labels and rows, or a count. */
  private static String answer(
      Connection connection, Protocol protocol, String sql, @Nullable Object... values)
      throws SQLException {
    if (protocol == Protocol.TEXT) {
      try (Statement statement = connection.createStatement()) {
        boolean hasRows = statement.execute(written(sql, values));
        return hasRows ? told(statement.getResultSet()) : "" + statement.getUpdateCount();
      }
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      String last = "";
      // the second execution runs on what the first has left
      for (int times = 0; times < (isQuery(sql) ? 2 : 1); times++) {
        for (int i = 0; i < values.length; i++) {
          statement.setObject(i + 1, values[i]);
        }
        boolean hasRows = statement.execute();
        last = hasRows ? told(statement.getResultSet()) : "" + statement.getUpdateCount();
      }
      return last;
    }
  }

  static boolean isQuery(String sql) {
    return sql.startsWith("SELECT") || sql.startsWith("WITH") || sql.startsWith("(");
  }

  private static String written(String sql, @Nullable Object... values) {
    var text = new StringBuilder();
    int next = 0;
    for (int i = 0; i < sql.length(); i++) {
      char c = sql.charAt(i);
      if (c == '?') {
        Object value = values[next++];
        text.append(
            value instanceof String string
                ? "'" + string.replace("\\", "\\\\").replace("'", "\\'") + "'"
                : String.valueOf(value));
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  private static String told(ResultSet rows) throws SQLException {
    try (rows) {
      ResultSetMetaData columns = rows.getMetaData();
      var labels = new ArrayList<String>();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        labels.add(columns.getColumnLabel(i));
      }
      List<String> sorted = read(rows).stream().map(String::valueOf).sorted().toList();
      return labels + "\n" + String.join("\n", sorted);
    }
  }

  // ---------------------------------------------------------------- rows

  record Case(String sql, @Nullable Object... values) {}

  private static final String HAN = "+86 \u6c49\u5b57";

  private static List<Case> writes() {
    return List.of(
        new Case(
            "INSERT INTO person (id, phone, mail, note, city) VALUES (?, ?, ?, ?, ?)",
            1,
            "13800000001",
            "one@example.org",
            "likes \"quotes\" and 'more' \\ so",
            "Bonn"),
        new Case(
            "INSERT INTO person VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?)",
            2,
            "13800000002",
            "two@example.org",
            HAN + " \ud83d\ude00",
            "Bonn",
            3,
            "13800000003",
            null,
            null,
            "Kiel"),
        new Case("INSERT INTO person SET id = ?, phone = ?, mail = ?", 4, "", "same@example.org"),
        new Case(
            "INSERT INTO person (mail, id, phone, city) VALUES (?, ?, ?, ?)",
            "same@example.org",
            5,
            "13800000001",
            "Kiel"),
        new Case("REPLACE INTO person (id, phone, city) VALUES (?, ?, ?)", 6, 4711, "Ulm"),
        new Case("REPLACE INTO person (id, phone, city) VALUES (?, ?, ?)", 6, "13800000006", "Ulm"),
        new Case(
            "INSERT INTO person (id, phone) VALUES (?, ?) ON DUPLICATE KEY UPDATE mail = ?, phone ="
                + " VALUES(phone)",
            6,
            "13900000006",
            "six@example.org"),
        new Case(
            "UPDATE person SET mail = ?, city = 'Trier' WHERE phone = ?", "x@y", "13800000003"),
        new Case("UPDATE person SET note = ? WHERE id IN (?, ?)", "a new note", 2, 3),
        new Case(
            "UPDATE person p SET p.phone = ? WHERE p.phone IN (?, ?)", "777", "13900000006", "no"),
        new Case("INSERT INTO person (id, phone) VALUES (?, ?)", 7, "gone"),
        new Case("DELETE FROM person WHERE phone = ?", "gone"),
        new Case(
            "INSERT INTO contact (id, phone, city) VALUES (?, ?, ?), (?, ?, ?), (?, ?, ?)",
            1,
            "13800000001",
            "Bonn",
            2,
            "777",
            "Ulm",
            3,
            null,
            "Kiel"),
        new Case("INSERT INTO visit VALUES (1, 1, 'Bonn'), (2, 2, 'Bonn'), (3, 5, 'Ulm')"));
  }

  private static List<Case> queries() {
    var cases = new ArrayList<Case>();
    for (String items :
        List.of(
            "phone",
            "id, phone, mail, note",
            "*",
            "p.*",
            "p.phone AS number, p.id + 1, p.note",
            "Phone, mail AS MAIL, phone = '777' AS same",
            "COUNT(phone), COUNT(DISTINCT phone), COUNT(mail)",
            "phone = '777', COUNT(*), COUNT(DISTINCT p.mail)")) {
      boolean groups = items.contains("'777', COUNT");
      for (Case where : conditions()) {
        cases.add(
            new Case(
                "SELECT "
                    + items
                    + " FROM person p WHERE "
                    + where.sql()
                    + (groups ? " GROUP BY p.phone = '777'" : ""),
                where.values()));
      }
    }
    cases.addAll(
        List.of(
            new Case("SELECT person.*, person.id FROM person"),
            new Case("SELECT mail, COUNT(*) FROM person GROUP BY mail"),
            new Case("SELECT DISTINCT mail FROM person"),
            new Case("SELECT DISTINCT phone, city FROM person WHERE phone <> ?", ""),
            new Case("SELECT city, COUNT(DISTINCT phone) c FROM person GROUP BY city"),
            new Case("SELECT phone FROM person ORDER BY id LIMIT 2"),
            new Case("SELECT phone FROM person WHERE id = ? FOR UPDATE", 1),
            new Case("SELECT CASE WHEN phone = ? THEN 'it' ELSE 'not' END k FROM person", "777"),
            new Case("SELECT IF(mail IN (?, ?), city, id) AS k FROM person", "x@y", "none"),
            new Case("SELECT p.id, c.phone, p.phone FROM person p JOIN contact c ON p.id = c.id"),
            new Case(
                "SELECT p.*, c.* FROM person p, contact c WHERE p.id = c.id AND c.phone = ?",
                "777"),
            new Case(
                "SELECT id FROM person WHERE id IN (SELECT id FROM contact WHERE phone = ?)",
                "777"),
            new Case(
                "SELECT id, phone FROM person p WHERE EXISTS (SELECT * FROM contact c WHERE c.id ="
                    + " p.id AND c.phone = p.phone)"),
            new Case("SELECT COUNT(*) FROM person p JOIN contact c ON p.phone = c.phone"),
            new Case("SELECT p.id, c.id FROM person p JOIN contact c ON p.phone = c.phone"),
            new Case("SELECT id FROM person WHERE phone IN (SELECT phone FROM contact)"),
            new Case("SELECT phone FROM person UNION ALL SELECT mail FROM person"),
            new Case("SELECT mail, id FROM person UNION SELECT mail, id FROM person"),
            new Case(
                "SELECT x.phone, x.id FROM (SELECT id, phone FROM person WHERE city = ?) x",
                "Bonn"),
            new Case(
                "SELECT x.* FROM (SELECT * FROM person) x WHERE x.mail = ?", "same@example.org"),
            new Case("SELECT mm FROM (SELECT mail AS mm, id FROM person) x WHERE mm IS NOT NULL"),
            new Case(
                "WITH c AS (SELECT phone, id FROM person WHERE phone <> ?) SELECT phone, id FROM c",
                "777"),
            new Case("SELECT v.id, (SELECT phone FROM person p WHERE p.id = 1) ph FROM visit v"),
            new Case("SELECT v.*, p.phone FROM visit v JOIN person p ON p.id = v.person_id"),
            new Case("SELECT `phone` FROM `person` WHERE `phone`='777'")));
    return cases;
  }

  private static List<Case> conditions() {
    return List.of(
        new Case("1 = 1"),
        new Case("phone = ?", "13800000001"),
        new Case("? = p.phone", "777"),
        new Case("phone <=> ? OR mail <=> NULL", "777"),
        new Case("phone != ? AND id < ?", "777", 5),
        new Case("phone IN (?, ?, ?)", "777", "13800000002", "none"),
        new Case("NOT (mail IN (?, NULL)) AND id BETWEEN 1 AND 5", "x@y"),
        new Case("phone NOT IN (?)", "777"),
        new Case("mail IS NULL OR note IS NOT NULL"),
        new Case("phone LIKE ?", "138%"),
        new Case("phone NOT LIKE ? AND p.phone LIKE ?", "%6", "__________%"),
        new Case("id = ? AND phone = ? AND mail = ?", 1, "13800000001", "one@example.org"),
        new Case("phone = ?", ""));
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void answersAsADatabaseOfPlainValues(Layout layout, DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, layout, "it_encrypt_all")) {
      for (Protocol protocol : Protocol.values()) {
        assertAlike(
            pair,
            protocol,
            List.of("person", "contact", "visit"),
            Stream.concat(writes().stream(), queries().stream()).toList());
        assertNoPlainValue(pair);
      }
    }
  }

  /** What is stored for a character may be one that patterns take for another thing than itself. */
  @ParameterizedTest
  @EnumSource
  void patternsMeanCharactersThemselves(Protocol protocol, DatabaseServers servers)
      throws SQLException {
    var cases = new ArrayList<Case>();
    var phones = List.of("[x", "$5", "&a", "^b", "x y", "abc", "");
    for (String phone : phones) {
      cases.add(
          new Case("INSERT INTO person (id, phone) VALUES (?, ?)", phones.indexOf(phone), phone));
    }
    for (String pattern : List.of("[%", "[x", "$%", "$_", "&%", "^%", "^_", "_^%", "%]", "abc")) {
      cases.add(new Case("SELECT id FROM person WHERE phone LIKE ? ORDER BY id", pattern));
      cases.add(new Case("SELECT id FROM person WHERE phone NOT LIKE ? ORDER BY id", pattern));
    }
    try (Pair pair = new Pair(servers, Layout.SHARDED, "it_encrypt_like")) {
      assertAlike(pair, protocol, List.of("person"), cases);
    }
  }

  @ParameterizedTest
  @EnumSource
  void textsAreInTheClientsCharacterSet(Layout layout, DatabaseServers servers)
      throws SQLException {
    String text = "caf\u00e9";
    try (Pair pair = new Pair(servers, layout, "it_encrypt_charset")) {
      try (Connection client = mysqlDriver(pair, "characterSetResults=latin1")) {
        run(
            client,
            "INSERT INTO person (id, phone) VALUES (1, '" + text + "'), (2, '" + text + "')");
        assertThat(column(client, "SELECT phone FROM person")).containsExactly(text, text);
        assertThat(column(client, "SELECT phone FROM person WHERE id = 2")).containsExactly(text);
      }
      // sets character_set_results to NULL: each text comes in its column's own character set
      for (String prepares : List.of("false", "true")) {
        try (Connection client = mysqlDriver(pair, "useServerPrepStmts=" + prepares);
            PreparedStatement write =
                client.prepareStatement("UPDATE person SET mail = ? WHERE id = 2");
            PreparedStatement read =
                client.prepareStatement("SELECT mail FROM person WHERE id = 2")) {
          write.setString(1, HAN);
          write.execute();
          assertThat(column(client, "SELECT phone FROM person")).containsExactly(text, text);
          assertThat(column(client, "SELECT mail FROM person WHERE mail IS NOT NULL"))
              .containsExactly(HAN);
          try (ResultSet rows = read.executeQuery()) {
            assertThat(read(rows)).containsExactly(List.of(HAN));
          }
        }
      }
    }
  }

  private static Connection mysqlDriver(Pair pair, String options) throws SQLException {
    return RunningProxy.Driver.MYSQL.connect(
        pair.proxy.port(), pair.schema, RunningProxy.USER, RunningProxy.PASSWORD, options);
  }

  /** Answers are those of plain columns, with no row in the tables at first. */
  static void assertAlike(Pair pair, Protocol protocol, List<String> tables, List<Case> cases)
      throws SQLException {
    var different = new ArrayList<String>();
    try (Connection client = client(pair, protocol)) {
      for (String table : tables) {
        run(client, "DELETE FROM " + table);
        run(pair.plain, "DELETE FROM " + table);
      }
      cases.forEach(each -> compare(pair, client, protocol, each, different::add));
    }
    assertThat(different).as("%s", protocol).isEmpty();
  }

  private static Connection client(Pair pair, Protocol protocol) throws SQLException {
    return protocol == Protocol.BINARY ? pair.client("useServerPrepStmts=true") : pair.client();
  }

  private static void compare(
      Pair pair, Connection client, Protocol protocol, Case each, Consumer<String> different) {
    String wanted;
    String got;
    try {
      wanted = answer(pair.plain, protocol, each.sql(), each.values());
    } catch (SQLException e) {
      throw new IllegalStateException(each.sql(), e);
    }
    try {
      got = answer(client, protocol, each.sql(), each.values());
    } catch (SQLException e) {
      got = e.getErrorCode() + " " + e.getMessage();
    }
    if (!got.equals(wanted)) {
      different.accept(each.sql() + "\n  wanted " + wanted + "\n  got " + got + "\n");
    }
  }

  private static void assertNoPlainValue(Pair pair) throws SQLException {
    List<String> stored = pair.stored();
    for (String plain :
        List.of("138000", "139000", "@example.org", "x@y", "a new note", "quotes", HAN)) {
      assertThat(stored).noneMatch(cell -> cell.contains(plain));
    }
    assertThat(stored).doesNotContain("777", "4711", "gone").contains("Bonn");
  }

  // ---------------------------------------------------------------- refusals

  private static List<String> refused() {
    return List.of(
        "SELECT id FROM person ORDER BY phone",
        "SELECT phone AS p FROM person ORDER BY p",
        "SELECT phone AS p, id FROM person ORDER BY 1",
        "SELECT phone AS p FROM person HAVING p = 'x'",
        "SELECT phone AS p FROM person ORDER BY LENGTH(p)",
        "(SELECT phone FROM person) ORDER BY phone",
        "(SELECT phone FROM person) ORDER BY 1",
        "SELECT phone FROM person UNION ALL SELECT phone FROM person ORDER BY phone",
        "SELECT phone FROM person UNION ALL SELECT city FROM person",
        "SELECT phone_cipher FROM person",
        "SELECT ph\u00f6ne FROM person",
        "SELECT p.ph\u00f6ne_c\u00efpher FROM person p",
        "SELECT `phone_hash ` FROM person",
        "SELECT phone_hash FROM person",
        "SELECT p.phone_like FROM person p",
        "SELECT CONCAT(phone, '') FROM person",
        "SELECT phone + 0 FROM person",
        "SELECT MAX(phone) FROM person",
        "SELECT MIN(p.phone) FROM person p",
        "SELECT GROUP_CONCAT(phone) FROM person",
        "SELECT (phone) FROM person",
        "SELECT UPPER(x.phone) FROM (SELECT phone FROM person) x",
        "SELECT * FROM (SELECT UPPER(phone) u FROM person) x",
        "SELECT id FROM person WHERE phone > '1'",
        "SELECT id FROM person WHERE phone BETWEEN '1' AND '2'",
        "SELECT id FROM person WHERE id BETWEEN 1 AND phone = '777'",
        "SELECT id FROM person WHERE phone = city",
        "SELECT id FROM person WHERE phone = CONCAT('7', '77')",
        "SELECT id FROM person WHERE phone = '777' COLLATE utf8mb4_general_ci",
        "SELECT id FROM person WHERE phone = _latin1'777'",
        "SELECT id FROM person WHERE (phone, city) = ('777', 'Ulm')",
        "SELECT id FROM person WHERE phone = (SELECT phone FROM contact LIMIT 1)",
        "SELECT id FROM person WHERE city IN (SELECT phone FROM contact)",
        "SELECT id FROM person WHERE phone IN (SELECT city FROM contact)",
        "SELECT id FROM person WHERE phone LIKE CONCAT('7', '%')",
        "SELECT id FROM person WHERE phone LIKE '7\\\\%'",
        "SELECT id FROM person WHERE phone REGEXP '7'",
        "SELECT id FROM person WHERE mail LIKE '7%'",
        "SELECT id FROM person WHERE note = 'x'",
        "SELECT id FROM person WHERE phone = x'373737'",
        "SELECT id FROM person WHERE phone = 777",
        "SELECT id FROM person WHERE phone IN (777.0)",
        "SELECT note FROM person GROUP BY note",
        "SELECT DISTINCT note FROM person",
        "SELECT SQL_NO_CACHE DISTINCT note FROM person",
        "SELECT HIGH_PRIORITY DISTINCT note FROM person",
        "SELECT /*+ MAX_EXECUTION_TIME(1000) */ DISTINCT note FROM person",
        "SELECT id, phone FROM person ORDER BY (2)",
        "SELECT id, phone FROM person ORDER BY id, +(2) DESC",
        "SELECT phone FROM person ORDER BY TRUE",
        "SELECT mail, COUNT(*) FROM person GROUP BY (1)",
        "SELECT phone FROM person, contact",
        "SELECT * FROM person NATURAL JOIN visit",
        "SELECT COUNT(*) OVER (ORDER BY phone) FROM person",
        "SELECT @a := phone FROM person",
        "SELECT phone INTO @a FROM person WHERE id = 1",
        "SELECT SQL_CALC_FOUND_ROWS phone FROM person",
        "SELECT id, phone AS city FROM person ORDER BY city",
        "SELECT city AS phone FROM person",
        "SET @a = (SELECT phone FROM person WHERE id = 1)",
        "DO (SELECT phone FROM person WHERE id = 1)",
        "HANDLER person OPEN",
        "CREATE VIEW v AS SELECT UPPER(phone) FROM person",
        "CREATE VIEW v AS SELECT id FROM person ORDER BY phone",
        "CREATE VIEW v AS (SELECT id, phone FROM person)",
        "CREATE TABLE copied LIKE person",
        "CREATE TABLE copied SELECT * FROM person",
        "CREATE TABLE copied AS SELECT phone FROM person",
        "CREATE TEMPORARY TABLE copied SELECT phone FROM person",
        "CREATE TRIGGER tr BEFORE INSERT ON person FOR EACH ROW SET @a = NEW.phone_cipher",
        "CREATE INDEX i ON person (note)",
        "ALTER TABLE person ADD COLUMN phone_cipher INT",
        "ALTER TABLE person DROP COLUMN phone_cipher",
        "ALTER TABLE person RENAME TO people",
        "RENAME TABLE person TO people",
        "LOAD DATA INFILE 'x' INTO TABLE person",
        "INSERT INTO person (id, phone) VALUES (90, CONCAT('138', '0'))",
        "INSERT INTO person (id, phone) VALUES (90, UPPER('x'))",
        "INSERT INTO person (id, phone) VALUES (90, 1.5e3)",
        "INSERT INTO person (id, phone) VALUES (90, x'41')",
        "INSERT INTO person (id, phone) VALUES (90, DATE '2020-01-01')",
        "INSERT INTO person (id, phone_cipher) VALUES (90, 'plain')",
        "INSERT INTO person (id, phone) SELECT id, city FROM visit",
        "INSERT INTO person (id, phone) SELECT id, 'Rhein' FROM visit",
        "INSERT INTO person (id, phone) SELECT id, phone FROM contact",
        "INSERT INTO person (id, phone) SELECT id, mail FROM person",
        "INSERT INTO contact (id, phone) SELECT id, UPPER(phone) FROM person",
        "INSERT INTO person SELECT * FROM person",
        "INSERT INTO visit (id, city) SELECT id, phone FROM person",
        "INSERT INTO visit SELECT p.id, 1, p.phone FROM person p",
        "INSERT INTO person (id, phone) VALUES (1, 'x') ON DUPLICATE KEY UPDATE city = VALUES(phone)",
        "INSERT INTO person (id, phone) VALUES (1, 'x') ON DUPLICATE KEY UPDATE phone = CONCAT('a', 'b')",
        "INSERT INTO person (id, phone) VALUES (1, 'x') AS n (a, b) ON DUPLICATE KEY UPDATE city = b",
        "INSERT INTO person SET id = 1, phone = 'x' AS n (a, b) ON DUPLICATE KEY UPDATE city = b",
        "INSERT INTO person (id, phone) VALUES (91, 'x') RETURNING UPPER(phone)",
        "INSERT INTO person (id, phone) VALUES (91, 'x') RETURNING id, phone = 'x'",
        "INSERT INTO person (id, phone) VALUES (91, 'x') RETURNING phone_hash",
        "INSERT INTO person (id, phone) SELECT id + 40, phone FROM person RETURNING *",
        "DELETE FROM person WHERE id = 99 RETURNING CONCAT(phone, '')",
        "UPDATE person SET phone = city",
        "UPDATE person SET city = phone",
        "UPDATE person SET city = CONCAT(phone, '')",
        "UPDATE person SET phone = CONCAT('a', 'b')",
        "UPDATE person SET phone_cipher = 'x'",
        "UPDATE person SET city = 'x' ORDER BY phone LIMIT 1",
        "UPDATE visit, person SET visit.city = person.phone WHERE visit.person_id = person.id",
        "EXPLAIN FORMAT=JSON SELECT * FROM person WHERE phone = '777'",
        "EXPLAIN SELECT * FROM person WHERE UPPER(phone) = '777'",
        "EXPLAIN FOR CONNECTION 1 SELECT phone FROM person",
        "SET @a = (SELECT mail FROM person WHERE id = 1)",
        "SET sql_mode = (SELECT mail FROM person WHERE id = 1)",
        "KILL (SELECT id FROM person WHERE mail = 'x@y')",
        "SET STATEMENT max_statement_time = 9 FOR SELECT UPPER(mail) FROM person",
        "SHOW COLUMNS FROM person LIKE 'phone%'");
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void refusesWhatItDoesNotUnderstand(Layout layout, DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, layout, "it_encrypt_refused");
        Connection client = pair.client()) {
      run(
          client,
          "INSERT INTO person VALUES (1, '777', 'x@y', 'a note', 'Ulm'), (2, '778', 'y@y', 'b', 'Bonn')");
      List<String> before = pair.stored();
      var taken = new ArrayList<String>();
      for (String sql : refused()) {
        SQLException refusal = catchThrowableOfType(SQLException.class, () -> run(client, sql));
        if (refusal == null) {
          taken.add(sql);
        }
      }
      assertThat(taken).isEmpty();
      assertThat(pair.stored()).isEqualTo(before);
    }
  }

  @Test
  void namesTheConstructAndTheWayOut(DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, Layout.PASS_THROUGH, "it_encrypt_words");
        Connection client = pair.client()) {
      assertThat(refusal(client, "SELECT id FROM person WHERE phone > '13'"))
          .contains("AB2070")
          .contains("phone")
          .contains("=, <>, IN, IS NULL")
          .doesNotContain("'13'");
      assertThat(refusal(client, "SELECT id FROM person WHERE note = 'x'"))
          .contains("assistedQuery");
      assertThat(refusal(client, "SELECT id FROM person WHERE mail LIKE 'x'"))
          .contains("likeQuery");
      assertThat(refusal(client, "CREATE VIEW v AS SELECT UPPER(phone) FROM person"))
          .contains("AB2070");
    }
  }

  static String refusal(Connection client, String sql) {
    SQLException refused = catchThrowableOfType(SQLException.class, () -> run(client, sql));
    return String.valueOf(refused == null ? null : refused.getMessage());
  }

  // ---------------------------------------------------------------- what is told of tables

  @ParameterizedTest
  @EnumSource(Layout.class)
  void hidesStoredColumns(Layout layout, DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, layout, "it_encrypt_shown");
        Connection client = pair.client()) {
      for (String sql :
          List.of(
              "DESC person",
              "DESCRIBE person",
              "SHOW COLUMNS FROM person",
              "SHOW FULL FIELDS IN person")) {
        assertThat(column(client, sql)).containsExactly("id", "phone", "mail", "note", "city");
      }
      String definition =
          String.valueOf(rows(client, "SHOW CREATE TABLE person").getFirst().get(1));
      assertThat(definition.toLowerCase(Locale.ROOT))
          .contains("`phone`", "`mail`", "`note`", "key `by_phone` (`phone`)")
          .doesNotContain("phone_", "note_");
      assertThat(
              rows(client, "SHOW INDEX FROM person").stream()
                  .map(row -> row.get(4))
                  .collect(Collectors.toSet()))
          .containsExactlyInAnyOrder("id", "phone");
    }
  }

  /** Cells of some columns of an answer, by their numbers. */
  private static List<List<Object>> cells(Connection connection, String sql, int... columns)
      throws SQLException {
    return rows(connection, sql).stream()
        .map(
            row ->
                Arrays.stream(columns).<Object>mapToObj(i -> String.valueOf(row.get(i))).toList())
        .toList();
  }

  @ParameterizedTest
  @EnumSource(
      value = Layout.class,
      names = {"PASS_THROUGH", "SINGLE"})
  void tellsKeysAsServersDo(Layout layout, DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, layout, "it_encrypt_keys");
        Connection client = pair.client()) {
      for (String definition :
          List.of(
              "phone VARCHAR(40), city VARCHAR(20), KEY (phone), INDEX (phone, city), KEY (city)",
              "phone VARCHAR(40) NOT NULL UNIQUE, city VARCHAR(20), KEY by_both (city, phone)",
              "phone VARCHAR(40) UNIQUE, city VARCHAR(20), KEY phone_2 (city), UNIQUE (phone)",
              "phone VARCHAR(40), city VARCHAR(20), CONSTRAINT UNIQUE (phone), KEY (city, phone)",
              "phone VARCHAR(40), city VARCHAR(20), CONSTRAINT one UNIQUE (phone)")) {
        for (Connection each : List.of(pair.plain, client)) {
          run(each, "DROP TABLE contact");
          run(each, "CREATE TABLE contact (id INT PRIMARY KEY, " + definition + ")");
        }
        for (String sql : List.of("DESC contact", "SHOW COLUMNS FROM contact")) {
          assertThat(cells(client, sql, 0, 3))
              .as(definition)
              .isEqualTo(cells(pair.plain, sql, 0, 3));
        }
        assertThat(cells(client, "SHOW INDEX FROM contact", 1, 2, 3, 4))
            .as(definition)
            .containsExactlyInAnyOrderElementsOf(
                cells(pair.plain, "SHOW INDEX FROM contact", 1, 2, 3, 4));
        for (String setting :
            List.of(
                "sql_mode = ''",
                "sql_mode = 'ANSI_QUOTES'",
                "sql_mode = ''",
                "sql_quote_show_create = 0")) {
          for (Connection each : List.of(pair.plain, client)) {
            run(each, "SET " + setting);
          }
          assertThat(keys(client)).as(definition + setting).isEqualTo(keys(pair.plain));
        }
        for (Connection each : List.of(pair.plain, client)) {
          run(each, "SET sql_quote_show_create = 1");
        }
      }
    }
  }

  /** The lines of SHOW CREATE TABLE that are keys'. */
  private static List<String> keys(Connection connection) throws SQLException {
    return String.valueOf(rows(connection, "SHOW CREATE TABLE contact").getFirst().get(1))
        .lines()
        .filter(line -> line.contains("KEY"))
        .map(line -> line.endsWith(",") ? line.substring(0, line.length() - 1) : line)
        .toList();
  }

  /** Also where one part of a table answers, by whatever name it has. */
  @ParameterizedTest
  @EnumSource
  void tellsTablesByTheirNames(Layout layout, DatabaseServers servers) throws SQLException {
    try (var pair = new Pair(servers, layout, "encrypt_tables");
        Connection client = pair.client()) {
      String row = "INSERT INTO person (id, phone, city) VALUES (3, '777', 'Bonn')";
      run(pair.plain, row);
      run(client, row);
      for (String query :
          List.of(
              "SELECT * FROM person WHERE id = 3",
              "SELECT p.phone, p.city FROM person AS p WHERE p.id = 99",
              "SELECT phone, note FROM person WHERE 1 = 0",
              "SELECT DISTINCT mail, city FROM person WHERE id = 5 ORDER BY city",
              "SELECT p.phone, c.phone FROM person p JOIN contact c ON c.id = p.id WHERE p.id = 4",
              "SELECT phone, city FROM person")) {
        assertThat(tables(client, query)).as(query).isEqualTo(tables(pair.plain, query));
      }
    }
  }

  /** A statement may be planned for several parts, and be answered by one. */
  @ParameterizedTest
  @EnumSource
  void tellsColumnsOfThePartThatValuesName(Layout layout, DatabaseServers servers)
      throws SQLException {
    try (var pair = new Pair(servers, layout, "encrypt_values");
        Connection client = pair.client("useServerPrepStmts=true")) {
      String row = "INSERT INTO person (id, phone, city) VALUES (3, '777', 'Bonn')";
      run(pair.plain, row);
      run(client, row);
      for (String query :
          List.of(
              "SELECT * FROM person WHERE id = ? AND ? = id",
              "SELECT * FROM person AS p WHERE p.id = ? AND ? = p.id ORDER BY COALESCE(city, id)",
              "SELECT DISTINCT phone, id + 1 AS next, city FROM person p"
                  + " WHERE p.id = ? AND ? = p.id ORDER BY COALESCE(next, 0) DESC",
              "SELECT p.city, p.phone FROM person AS p WHERE p.id IN (?, ?)",
              "SELECT p.phone, c.phone FROM person p JOIN contact c ON c.id = p.id"
                  + " WHERE p.id = ? AND ? = p.id")) {
        for (int other : new int[] {3, 4, 5}) {
          assertThat(tables(client, query, 3, other))
              .as(query)
              .isEqualTo(tables(pair.plain, query, 3, other));
        }
      }
    }
  }

  /** One plan serves all literals, whichever it was made for: those of one part, or of several. */
  @ParameterizedTest
  @EnumSource
  void preparesWhatWasPlannedForOthers(Layout layout, DatabaseServers servers) throws SQLException {
    try (var pair = new Pair(servers, layout, "encrypt_prepared");
        Connection client = pair.client("useServerPrepStmts=true")) {
      for (String keys : List.of("2, 3", "3, 3", "4, 5", "7, 7")) {
        String query = "SELECT phone, city FROM person WHERE id IN (" + keys + ") ORDER BY city";
        try (PreparedStatement statement = client.prepareStatement(query)) {
          ResultSetMetaData columns = statement.getMetaData();
          assertThat(columns.getColumnCount()).as(query).isEqualTo(2);
          assertThat(columns.getColumnLabel(1)).isEqualTo("phone");
          assertThat(columns.getTableName(1)).isEqualTo("person");
        }
        assertThat(tables(client, query)).isEqualTo(tables(pair.plain, query));
      }
    }
  }

  private static List<String> tables(Connection connection, String query, int... values)
      throws SQLException {
    var tables = new ArrayList<String>();
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < values.length; i++) {
        statement.setInt(i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        ResultSetMetaData columns = rows.getMetaData();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          tables.add(columns.getColumnLabel(i) + " of " + columns.getTableName(i));
        }
      }
    }
    return tables;
  }

  /** On MySQL it is refused. */
  @Test
  void explainsNothingThatIsStored(DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, Layout.PASS_THROUGH, "it_encrypt_told");
        Connection client = pair.client()) {
      run(client, "INSERT INTO person VALUES (1, '777', 'x@y', 'a note', 'Ulm')");
      String sql = "EXPLAIN SELECT id FROM person WHERE phone = '777' AND mail = 'x@y'";
      String refusal = refusal(client, sql);
      String told = refusal.contains("AB2071") ? refusal : String.valueOf(rows(client, sql));
      assertThat(pair.stored()).noneMatch(cell -> cell.length() > 9 && told.contains(cell));
    }
  }

  @Test
  void copiesWhatIsStored(DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, Layout.PASS_THROUGH, "it_encrypt_copied");
        Connection client = pair.client()) {
      for (Connection each : List.of(pair.plain, client)) {
        run(each, "CREATE TABLE mailbox (id INT PRIMARY KEY, mail VARCHAR(60))");
        run(each, "INSERT INTO mailbox VALUES (1, 'plain mail'), (2, 'other mail')");
        run(
            each,
            "INSERT INTO person VALUES (1, '777', 'x@y', NULL, 'Ulm'), (2, '778', 'y@y', NULL, 'Bonn')");
      }
      for (Case each :
          List.of(
              new Case(
                  "INSERT INTO person (id, phone, mail) SELECT id + 20, p.phone, p.mail AS m FROM person p WHERE phone = ?",
                  "777"),
              new Case(
                  "INSERT INTO contact (city, id) SELECT city, id FROM person WHERE phone = ?",
                  "778"),
              // the target's column, not the one of the same name that is read
              new Case(
                  "INSERT INTO person (id, phone) SELECT p.id, p.phone FROM mailbox m JOIN person p ON"
                      + " p.id = m.id ON DUPLICATE KEY UPDATE mail = ?, city = 'Jena'",
                  "late@example.org"),
              new Case(
                  "REPLACE INTO person (id, phone, city) SELECT 30 + id, phone, city FROM person"),
              new Case("SELECT * FROM person"),
              new Case("SELECT * FROM contact"))) {
        for (Protocol protocol : List.of(Protocol.TEXT, Protocol.BINARY)) {
          if (protocol == Protocol.TEXT || isQuery(each.sql())) {
            var different = new ArrayList<String>();
            try (Connection by = client(pair, protocol)) {
              compare(pair, by, protocol, each, different::add);
            }
            assertThat(different).isEmpty();
          }
        }
      }
      assertThat(pair.stored())
          .contains("plain mail")
          .noneMatch(cell -> cell.contains("late@") || cell.contains("x@y"))
          .doesNotContain("777", "778");
    }
  }

  @Test
  void readsWhatShardingSphereStored(DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, Layout.PASS_THROUGH, "it_encrypt_foreign");
        Connection client = pair.client()) {
      // AES of "test" with the key "123456abc", as `AES/ECB/PKCS5Padding` of SHA-1's first 16 bytes
      run(client, "INSERT INTO person (id, phone, mail) VALUES (1, 'a', 'test')");
      String stored =
          column(pair.servers.getFirst().connect(pair.schema), "SELECT mail FROM person")
              .getFirst();
      servers
          .primaryA()
          .execute(
              "INSERT INTO "
                  + pair.schema
                  + ".person (id, phone_cipher, phone_hash, phone_like, mail) VALUES (2, '"
                  + stored
                  + "', '', '', 'MyOShk4kjRnds7CZfFCCmQ==')");
      assertThat(column(client, "SELECT phone FROM person WHERE id = 2")).containsExactly("test");
      assertThat(refusal(client, "SELECT mail FROM person WHERE id = 2"))
          .contains("AB2073")
          .doesNotContain("MyOShk4kjRnds7CZfFCCmQ");
    }
  }

  /** Which values are encrypted is told by the table as it is now. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void columnsMayMove(Layout layout, DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, layout, "it_encrypt_move");
        Connection client = pair.client()) {
      run(client, "INSERT INTO contact VALUES (1, 'secret 1', 'here')");
      run(client, "ALTER TABLE contact ADD first INT FIRST");
      run(client, "INSERT INTO contact VALUES (7, 2, 'secret 2', 'here')");
      assertThat(column(client, "SELECT phone FROM contact ORDER BY id"))
          .containsExactly("secret 1", "secret 2");
      assertThat(pair.stored()).noneMatch(cell -> cell.contains("secret"));
    }
  }

  @Test
  void seesViewsAndPartsThatLeadPastTheRule(DatabaseServers servers) throws SQLException {
    try (Pair pair = new Pair(servers, Layout.SHARDED, "it_encrypt_detours");
        Connection client = pair.client()) {
      servers
          .primaryA()
          .execute(
              "CREATE VIEW it_encrypt_detours.seen AS SELECT * FROM it_encrypt_detours.person_0",
              "CREATE VIEW it_encrypt_detours.again AS SELECT * FROM it_encrypt_detours.seen");
      assertThat(refusal(client, "SELECT * FROM seen")).contains("AB2071");
      assertThat(refusal(client, "SELECT * FROM again")).contains("AB2071");
      assertThat(refusal(client, "SELECT * FROM person_0")).contains("AB2071");
      assertThat(
              refusal(
                  client,
                  "/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=ds_0 */ SELECT * FROM person_0"))
          .contains("AB2071");
    }
  }
}
