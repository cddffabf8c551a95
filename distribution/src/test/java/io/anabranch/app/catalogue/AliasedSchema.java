package io.anabranch.app.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.assertj.core.api.SoftAssertions;

/**
 * A pass-through database {@code nm_alias} over the schema {@code nm_truth} of a server that has a
 * schema {@code nm_alias}, too, with other rows in tables of the same names: nothing of that may be
 * seen or touched. What is right is what the server says of its schema {@code nm_plain}.
 *
 * <p>In statements {@code @} stands for the database's name, {@code ¤} for a table of that name.
 */
final class AliasedSchema {

  static final String LOGICAL = "nm_alias";
  static final String ACTUAL = "nm_truth";
  static final String PLAIN = "nm_plain";

  /** Everything that somebody could change in the schema of the other tenant. */
  private static final List<String> TRACES =
      List.of(
          "SELECT GROUP_CONCAT(TABLE_NAME, ENGINE, TABLE_COMMENT ORDER BY TABLE_NAME) FROM"
              + " information_schema.TABLES WHERE TABLE_SCHEMA = 'nm_alias'",
          "SELECT GROUP_CONCAT(TABLE_NAME, INDEX_NAME, COLUMN_NAME ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX) FROM"
              + " information_schema.STATISTICS WHERE TABLE_SCHEMA = 'nm_alias'",
          "SELECT GROUP_CONCAT(TABLE_NAME, COLUMN_NAME, COLUMN_TYPE ORDER BY TABLE_NAME, COLUMN_NAME) FROM"
              + " information_schema.COLUMNS WHERE TABLE_SCHEMA = 'nm_alias'",
          "SELECT GROUP_CONCAT(ROUTINE_NAME ORDER BY ROUTINE_NAME) FROM information_schema.ROUTINES WHERE"
              + " ROUTINE_SCHEMA = 'nm_alias'",
          "SELECT GROUP_CONCAT(TRIGGER_NAME ORDER BY TRIGGER_NAME) FROM information_schema.TRIGGERS WHERE"
              + " TRIGGER_SCHEMA = 'nm_alias'",
          "SELECT GROUP_CONCAT(EVENT_NAME ORDER BY EVENT_NAME) FROM information_schema.EVENTS WHERE"
              + " EVENT_SCHEMA = 'nm_alias'",
          "SELECT CONCAT(SCHEMA_NAME, DEFAULT_COLLATION_NAME) FROM information_schema.SCHEMATA WHERE"
              + " SCHEMA_NAME = 'nm_alias'",
          "SELECT GROUP_CONCAT(id, v ORDER BY id) FROM nm_alias.t",
          "SELECT GROUP_CONCAT(id, v ORDER BY id) FROM nm_alias.u");

  private final Consumer<String[]> server;
  private final Connecting proxied;
  private final Connecting direct;

  /** A connection to a database. */
  interface Connecting {
    Connection to(String database, String... options) throws SQLException;
  }

  AliasedSchema(Consumer<String[]> server, Connecting proxied, Connecting direct) {
    this.server = server;
    this.proxied = proxied;
    this.direct = direct;
  }

  /** The three schemas anew. */
  void make() {
    for (String schema : List.of(LOGICAL, ACTUAL, PLAIN)) {
      String rows = schema.equals(LOGICAL) ? "other" : "own";
      var made = new ArrayList<String>();
      made.add("DROP DATABASE IF EXISTS " + schema);
      made.add("CREATE DATABASE " + schema);
      for (String table : List.of("t", "u", schema.equals(PLAIN) ? PLAIN : LOGICAL)) {
        made.add(
            "CREATE TABLE %s.%s (id INT PRIMARY KEY, v VARCHAR(20), KEY v_key (v))"
                .formatted(schema, table));
        made.add("INSERT INTO %s.%s VALUES (1, '%s'), (2, 'two')".formatted(schema, table, rows));
      }
      made.add("CREATE PROCEDURE %s.p() SELECT '%s' AS who".formatted(schema, rows));
      made.add(
          "CREATE FUNCTION %s.f() RETURNS VARCHAR(20) DETERMINISTIC RETURN '%s'"
              .formatted(schema, rows));
      made.add(
          "CREATE TABLE %1$s.child (id INT PRIMARY KEY, t_id INT, CONSTRAINT fk FOREIGN KEY (t_id)"
                  .formatted(schema)
              + " REFERENCES %1$s.t (id))".formatted(schema));
      made.add("CREATE VIEW %1$s.w AS SELECT id, v FROM %1$s.t".formatted(schema));
      server.accept(made.toArray(String[]::new));
    }
  }

