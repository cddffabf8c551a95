package io.anabranch.app.rights;

import io.anabranch.rules.lexer.StatementKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Statements of every kind about a table that is somebody's or is not. In each {@code {q}} stands
 * for a query that reads it, {@code {s}} for a name of what can be read (the table, a view of it, a
 * table of another database), {@code {t}} for a name of the table.
 *
 * <p>A kind that is new does not compile before it has its forms here, or says that it needs no
 * right.
 */
final class RightForms {

  /** The table, and a view of it. */
  static final String GOAL = "goal_t";

  static final String VIEW = "goal_v";

  /**
   * One statement.
   *
   * @param isPlain with the plainest name; others stand for other ways to name the same
   * @param restored what makes good what it has done; empty: nothing is to be
   */
  record Form(StatementKind kind, String sql, boolean isPlain, List<String> restored) {}

  private static final List<String> RESTORED_TABLE =
      List.of(
          "CREATE TABLE IF NOT EXISTS goal_t (a INT, KEY goal_i (a))",
          "INSERT INTO goal_t SELECT 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM goal_t)");

  private static final List<String> RESTORED_ROWS =
      List.of("DELETE FROM goal_t", "INSERT INTO goal_t VALUES (1)", "DELETE FROM open_t");

  /** Whole queries; each is a place where a table may be read. */
  private static final List<String> READS =
      List.of(
          "SELECT a FROM {s}",
          "SELECT x.a FROM {s} x",
          "SELECT `x`.a FROM {s} AS `x`",
          "SELECT a FROM {s} AS value",
          "SELECT 1 FROM open_t, {s}",
          "SELECT 1 FROM open_t AS o, {s} AS p",
          "SELECT 1 FROM {s} AS p, open_t",
          "SELECT 1 FROM open_t window, {s} p",
          "SELECT 1 FROM open_t JOIN {s} p",
          "SELECT 1 FROM open_t LEFT JOIN {s} p ON 1 = 1",
          "SELECT 1 FROM {s} p RIGHT JOIN open_t ON 1 = 1",
          "SELECT 1 FROM open_t o INNER JOIN {s} p USING (a)",
          "SELECT 1 FROM open_t NATURAL JOIN {s} p",
          "SELECT 1 FROM open_t CROSS JOIN {s} p",
          "SELECT 1 FROM open_t STRAIGHT_JOIN {s} p",
          "SELECT 1 FROM (open_t, {s} p)",
          "SELECT 1 FROM (open_t JOIN {s} p)",
          "SELECT 1 FROM ({s} p)",
          "SELECT 1 FROM open_t o JOIN (open_t q JOIN {s} p ON 1 = 1) ON 1 = 1",
          "SELECT 1 FROM open_t o LEFT JOIN open_t q ON q.a = 1, {s} p",
          "SELECT 1 FROM open_t o JOIN open_t q USING (a), {s} p",
          "SELECT 1 FROM open_t USE INDEX (), {s} p",
          "SELECT 1 FROM open_t USE INDEX FOR ORDER BY (), {s} p",
          "SELECT 1 FROM open_t IGNORE INDEX FOR JOIN (open_i), {s} p",
          "SELECT a FROM {s} FOR UPDATE",
          "SELECT a FROM {s} LOCK IN SHARE MODE",
          "SELECT a FROM {s} LIMIT 1",
          "SELECT a FROM {s} PROCEDURE ANALYSE()",
          "SELECT (SELECT MAX(a) FROM {s})",
          "SELECT 1 + (SELECT MAX(a) FROM {s})",
          "SELECT CASE WHEN (SELECT 1 FROM {s} LIMIT 1) THEN 1 END",
          "SELECT IF((SELECT COUNT(*) FROM {s}) > 0, 1, 2)",
          "SELECT EXTRACT(YEAR FROM (SELECT MAX(a) FROM {s}))",
          "SELECT TRIM(BOTH 'x' FROM (SELECT MAX(a) FROM {s}))",
          "SELECT SUBSTRING('x' FROM (SELECT MAX(a) FROM {s}))",
          "SELECT @x := (SELECT MAX(a) FROM {s})",
          "SELECT EXISTS (SELECT 1 FROM {s})",
          "SELECT NOT EXISTS (SELECT 1 FROM {s}) FROM open_t",
          "SELECT ROW(1, 2) = (SELECT a, a FROM {s} LIMIT 1)",
          "SELECT 1 FROM open_t WHERE a IN (SELECT a FROM {s})",
          "SELECT 1 FROM open_t WHERE a NOT IN (SELECT a FROM {s})",
          "SELECT 1 FROM open_t WHERE a = ANY (SELECT a FROM {s})",
          "SELECT 1 FROM open_t WHERE a > ALL (SELECT a FROM {s})",
          "SELECT 1 FROM open_t WHERE EXISTS (SELECT 1 FROM {s} p WHERE p.a = open_t.a)",
          "SELECT 1 FROM open_t WHERE a IN (SELECT a FROM open_t WHERE a IN (SELECT a FROM {s}))",
          "SELECT a FROM open_t GROUP BY a HAVING a > (SELECT MAX(a) FROM {s})",
          "SELECT a FROM open_t GROUP BY (SELECT MAX(a) FROM {s})",
          "SELECT a FROM open_t ORDER BY (SELECT MAX(a) FROM {s})",
          "SELECT 1 FROM open_t o JOIN open_t q ON o.a = (SELECT MAX(a) FROM {s})",
          "SELECT SUM(a) OVER (ORDER BY (SELECT MAX(a) FROM {s})) FROM open_t",
          "SELECT SUM(a) OVER w FROM {s} WINDOW w AS (ORDER BY a)",
          "SELECT GROUP_CONCAT(a ORDER BY (SELECT MAX(a) FROM {s})) FROM open_t",
          "SELECT a FROM (SELECT a FROM {s}) d",
          "SELECT a FROM (SELECT a FROM (SELECT a FROM {s}) e) d",
          "SELECT 1 FROM open_t o, (SELECT a FROM {s}) d",
          "SELECT 1 FROM (SELECT 1) d, {s} p",
          "SELECT 1 FROM JSON_TABLE('[1]', '$[*]' COLUMNS (x INT PATH '$')) j, {s} p",
          "SELECT a FROM open_t UNION SELECT a FROM {s}",
          "SELECT a FROM {s} UNION ALL SELECT a FROM open_t",
          "SELECT a FROM open_t UNION (SELECT a FROM {s})",
          "(SELECT a FROM open_t) UNION (SELECT a FROM {s})",
          "SELECT a FROM open_t EXCEPT SELECT a FROM {s}",
          "SELECT a FROM open_t INTERSECT SELECT a FROM {s}",
          "SELECT a FROM (SELECT a FROM open_t UNION SELECT a FROM {s}) d",
          "(SELECT a FROM {s})",
          "((SELECT a FROM {s}))",
          "VALUES ((SELECT MAX(a) FROM {s}))",
          "VALUES (1) UNION SELECT a FROM {s}",
          "WITH c AS (SELECT a FROM {s}) SELECT a FROM c",
          "WITH c (x) AS (SELECT a FROM {s}) SELECT x FROM c",
          "WITH c AS (SELECT 1 AS a), d AS (SELECT a FROM {s}) SELECT 1 FROM d",
          "WITH c AS (SELECT 1 AS a) SELECT 1 FROM c, {s} p",
          "WITH RECURSIVE c AS (SELECT a FROM {s} UNION SELECT a + 1 FROM c WHERE a < 3)"
              + " SELECT a FROM c",
          "SELECT a FROM open_t WHERE a IN (WITH c AS (SELECT a FROM {s}) SELECT a FROM c)",
          "WITH goal_t AS (SELECT a FROM {s}) SELECT a FROM goal_t",
          "SELECT 1 FROM (WITH goal_t AS (SELECT 1 AS a) SELECT a FROM goal_t) d, {s} p",
          "(WITH goal_t AS (SELECT 1 AS a) SELECT a FROM goal_t) UNION SELECT a FROM {s}",
          "SELECT SQL_NO_CACHE DISTINCT a FROM {s}",
          "SELECT STRAIGHT_JOIN a FROM {s}",
          "SELECT 1.FROM {s}",
          "SELECT 1e0FROM {s}",
          "SELECT/**/a/**/FROM/**/{s}",
          "SELECT a\nFROM\t{s}",
          "SELECT a -- x\nFROM # y\n{s}",
          "SELECT 1 FROM open_t o /*!50000 , {s} p */",
          "SELECT 1 FROM open_t o /*M!100000 , {s} p */",
          "SELECT 1 FROM open_t o /*! JOIN */ /*! {s} p */",
          "/*!50000 SELECT */ a FROM {s}",
          "SELECT 1 FROM /*!99999 (SELECT 1 */ {s}",
          "SELECT /* FROM open_t */ a FROM {s}",
          "SELECT 'FROM open_t' AS x FROM {s}",
          "SELECT a FROM {s} WHERE 'a' = 'b\\'' OR 1 = 1");

