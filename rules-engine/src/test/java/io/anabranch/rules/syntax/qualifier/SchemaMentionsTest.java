package io.anabranch.rules.syntax.qualifier;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.syntax.qualifier.SchemaMention.Reading;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In the statements, {@code S} is a schema, {@code C} a table or alias in front of a column, {@code
 * E} what may be both.
 */
class SchemaMentionsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        // queries
        "SELECT C.a, S.t.a, C.* , S.t.*, S.f(C.a) FROM S.t AS x JOIN S.t2 ON C.a = C.b, S.t3",
        "SELECT STRAIGHT_JOIN C.a FROM S.t STRAIGHT_JOIN S.t2 WHERE C.a IN (C.b, C.c) AND C.d > C.e",
        "SELECT (C.a), ((C.b)) FROM (S.t, (S.t2 CROSS JOIN S.t3), S.t4) WHERE NOT C.a",
        "SELECT EXTRACT(YEAR FROM C.a), TRIM(LEADING C.a FROM C.b) FROM S.t GROUP BY C.a, C.b",
        "SELECT 1 FROM a USE INDEX FOR ORDER BY (i), S.t",
        "SELECT 1 FROM a USE INDEX FOR JOIN (i), S.t ORDER BY C.a, C.b LIMIT 1",
        "SELECT 1 FROM a PARTITION (p0, p1), S.t FOR UPDATE OF S.t, S.t2",
        "SELECT 1 FROM a JOIN b ON (C.x = C.y), S.t",
        "SELECT 1 FROM a JOIN b USING (x), S.t",
        "SELECT 1 FROM value, S.t",
        "SELECT view, tables, sequence, cache, C.x FROM S.t",
        "SELECT 1 FROM JSON_TABLE(C.j, '$' COLUMNS (a INT PATH '$')) AS jt, S.t",
        "SELECT 1 FROM a FOR SYSTEM_TIME FROM C.x TO C2, S.t",
        "SELECT CASE C.a WHEN C.b THEN 1 ELSE C.c END, C.d FROM S.t WHERE C.a BETWEEN C.b AND C.c",
        "SELECT a FROM t WHERE a = (SELECT MAX(C.b) FROM S.t) HAVING C.a ORDER BY C.a DESC, C.c",
        "TABLE S.t ORDER BY C.a, C.b",
        "WITH x AS (SELECT C.a FROM S.t), y AS (TABLE S.t2) SELECT C.a FROM x",
        "SELECT NEXTVAL(S.s), NEXT VALUE FOR S.s, PREVIOUS VALUE FOR S.s, LASTVAL(S.s), SETVAL(S.s, 1)",
        "SELECT 1 FROM { OJ S.t LEFT OUTER JOIN S.t2 ON C.a = C.b }",
        "SELECT `S`.`t`.`a` FROM `S` . `t`",
        "SELECT a FROM S.1t, S.2e3",
        "SELECT .5 FROM S.t",
        // changes
        "INSERT INTO S.t (a, S.t.b, C.c) VALUES (1, C.a), (C.b, 2) ON DUPLICATE KEY UPDATE a = C.a, C.b = 2",
        "INSERT IGNORE S.t SET C.a = 1, C.b = 2",
        "INSERT S.t SELECT C.a, C.b FROM S.t2",
        "REPLACE LOW_PRIORITY S.t VALUES (REPLACE(C.a, 1, 2))",
        "UPDATE LOW_PRIORITY IGNORE S.t, S.t2 SET C.a = C.b, C.c = 1 WHERE C.x",
        "UPDATE IGNORE (S.t JOIN S.t2) SET C.a = 1",
        "UPDATE a, S.t SET C.a = 1, S.t.b = 2 ORDER BY C.a LIMIT 1",
        "DELETE QUICK FROM S.t WHERE C.a RETURNING C.a, E.b",
        "DELETE S.t, S.t2 FROM S.t JOIN S.t2",
        "DELETE C.*, S.t.* FROM S.t",
        "DELETE FROM S.t, S.t2 USING S.t, (S.t2)",
        "LOAD DATA LOCAL INFILE 'f' INTO TABLE S.t (a) SET a = C.b",
        "LOAD XML INFILE 'f' INTO TABLE S.t",
        "CALL S.p",
        "CALL S.p(1, C.a)",
        "DO S.f(), 1, S.f()",
        "HANDLER S.t OPEN AS h",
        // definitions
        "CREATE TABLE S.t (a INT, CHECK (a LIKE C.b), FOREIGN KEY (a) REFERENCES S.p (a)) UNION=(S.a, S.b)",
        "CREATE TEMPORARY TABLE IF NOT EXISTS S.t LIKE S.t2",
        "CREATE TABLE x (LIKE S.t)",
        "CREATE TABLE S.b LIKE S.t",
        "CREATE OR REPLACE VIEW S.v AS SELECT C.a FROM S.t",
        "CREATE UNIQUE INDEX i ON S.t (a)",
        "DROP INDEX IF EXISTS i ON S.t",
        "DROP INDEX i ON S.t",
        "ALTER TABLE S.t RENAME TO S.t2",
        "ALTER TABLE t RENAME S.t2",
        "ALTER TABLE t RENAME AS S.t2",
        "ALTER TABLE t RENAME = S.t2",
        "ALTER TABLE t EXCHANGE PARTITION p WITH TABLE S.t",
        "ALTER TABLE t ORDER BY C.a, C.b",
        "ALTER TABLE t CONVERT PARTITION p TO TABLE S.t, ADD COLUMN a INT",
        "RENAME TABLE S.a TO S.b, S.c TO S.d",
        "RENAME TABLE IF EXISTS S.a WAIT 5 TO S.b",
        "DROP TABLE IF EXISTS a, S.b",
        "DROP TABLE a, S.b",
        "DROP VIEW a, S.b",
        "DROP SEQUENCE S.s, S.b",
        "TRUNCATE S.t",
        "TRUNCATE TABLE S.t",
        "CREATE TRIGGER S.tr BEFORE INSERT ON S.t FOR EACH ROW SET C.a = (SELECT C.x FROM S.u JOIN v ON C.a = C.b)",
        "CREATE DEFINER=a@b PROCEDURE S.p() BEGIN DECLARE r ROW TYPE OF S.t; DECLARE x TYPE OF C.y;"
            + " GRANT SELECT ON E.t TO u; TRUNCATE S.t; IF C.a > 1 THEN CALL S.q(); END IF; END",
        "CREATE FUNCTION S.f() RETURNS INT RETURN C.a",
        "CREATE EVENT S.e ON SCHEDULE EVERY 1 DAY DO DELETE FROM S.t",
        "ALTER EVENT S.e RENAME TO S.e2",
        "DROP TRIGGER IF EXISTS S.tr",
        "DROP PROCEDURE S.p",
        "CREATE PACKAGE BODY S.p AS END",
        "CREATE SEQUENCE S.s",
        "ALTER SEQUENCE S.s RESTART",
        "CREATE DATABASE S",
        "CREATE DATABASE IF NOT EXISTS S CHARACTER SET utf8mb4",
        "DROP SCHEMA IF EXISTS S",
        "ALTER DATABASE CHARACTER SET utf8mb4",
        "ALTER DATABASE S COLLATE utf8mb4_bin",
        "CREATE OR REPLACE DATABASE S",
        // administration
        "LOCK TABLES a READ, S.t WRITE",
        "LOCK TABLE S.t AS x READ",
        "FLUSH TABLES a, S.t WITH READ LOCK",
        "CHECK TABLE a, S.t",
        "CHECKSUM TABLE S.t",
        "ANALYZE TABLE S.t PERSISTENT FOR ALL",
        "OPTIMIZE LOCAL TABLE S.t",
        "REPAIR TABLE S.t",
        "CHECK VIEW S.v",
        "CACHE INDEX S.t IN hot",
        "CACHE INDEX a INDEX (k), S.t IN hot",
        "LOAD INDEX INTO CACHE a, S.t",
        "BACKUP LOCK S.t",
        "GRANT SELECT (a), INSERT ON S.t TO u",
        "REVOKE ALL ON S.* FROM u",
        "GRANT EXECUTE ON PROCEDURE S.p TO u",
        "SHOW TABLES FROM S",
        "SHOW FULL TABLES IN S LIKE 'x'",
        "SHOW TABLE STATUS FROM S",
        "SHOW TRIGGERS IN S",
        "SHOW EVENTS FROM S",
        "SHOW OPEN TABLES FROM S",
        "SHOW COLUMNS FROM t FROM S",
        "SHOW FULL FIELDS IN t IN S",
        "SHOW INDEX FROM S.t",
        "SHOW KEYS FROM S.t IN S",
        "SHOW CREATE TABLE S.t",
        "SHOW CREATE DATABASE S",
        "SHOW CREATE SCHEMA IF NOT EXISTS S",
        "SHOW CREATE PROCEDURE S.p",
        "SHOW FUNCTION CODE S.f",
        "SHOW COLUMNS IN S.t",
        "DESC S.t a",
        "EXPLAIN S.t",
        "EXPLAIN SELECT C.a FROM S.t",
        "EXPLAIN FORMAT=TREE FOR SCHEMA S SELECT 1",
        "USE S",
        "SELECT DATABASE(), SCHEMA() FROM S.t",
        "SELECT E.a /*!50000 FROM E.t */",
      })
  void everyPlaceIsRead(String statement) {
    SqlTokens tokens = SqlTokens.of(statement);
    var expected = new ArrayList<String>();
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isName(i)
          && tokens.name(i).matches("[SCE]")
          && !tokens.isPunctuation(i - 1, '.')) {
        expected.add(i + " " + tokens.name(i));
      }
    }
    List<String> found =
        SchemaMentions.of(tokens).stream()
            .filter(mention -> !tokens.name(mention.token()).matches("(?i)new|old"))
            .map(mention -> mention.token() + " " + letter(mention.reading()))
            .toList();
    assertThat(found).as(statement).isEqualTo(expected);
  }

  private static String letter(Reading reading) {
    return switch (reading) {
      case SCHEMA -> "S";
      case EITHER -> "E";
      case COLUMN -> "C";
    };
  }
}