  /** Groups of statements, each on schemas made anew, with one connection each. */
  void same(boolean isPrepared, List<String> groups) throws SQLException {
    same((connection, sql) -> answer(isPrepared, connection, sql), groups);
  }

  /** The same of rows and columns' names alone: where they come from may differ. */
  void sameNames(List<String> groups) throws SQLException {
    same(
        (connection, sql) -> {
          Transcript answer = Transcript.of(connection, sql);
          return answer.isError()
              ? answer.toString()
              : answer.head().replaceAll("(?m)\\|.*$", "") + answer.rows();
        },
        groups);
  }

  private void same(BiFunction<Connection, String, String> asking, List<String> groups)
      throws SQLException {
    var softly = new SoftAssertions();
    boolean isChanged = true;
    for (String group : groups) {
      if (isChanged) {
        make();
      }
      isChanged = !group.matches("(?s)(SELECT|SHOW|EXPLAIN|TABLE|LOCK).*");
      List<String> before = traces();
      try (Connection one = proxied.to(LOGICAL);
          Connection other = direct.to(PLAIN)) {
        for (String statement : group.split("; *(?=[A-Z(])", -1)) {
          String logical = named(statement, LOGICAL);
          String plain = named(statement, PLAIN);
          String wanted = told(asking.apply(other, plain));
          softly
              .assertThat(asking.apply(one, logical))
              .as(group + "\n" + logical)
              .isEqualTo(wanted);
        }
      }
      softly.assertThat(traces()).as("the other tenant behind " + group).isEqualTo(before);
    }
    softly.assertAll();
  }

  private static String named(String statement, String name) {
    return statement
        .replace("@@", "\u0001")
        .replace("@.", name + ".")
        .replace("`@`", "`" + name + "`")
        .replace("¤", name)
        .replace("\u0001", "@@");
  }

  private static String told(String text) {
    return text.replace(PLAIN, LOGICAL);
  }

  private static String answer(boolean isPrepared, Connection connection, String sql) {
    Transcript answer =
        isPrepared ? Transcript.prepared(connection, sql) : Transcript.of(connection, sql);
    return answer.toString();
  }

  /** Statements that are refused, and change nothing. */
  void refused(List<String> statements) throws SQLException {
    var softly = new SoftAssertions();
    make();
    List<String> before = traces();
    try (Connection one = proxied.to(LOGICAL)) {
      for (String statement : statements) {
        String sql = named(statement, LOGICAL);
        softly.assertThat(Transcript.of(one, sql).head()).as(sql).contains("AB2");
      }
    }
    softly.assertThat(traces()).as("the other tenant").isEqualTo(before);
    softly.assertAll();
  }

  /** What drivers tell of the database: the same as of a schema of its name. */
  void sameMetadata(Driver driver, Catalogues proxied, Catalogues direct) throws SQLException {
    make();
    var softly = new SoftAssertions();
    try (Connection one = proxied.by(driver, LOGICAL);
        Connection other = direct.by(driver, PLAIN)) {
      Map<String, List<String>> wanted = metadata(other.getMetaData(), PLAIN);
      Map<String, List<String>> told = metadata(one.getMetaData(), LOGICAL);
      wanted.forEach(
          (what, rows) -> {
            softly
                .assertThat(told.get(what))
                .as(driver + " " + what)
                .isEqualTo(rows.stream().map(AliasedSchema::told).toList());
            softly.assertThat(rows).as(what).isNotEmpty();
          });
      softly.assertThat(rows(one.getMetaData().getCatalogs())).contains(LOGICAL + "|");
      softly.assertThat(rows(one.getMetaData().getCatalogs())).doesNotContain(ACTUAL + "|");
    }
    softly.assertAll();
  }

  /** Connections by either driver. */
  interface Catalogues {
    Connection by(Driver driver, String database) throws SQLException;
  }

  private static Map<String, List<String>> metadata(DatabaseMetaData data, String catalog)
      throws SQLException {
    var all = new LinkedHashMap<String, List<String>>();
    all.put("tables", rows(data.getTables(catalog, null, "%", null)));
    all.put("views", rows(data.getTables(catalog, null, "%", new String[] {"VIEW"})));
    all.put("columns", rows(data.getColumns(catalog, null, "%", "%")));
    all.put("columns of t", rows(data.getColumns(catalog, null, "t", null)));
    all.put("keys", rows(data.getPrimaryKeys(catalog, null, "t")));
    all.put("indexes", names(data.getIndexInfo(catalog, null, "t", false, true)));
    all.put("imported", rows(data.getImportedKeys(catalog, null, "child")));
    all.put("exported", rows(data.getExportedKeys(catalog, null, "t")));
    all.put("procedures", rows(data.getProcedures(catalog, null, "%")));
    all.put("functions", rows(data.getFunctions(catalog, null, "%")));
    return all;
  }