  /** Where a read stands within a change, a definition or a command. */
  private static final List<String> SOME_READS =
      List.of(
          "SELECT a FROM {s}",
          "SELECT o.a FROM open_t o, {s} p",
          "SELECT a FROM (SELECT a FROM {s}) d",
          "SELECT a FROM open_t UNION SELECT a FROM {s}",
          "SELECT a FROM open_t WHERE a IN (SELECT a FROM {s})",
          "WITH c AS (SELECT a FROM {s}) SELECT a FROM c");

  private final List<Form> forms = new ArrayList<>();

  private RightForms() {}

  /**
   * Of all kinds, with names in all places.
   *
   * @param schema that has the table
   * @param far another one that has a table of the same name, and nobody may use
   */
  static List<Form> all(String schema, String far) {
    var all = new RightForms();
    for (StatementKind kind : StatementKind.values()) {
      all.add(kind);
    }
    var written = new ArrayList<Form>();
    for (Form form : all.forms) {
      String plain = named(form, schema, far).getFirst();
      for (String sql : named(form, schema, far)) {
        String text = sql.replace("{db}", schema).replace("{far}", far);
        written.add(new Form(form.kind(), text, sql.equals(plain), form.restored()));
      }
    }
    return written;
  }

  private static List<String> named(Form form, String schema, String far) {
    String sql = form.sql();
    var written = new ArrayList<String>();
    for (String query : sql.contains("{q}") ? SOME_READS : List.of("")) {
      String with = sql.replace("{q}", query);
      boolean isOfRows = form.restored().isEmpty() || form.restored().equals(RESTORED_ROWS);
      var names = new ArrayList<String>();
      names.add(GOAL);
      names.add(schema + "." + GOAL);
      names.add(far + "." + GOAL);
      if (with.contains("{s}")) {
        names.add(VIEW);
      }
      if (isOfRows && !sql.contains("{q}")) {
        names.addAll(
            List.of("`" + GOAL + "`", "`" + schema + "`.`" + GOAL + "`", schema + " . " + GOAL));
      }
      for (String name : names) {
        String text = with.replace("{s}", name).replace("{t}", name);
        if (!written.contains(text)) {
          written.add(text);
        }
      }
    }
    return written;
  }

  private void add(StatementKind kind) {
    List<String> none = List.of();
    switch (kind) {
      case SELECT -> {
        READS.stream().filter(sql -> sql.contains("SELECT")).forEach(sql -> add(kind, none, sql));
        add(
            kind,
            none,
            "SELECT a INTO @x FROM {s} LIMIT 1",
            "SELECT a FROM {s} LIMIT 1 INTO @x",
            "SELECT a FROM {s} INTO OUTFILE '/dev/null/x'",
            "SELECT a FROM {s} INTO DUMPFILE '/dev/null/x'",
            "SELECT LOAD_FILE('/dev/null/x')",
            "SELECT goal_f()",
            "SELECT {db}.goal_f()",
            "SELECT `goal_f`()",
            "SELECT a FROM open_t WHERE a = goal_f()",
            "SELECT NEXT VALUE FOR goal_s",
            "SELECT NEXTVAL(goal_s)",
            "SELECT NEXTVAL({db}.goal_s)",
            "SELECT SETVAL(goal_s, 9)",
            "SELECT User FROM mysql.user",
            "SELECT * FROM mysql . `global_priv`",
            "SELECT 1 FROM performance_schema.threads",
            "SELECT 1 FROM sys.version");
      }
      case QUERY_EXPRESSION ->
          add(kind, none, "TABLE {s}", "({q})", "VALUES ((SELECT MAX(a) FROM {s}))");
      case INSERT ->
          add(
              kind,
              RESTORED_ROWS,
              "INSERT INTO {s} VALUES (2)",
              "INSERT {s} (a) VALUES (2), (3)",
              "INSERT LOW_PRIORITY IGNORE INTO {s} SET a = 2",
              "INSERT INTO {s} SELECT a FROM open_t",
              "INSERT INTO {s} VALUES (2) ON DUPLICATE KEY UPDATE a = 3",
              "INSERT INTO {s} VALUES (2) ON DUPLICATE KEY UPDATE a = VALUES(a)",
              "INSERT INTO {s} VALUES (2) ON DUPLICATE KEY UPDATE a = a + 1",
              "INSERT INTO {t} VALUES (2) RETURNING a",
              "INSERT INTO open_t {q}",
              "INSERT INTO open_t (a) ({q})",
              "INSERT INTO open_t VALUES ((SELECT MAX(a) FROM {s}))",
              "INSERT INTO open_t SET a = (SELECT MAX(a) FROM {s})",
              "INSERT INTO open_t VALUES (2) RETURNING (SELECT MAX(a) FROM {s})",
              "INSERT INTO open_t VALUES (2) ON DUPLICATE KEY UPDATE a = (SELECT MAX(a) FROM {s})",
              "INSERT INTO open_t WITH c AS (SELECT a FROM {s}) SELECT a FROM c");
      case REPLACE ->
          add(
              kind,
              RESTORED_ROWS,
              "REPLACE INTO {s} VALUES (2)",
              "REPLACE {s} SET a = 2",
              "REPLACE DELAYED {t} (a) SELECT a FROM open_t",
              "REPLACE INTO open_t {q}",
              "REPLACE INTO open_t VALUES ((SELECT MAX(a) FROM {s}))");
      case UPDATE ->
          add(
              kind,
              RESTORED_ROWS,
              "UPDATE {s} SET a = 2",
              "UPDATE {s} SET a = a + 1",
              "UPDATE LOW_PRIORITY IGNORE {s} SET a = 2",
              "UPDATE {s} SET a = 2 WHERE a = 1",
              "UPDATE {s} SET a = 2 ORDER BY a LIMIT 1",
              "UPDATE {s} AS x SET x.a = 2",
              "UPDATE open_t, {s} p SET open_t.a = p.a",
              "UPDATE open_t, {s} p SET p.a = open_t.a",
              "UPDATE open_t JOIN {s} p ON 1 = 1 SET p.a = 2",
              "UPDATE open_t, (SELECT a FROM {s}) d SET open_t.a = d.a",
              "UPDATE open_t SET a = (SELECT MAX(a) FROM {s})",
              "UPDATE open_t SET a = 2 WHERE a IN ({q})",
              "UPDATE open_t SET a = 2 ORDER BY (SELECT MAX(a) FROM {s})");
      case DELETE ->
          add(
              kind,
              RESTORED_ROWS,
              "DELETE FROM {s}",
              "DELETE QUICK FROM {s} LIMIT 1",
              "DELETE FROM {s} WHERE a = 1",
              "DELETE x FROM {s} x",
              "DELETE x FROM {s} x, open_t",
              "DELETE FROM x USING {s} x JOIN open_t",
              "DELETE open_t FROM open_t, {s} p",
              "DELETE open_t, x FROM open_t, {s} x",
              "DELETE FROM open_t USING open_t JOIN {s} p",
              "DELETE FROM open_t WHERE a IN ({q})",
              "DELETE FROM open_t ORDER BY (SELECT MAX(a) FROM {s})",
              "DELETE FROM {t} RETURNING a",
              "DELETE FROM open_t RETURNING (SELECT MAX(a) FROM {s})");
      case CREATE -> {
        List<String> made =
            List.of(
                "DROP TABLE IF EXISTS made_t",
                "DROP VIEW IF EXISTS made_v",
                "DROP PROCEDURE IF EXISTS made_p",
                "DROP FUNCTION IF EXISTS made_f",
                "DROP EVENT IF EXISTS made_e",
                "DROP TRIGGER IF EXISTS made_tr",
                "DROP SEQUENCE IF EXISTS made_s");
        add(
            kind,
            made,
            "CREATE TABLE made_t AS {q}",
            "CREATE TABLE made_t (b INT) {q}",
            "CREATE TABLE made_t ({q})",
            "CREATE TABLE made_t LIKE {s}",
            "CREATE TABLE made_t (LIKE {t})",
            "CREATE TABLE made_t (a INT REFERENCES {t} (a))",
            "CREATE TABLE made_t (a INT, FOREIGN KEY (a) REFERENCES {t} (a))",
            "CREATE TABLE made_t (a INT DEFAULT NEXTVAL(goal_s))",
            "CREATE TABLE made_t (a INT) ENGINE = MERGE UNION = (goal_t)",
            "CREATE TABLE made_t (a INT) DATA DIRECTORY '/dev/null/x'",
            "CREATE VIEW made_v AS {q}",
            "CREATE DEFINER = root@localhost VIEW made_v AS SELECT a FROM {s}",
            "CREATE DEFINER = root@localhost SQL SECURITY DEFINER VIEW made_v AS SELECT 1 AS a",
            "CREATE SEQUENCE made_s",
            "CREATE TRIGGER made_tr BEFORE INSERT ON {t} FOR EACH ROW SET @x = 1",
            "CREATE TRIGGER made_tr BEFORE INSERT ON open_t FOR EACH ROW DELETE FROM {t}",
            "CREATE PROCEDURE made_p() {q}",
            "CREATE DEFINER = root@localhost PROCEDURE made_p() SELECT 1",
            "CREATE FUNCTION made_f() RETURNS INT RETURN (SELECT MAX(a) FROM {s})",
            "CREATE FUNCTION made_f RETURNS INTEGER SONAME 'x.so'",
            "CREATE EVENT made_e ON SCHEDULE EVERY 1 DAY DO DELETE FROM {t}",
            "CREATE DATABASE made_db",
            "CREATE SERVER made FOREIGN DATA WRAPPER mysql OPTIONS (HOST 'x')");
        add(
            kind,
            List.of("DROP INDEX made_i ON goal_t"),
            "CREATE INDEX made_i ON {t} (a)",
            "CREATE UNIQUE INDEX made_i ON {t} (a)");
        add(
            kind,
            List.of("DROP TABLE goal_t", RESTORED_TABLE.get(0), RESTORED_TABLE.get(1)),
            "CREATE OR REPLACE TABLE {t} (a INT, KEY goal_i (a))");
        add(
            kind,
            none,
            "CREATE TABLE IF NOT EXISTS {t} (a INT)",
            "CREATE TABLE {t} (a INT)",
            "CREATE VIEW IF NOT EXISTS goal_v AS SELECT a FROM {t}",
            "CREATE OR REPLACE VIEW goal_v AS SELECT a FROM {t}");
        add(
            kind,
            List.of("DROP TEMPORARY TABLE IF EXISTS made_t"),
            "CREATE TEMPORARY TABLE made_t {q}",
            "CREATE TEMPORARY TABLE made_t LIKE {t}");
      }
      case ALTER -> {
        add(
            kind,
            none,
            "ALTER TABLE {t} COMMENT ''",
            "ALTER IGNORE TABLE {t} ENGINE = InnoDB",
            "ALTER TABLE {t} RENAME TO open_t",
            "ALTER TABLE open_t RENAME goal_t",
            "ALTER TABLE open_t UNION = (goal_t)",
            "ALTER TABLE open_t ADD CONSTRAINT made_fk FOREIGN KEY (a) REFERENCES {t} (zz)",
            "ALTER TABLE open_t EXCHANGE PARTITION p WITH TABLE {t}",
            "ALTER TABLE {t} DROP PARTITION p",
            "ALTER VIEW goal_v AS SELECT a FROM {t}",
            "ALTER SEQUENCE goal_s RESTART 1",
            "ALTER DATABASE {far} COMMENT 'x'",
            "ALTER PROCEDURE goal_p COMMENT 'x'",
            "ALTER EVENT goal_e DISABLE",
            "ALTER SERVER s OPTIONS (HOST 'y')");
        add(
            kind,
            List.of("DROP TABLE goal_t", RESTORED_TABLE.get(0), RESTORED_TABLE.get(1)),
            "ALTER TABLE {t} DISCARD TABLESPACE");
        add(kind, List.of("ALTER TABLE goal_t DROP COLUMN b"), "ALTER TABLE {t} ADD COLUMN b INT");
      }
      case DROP -> {
        add(
            kind,
            RESTORED_TABLE,
            "DROP TABLE {t}",
            "DROP TABLE IF EXISTS nothing_t, {t}",
            "DROP TABLES {t} CASCADE");
        add(kind, List.of("CREATE INDEX goal_i ON goal_t (a)"), "DROP INDEX goal_i ON {t}");
        add(
            kind,
            List.of("CREATE OR REPLACE VIEW goal_v AS SELECT a FROM goal_t"),
            "DROP VIEW goal_v");
        add(kind, List.of("CREATE SEQUENCE IF NOT EXISTS goal_s"), "DROP SEQUENCE goal_s");
        add(
            kind,
            List.of("CREATE PROCEDURE IF NOT EXISTS goal_p(x INT) SELECT a FROM goal_t"),
            "DROP PROCEDURE goal_p");
        add(
            kind,
            none,
            "DROP DATABASE {far}",
            "DROP SCHEMA IF EXISTS mysql",
            "DROP EVENT nothing_e",
            "DROP TRIGGER nothing_tr",
            "DROP FUNCTION nothing_f",
            "DROP SERVER s");
      }
      case RENAME ->
          add(
              kind,
              List.of("RENAME TABLE made_t TO goal_t"),
              "RENAME TABLE {t} TO made_t",
              "RENAME TABLE {t} TO {db}.made_t",
              "RENAME TABLE nothing_t TO made_t, {t} TO made_t");
      case TRUNCATE -> add(kind, RESTORED_ROWS, "TRUNCATE {t}", "TRUNCATE TABLE {t}");
      case SHOW ->
          add(
              kind,
              none,
              "SHOW COLUMNS FROM {s}",
              "SHOW FULL FIELDS IN {s}",
              "SHOW COLUMNS FROM goal_t FROM {db}",
              "SHOW INDEX FROM {s}",
              "SHOW KEYS FROM goal_t IN {db}",
              "SHOW CREATE TABLE {s}",
              "SHOW CREATE VIEW {s}",
              "SHOW CREATE PROCEDURE goal_p",
              "SHOW CREATE SEQUENCE goal_s",
              "SHOW TABLES WHERE EXISTS (SELECT 1 FROM {s})",
              "SHOW VARIABLES WHERE Value IN (SELECT a FROM {s})",
              "SHOW EVENTS",
              "SHOW ENGINE INNODB STATUS",
              "SHOW MASTER STATUS",
              "SHOW SLAVE STATUS",
              "SHOW BINARY LOGS",
              "SHOW GRANTS FOR root@localhost",
              "SHOW TABLES FROM mysql",
              "SHOW CREATE DATABASE mysql");
      case DESCRIBE ->
          add(
              kind,
              none,
              "DESC {s}",
              "DESCRIBE {s}",
              "DESCRIBE {s} a",
              "EXPLAIN {s}",
              "EXPLAIN {q}",
              "EXPLAIN EXTENDED {q}",
              "EXPLAIN FORMAT = JSON {q}",
              "EXPLAIN INSERT INTO {s} VALUES (2)",
              "EXPLAIN INSERT INTO open_t {q}",
              "EXPLAIN UPDATE {s} SET a = 2",
              "EXPLAIN DELETE FROM {s}",
              "EXPLAIN FOR CONNECTION 1");
      case SET ->
          add(
              kind,
              none,
              "SET @x = (SELECT MAX(a) FROM {s})",
              "SET @x = 1, @y = (SELECT MAX(a) FROM {s})",
              "SET SESSION sort_buffer_size = (SELECT 65536 + MAX(a) FROM {s})",
              "SET STATEMENT max_statement_time = 10 FOR {q}",
              "SET STATEMENT max_statement_time = 10 FOR SHOW CREATE TABLE {t}",
              "SET STATEMENT max_statement_time = 10 FOR ALTER TABLE {t} COMMENT ''",
              "SET STATEMENT max_statement_time = (SELECT MAX(a) FROM {s}) FOR SELECT 1",
              "SET GLOBAL max_connections = 77",
              "SET @@global.max_connections = 77",
              "SET PASSWORD = 'x'",
              "SET PASSWORD FOR root@localhost = 'x'");
      case USE -> add(kind, none, "USE mysql", "USE `mysql`", "USE {far}");
      case LOCK_TABLES ->
          add(
              kind,
              List.of("UNLOCK TABLES"),
              "LOCK TABLES {s} READ",
              "LOCK TABLES {s} WRITE",
              "LOCK TABLE open_t READ, {s} AS p READ");
      case EXECUTE ->
          add(
              kind,
              none,
              "EXECUTE IMMEDIATE '{q}'",
              "EXECUTE IMMEDIATE CONCAT('SELECT a FROM ', '{s}')",
              "EXECUTE IMMEDIATE 'DELETE FROM {t} WHERE a = ?' USING 99");
      case CALL ->
          add(
              kind,
              none,
              "CALL goal_p(1)",
              "CALL {db}.goal_p(1)",
              "CALL goal_p((SELECT MAX(a) FROM {s}))");
      case DO ->
          add(
              kind,
              none,
              "DO (SELECT MAX(a) FROM {s})",
              "DO 1, (SELECT MAX(a) FROM {s})",
              "DO goal_f()",
              "DO SLEEP(0) + (SELECT COUNT(*) FROM {s})");
      case HANDLER ->
          add(kind, List.of("UNLOCK TABLES"), "HANDLER {t} OPEN AS h", "HANDLER {t} OPEN");
      case LOAD_DATA ->
          add(
              kind,
              RESTORED_ROWS,
              "LOAD DATA LOCAL INFILE '{file}' INTO TABLE {s}",
              "LOAD DATA LOCAL INFILE '{file}' REPLACE INTO TABLE {s} (a)",
              "LOAD DATA LOCAL INFILE '{file}' INTO TABLE open_t (@y) SET a = (SELECT MAX(a) FROM {s})",
              "LOAD DATA INFILE '/dev/null/x' INTO TABLE open_t",
              "LOAD XML INFILE '/dev/null/x' INTO TABLE open_t");
      case TABLE_MAINTENANCE ->
          add(
              kind,
              none,
              "CHECKSUM TABLE {s}",
              "CHECK TABLE {s}",
              "ANALYZE TABLE {t}",
              "ANALYZE LOCAL TABLE open_t, {t}",
              "OPTIMIZE TABLE {t}",
              "REPAIR TABLE {t}",
              "ANALYZE {q}",
              "ANALYZE FORMAT = JSON {q}",
              "ANALYZE UPDATE {s} SET a = 1 WHERE a = 99");
      case FLUSH ->
          add(
              kind,
              List.of("UNLOCK TABLES"),
              "FLUSH TABLES",
              "FLUSH TABLES {t} WITH READ LOCK",
              "FLUSH PRIVILEGES",
              "FLUSH STATUS",
              "FLUSH LOGS");
      case ACCOUNT ->
          add(
              kind,
              none,
              "GRANT SELECT ON {t} TO root@localhost",
              "GRANT ALL ON *.* TO nobody@'%'",
              "REVOKE SELECT ON open_t FROM root@localhost",
              "CREATE USER made@localhost",
              "DROP USER root@localhost",
              "CREATE ROLE made");
      case ALTER_GROUP ->
          add(
              kind,
              none,
              "ALTER READWRITE_SPLITTING RULE g DISABLE m",
              "ALTER READWRITE_SPLITTING RULE g ENABLE m FROM {db}");
      case EXPLAIN_ROUTE -> add(kind, none, "EXPLAIN ROUTE {q}", "PREVIEW {q}");
      case KILL -> add(kind, none, "KILL {other}", "KILL QUERY {other}", "KILL CONNECTION {other}");
      case OTHER ->
          add(
              kind,
              none,
              "BEGIN NOT ATOMIC {q}; END",
              "BEGIN NOT ATOMIC DELETE FROM {t} WHERE a = 99; END",
              "SHUTDOWN",
              "PURGE BINARY LOGS TO 'x'",
              "RESET MASTER",
              "CHANGE MASTER TO MASTER_HOST = 'x'",
              "STOP SLAVE",
              "BINLOG ''",
              "CACHE INDEX {t} IN hot",
              "INSTALL PLUGIN x SONAME 'x'",
              "UNINSTALL PLUGIN x",
              "BACKUP STAGE START",
              "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = (SELECT MAX(a) FROM {s})");
      // of the session alone, or of a text that is looked at when it is known
      case BEGIN, COMMIT, ROLLBACK, SAVEPOINT, XA, UNLOCK_TABLES, PREPARE, DEALLOCATE, EMPTY -> {}
    }
  }

  private void add(StatementKind kind, List<String> restored, String... texts) {
    for (String text : texts) {
      forms.add(new Form(kind, text, true, restored));
    }
  }
}