  /** Without estimates. */
  private static List<String> names(ResultSet result) throws SQLException {
    var rows = new ArrayList<String>();
    while (result.next()) {
      rows.add(
          result.getString("TABLE_CAT")
              + result.getString("TABLE_NAME")
              + result.getString("INDEX_NAME")
              + result.getString("COLUMN_NAME"));
    }
    return rows;
  }

  private static List<String> rows(ResultSet result) throws SQLException {
    var rows = new ArrayList<String>();
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      var row = new StringBuilder();
      for (int i = 1; i <= columns; i++) {
        row.append(result.getString(i)).append('|');
      }
      rows.add(row.toString());
    }
    return rows;
  }

  private List<String> traces() throws SQLException {
    var traces = new ArrayList<String>();
    try (Connection connection = direct.to("")) {
      for (String sql : TRACES) {
        traces.add(Transcript.of(connection, sql).rows().toString());
      }
    }
    assertThat(traces).hasSameSizeAs(TRACES);
    return traces;
  }

  /** What servers tell of their schemas: of both. */
  static final List<String> METADATA =
      List.of(
          "SHOW TABLES; SHOW FULL TABLES; SHOW TABLES FROM ¤; SHOW FULL TABLES IN `@` LIKE 't%'; SHOW"
              + " TABLES WHERE Tables_in_¤ = 't'; SHOW TABLES FROM ¤ WHERE tables_in_¤ LIKE 'w'",
          "SHOW TABLE STATUS FROM ¤ WHERE Name = 'none'; SHOW TABLE STATUS LIKE 'none'; SHOW TRIGGERS"
              + " FROM ¤; SHOW TRIGGERS IN `@` LIKE 't'; SHOW EVENTS FROM ¤; SHOW EVENTS WHERE Db ="
              + " '¤'; SHOW OPEN TABLES FROM ¤ LIKE 'none'",
          "SHOW CREATE DATABASE ¤; SHOW CREATE SCHEMA IF NOT EXISTS `@`; SHOW CREATE VIEW w; SHOW"
              + " CREATE VIEW @.w; SHOW CREATE PROCEDURE @.p; SHOW CREATE FUNCTION f; SHOW CREATE"
              + " TABLE child; SHOW CREATE TABLE @.child",
          "SHOW COLUMNS FROM t FROM ¤; SHOW INDEX FROM t IN ¤ WHERE Key_name = 'x'; SHOW FULL FIELDS IN"
              + " t IN `@` LIKE 'v'; SHOW FUNCTION STATUS WHERE Db = '¤' AND Name = 'none'",
          "CREATE VIEW w2 AS SELECT t.id, @.f() AS f FROM @.t JOIN u USING (id); SHOW CREATE VIEW w2;"
              + " SELECT TABLE_SCHEMA, VIEW_DEFINITION FROM information_schema.VIEWS WHERE"
              + " TABLE_SCHEMA = '¤' ORDER BY TABLE_NAME",
          "CREATE TRIGGER tr BEFORE INSERT ON @.t FOR EACH ROW INSERT INTO @.u VALUES (NEW.id + 9, 'x');"
              + " SHOW TRIGGERS WHERE `Trigger` = 'none'",
          "CHECK TABLE t; CHECK TABLE @.t, @.nosuch; ANALYZE TABLE @.t; OPTIMIZE TABLE @.u; CHECKSUM"
              + " TABLE @.t, u; REPAIR TABLE @.t; CREATE DATABASE ¤; CREATE DATABASE IF NOT EXISTS ¤",
          "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE FROM information_schema.TABLES WHERE"
              + " TABLE_SCHEMA = '¤' ORDER BY 2; SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE FROM"
              + " information_schema.COLUMNS WHERE TABLE_SCHEMA = '¤' AND TABLE_NAME = 't' ORDER BY"
              + " ORDINAL_POSITION; SELECT ROUTINE_SCHEMA, ROUTINE_NAME FROM"
              + " information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE() ORDER BY 2; SELECT"
              + " SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = '¤'; SELECT"
              + " TABLE_SCHEMA, CONSTRAINT_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME FROM"
              + " information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = '¤' ORDER BY TABLE_NAME, 2");

  /** Of both servers. */
  static final List<String> STATEMENTS =
      List.of(
          "SELECT * FROM @.t; SELECT @.t.v FROM @.t; SELECT t.v, @.f() FROM @.t JOIN @.u USING (id)"
              + " ORDER BY 1; SELECT * FROM t, @.u ORDER BY 1, 2, 3; SELECT v FROM (@.t) WHERE v ="
              + " (SELECT MIN(v) FROM @.u); SELECT * FROM `@`.`w` ORDER BY id; SELECT * FROM `@` .t",
          "SELECT @.v FROM @.¤; SELECT ¤.v FROM ¤; SELECT ¤.v, ¤.* FROM t AS ¤ WHERE ¤.id = 1",
          "SELECT @.@.v FROM @.¤ ORDER BY @.@.id LIMIT 1",
          "SELECT @.v FROM t; SELECT @.nosuch(); SELECT * FROM @.nosuch",
          "INSERT INTO @.t VALUES (3, 'x'); INSERT IGNORE @.t SET id = 4; REPLACE @.t VALUES (3, 'y');"
              + " INSERT INTO @.t SELECT id + 10, v FROM @.u ON DUPLICATE KEY UPDATE @.t.v = 'z';"
              + " SELECT * FROM t ORDER BY id",
          "UPDATE @.t SET v = 'x' WHERE @.t.id = 1; UPDATE t, @.u SET t.v = u.v, @.u.v = 'q' WHERE t.id ="
              + " u.id; UPDATE @.t JOIN @.u USING (id) SET @.t.v = 'j'; SELECT * FROM t, u ORDER BY 1,3",
          "DELETE FROM @.t WHERE id = 1; DELETE @.u FROM @.u JOIN @.t ON @.u.id = @.t.id; DELETE FROM"
              + " @.t, @.u USING @.t, @.u; SELECT * FROM t; SELECT * FROM u",
          "DELETE a FROM @.t AS a, @.u AS b WHERE a.id = b.id; SELECT * FROM t",
          "TRUNCATE @.t; SELECT COUNT(*) FROM t; TRUNCATE TABLE @.u; SELECT COUNT(*) FROM u",
          "CREATE TABLE @.n (id INT PRIMARY KEY, t_id INT, FOREIGN KEY (t_id) REFERENCES @.t (id));"
              + " INSERT INTO n VALUES (1, 1); INSERT INTO @.n VALUES (2, 9); DROP TABLE @.n",
          "CREATE TABLE @.n LIKE @.t; CREATE TABLE m LIKE @.u; CREATE TABLE IF NOT EXISTS o (LIKE"
              + " @.t); INSERT INTO n VALUES (7, 'n'); SELECT * FROM @.n; DROP TABLE n, @.m, @.o",
          "CREATE TABLE @.n AS SELECT * FROM @.t; SELECT * FROM n; CREATE TEMPORARY TABLE @.x SELECT 1"
              + " AS a; SELECT * FROM @.x; DROP TEMPORARY TABLE @.x; DROP TABLE IF EXISTS n, @.n2",
          "RENAME TABLE @.t TO @.t9; SELECT * FROM t9; RENAME TABLE t9 TO @.t, @.u TO @.u9; SELECT *"
              + " FROM @.t; SELECT * FROM u9",
          "ALTER TABLE @.t RENAME TO @.t9; SELECT * FROM t9; ALTER TABLE t9 RENAME @.t8; SELECT * FROM"
              + " t8; ALTER TABLE t8 RENAME AS @.t; SELECT * FROM t",
          "ALTER TABLE @.t ADD COLUMN c INT; ALTER TABLE @.t DROP COLUMN c, ADD INDEX k (id, v);"
              + " CREATE INDEX i ON @.t (v, id); CREATE UNIQUE INDEX j ON @.t (id, v); DROP INDEX i ON"
              + " @.t; DROP INDEX j ON t; ALTER TABLE @.t ORDER BY v; SELECT * FROM t ORDER BY id",
          "CREATE TABLE @.pt (id INT) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10),"
              + " PARTITION p1 VALUES LESS THAN (20)); CREATE TABLE pu (id INT); INSERT INTO pu"
              + " VALUES (1); ALTER TABLE @.pt EXCHANGE PARTITION p0 WITH TABLE @.pu; SELECT * FROM"
              + " pt; DROP TABLE pt, @.pu",
          "CREATE VIEW @.w2 AS SELECT t.id FROM @.t JOIN @.u USING (id); SELECT * FROM w2 ORDER BY 1;"
              + " CREATE OR REPLACE VIEW w2 AS SELECT @.f() AS f; SELECT * FROM @.w2; ALTER VIEW @.w2 AS"
              + " SELECT v FROM @.t; SELECT * FROM w2 ORDER BY 1; DROP VIEW IF EXISTS @.w2, @.w3",
          "CREATE TRIGGER @.tr BEFORE INSERT ON @.t FOR EACH ROW INSERT INTO @.u VALUES (NEW.id,"
              + " NEW.v); INSERT INTO t VALUES (5, 'n'); SELECT * FROM @.u ORDER BY id; DROP TRIGGER"
              + " @.tr; INSERT INTO t VALUES (6, 'n'); SELECT COUNT(*) FROM u",
          "CREATE PROCEDURE @.q(IN a INT) BEGIN DECLARE b INT; SELECT COUNT(*) INTO b FROM @.t WHERE id"
              + " > a; TRUNCATE @.u; SELECT b, @.f(), (SELECT COUNT(*) FROM @.u) AS c; END",
          "CALL @.p(); CALL @.p; DO @.f(); SELECT @.f(); DROP FUNCTION @.f; DROP PROCEDURE IF EXISTS"
              + " @.p; CALL p()",
          "CREATE FUNCTION @.g() RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM @.t); SELECT"
              + " g(), @.g(); DROP FUNCTION IF EXISTS @.g; SELECT @.g()",
          "CREATE EVENT @.e ON SCHEDULE EVERY 1 YEAR STARTS '2037-01-01 00:00:00' DO DELETE FROM @.t;"
              + " ALTER EVENT @.e RENAME TO @.e2; DROP EVENT @.e2; DROP EVENT IF EXISTS @.e",
          "LOCK TABLES @.t WRITE, u READ, @.w READ; INSERT INTO t VALUES (8, 'l'); SELECT * FROM @.u;"
              + " UNLOCK TABLES; SELECT * FROM @.t ORDER BY id",
          "LOCK TABLES @.t AS x READ; SELECT * FROM @.t AS x; UNLOCK TABLES",
          "HANDLER @.t OPEN AS h; HANDLER h READ FIRST; HANDLER h CLOSE",
          "FLUSH TABLES @.t, @.u; FLUSH TABLES @.t WITH READ LOCK; SELECT * FROM t; UNLOCK TABLES",
          "PREPARE s FROM 'SELECT * FROM @.t'; EXECUTE s; DEALLOCATE PREPARE s; SET @q = 'TRUNCATE @.t';"
              + " PREPARE s FROM @q; EXECUTE s; SELECT * FROM t; DROP PREPARE s",
          "EXPLAIN SELECT * FROM @.t WHERE id = 1; DESC @.t; DESCRIBE @.t v; EXPLAIN @.u",
          "SHOW COLUMNS FROM @.t; SHOW FULL COLUMNS IN @.u; SHOW CREATE TABLE @.t; SHOW INDEX FROM @.t"
              + " WHERE Key_name = 'none'; SHOW KEYS IN @.u WHERE Key_name = 'none'",
          "WITH c AS (SELECT * FROM @.t) SELECT c.v, @.f() FROM c, @.u ORDER BY 1;"
              + " (SELECT v FROM @.t) UNION (SELECT v FROM @.u) ORDER BY 1; VALUES ROW(1)",
          "SELECT /*!50000 v FROM @.t */; SELECT * FROM /*!50000 @.t */ WHERE id = 1",
          "BEGIN; UPDATE @.t SET v = 'b'; SELECT * FROM @.t FOR UPDATE; ROLLBACK; SELECT * FROM @.t",
          "SELECT * FROM t WHERE EXISTS (SELECT 1 FROM @.u WHERE @.u.id = t.id) AND id IN (SELECT @.u.id"
              + " FROM @.u); SET @n = (SELECT COUNT(*) FROM @.t); SELECT @n",
          "SELECT * FROM @.t USE INDEX (v_key), @.u FORCE INDEX FOR ORDER BY (PRIMARY) ORDER BY 1, 3;"
              + " SELECT * FROM t IGNORE INDEX FOR GROUP BY (v_key), @.u ORDER BY 1, 3",
          "SELECT * FROM @.t PROCEDURE_X; SELECT ALIAS_T.v FROM @.t AS ALIAS_T");
}
