package io.anabranch.rules.work;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The ways in which statements grow. */
final class StatementGrowths {

  /**
   * One way.
   *
   * @param size to begin with, or the largest that is planned
   * @param statement of a size
   */
  record Growth(int size, IntFunction<String> statement) {}

  private StatementGrowths() {}

  /** A join in which each table is tied to the one before by one of two sharding columns. */
  private static String halfTied(int joins) {
    return "SELECT o0.name FROM t_order o0"
        + list(
            joins,
            "",
            i -> " JOIN t_order o%d ON o%d.user_id = o%d.user_id".formatted(i + 1, i + 1, i));
  }

  private static String list(int size, String separator, IntFunction<String> item) {
    return IntStream.range(0, size).mapToObj(item).collect(Collectors.joining(separator));
  }

  private static String nested(int depth, String open, String inner, String close) {
    return open.repeat(depth) + inner + close.repeat(depth);
  }

  /** Some token again and again, and nests of names of several parts: not all of it is SQL. */
  static Map<String, Growth> texts() {
    var texts = new LinkedHashMap<String, Growth>();
    String[] repeated = {
      "NOT ",
      "IF NOT EXISTS ",
      "FULL ",
      "STRAIGHT_JOIN ",
      "HIGH_PRIORITY ",
      "DISTINCT ",
      "- ",
      "! ",
      ", ",
      "t_log.id, ",
      "f(1), t_log.id, ",
      "(",
      "(1, ",
      "(t_log.id, ",
      "((",
      "f(",
      "f(1, ",
      "FROM t_log.id ",
      "1 FROM t_log.id, ",
      "SYSTEM_TIME FROM t_log.id ",
      "t_log.",
      "t_log . id ",
      "WITH c AS (",
      "SELECT t_log.id ",
      "LIKE t_log.id ",
      "/* */ ",
      "/*!1 */ ",
      "x IN (",
      "BY t_log.id, ",
      "USING (t_log.id) ",
      "TABLE t_log.id, ",
      "JOIN t_log.id ",
      "CASE ",
      "? ",
      "'x' ",
      "@x := ",
      "@@session.x, ",
      "{d ",
      "DATABASE(), ",
      "a AS ",
      "END ",
      "BEGIN ",
      "SET "
    };
    for (String each : repeated) {
      texts.put(
          "repeated in a condition: " + each,
          new Growth(400, n -> "SELECT id FROM t_log WHERE " + each.repeat(n) + "id = 1"));
      texts.put(
          "repeated in front: " + each, new Growth(400, n -> "SELECT " + each.repeat(n) + "1"));
      texts.put("repeated in SHOW: " + each, new Growth(400, n -> "SHOW " + each.repeat(n) + "x"));
      texts.put(
          "repeated in CREATE: " + each,
          new Growth(400, n -> "CREATE TABLE " + each.repeat(n) + "t_x (id INT)"));
    }
    texts.put(
        "calls around names",
        new Growth(
            400, n -> "SELECT " + "f(".repeat(n) + "t_log.id" + "), t_log.id".repeat(n) + ")"));
    texts.put(
        "closed and named",
        new Growth(
            400, n -> "SELECT f(" + list(n, ", ", i -> "g((1, 2), 3), t_log.id") + ") FROM t_log"));
    return texts;
  }

  static Map<String, Growth> all() {
    var all = new LinkedHashMap<String, Growth>();
    for (var table : new String[] {"t_log", "t_key", "t_dict", "t_conf"}) {
      String columns =
          switch (table) {
            case "t_dict" -> "code, name";
            case "t_conf" -> "k, v";
            default -> "id, name";
          };
      String head = " INTO " + table + " (" + columns + ") VALUES ";
      all.put(
          table + " rows",
          new Growth(1000, n -> "INSERT" + head + list(n, ", ", i -> "(" + i + ", 'n" + i + "')")));
      all.put(
          table + " parameters",
          new Growth(1000, n -> "INSERT" + head + list(n, ", ", i -> "(?, ?)")));
      all.put(
          table + " REPLACE",
          new Growth(1000, n -> "REPLACE" + head + list(n, ", ", i -> "(" + i + ", -" + i + ")")));
      all.put(
          table + " expressions",
          new Growth(
              1000,
              n ->
                  "INSERT"
                      + head
                      + list(n, ", ", i -> "(" + i + " + 1, CONCAT('a', (" + i + ")))")));
      all.put(
          table + " bare rows",
          new Growth(
              1000,
              n ->
                  "INSERT INTO "
                      + table
                      + " VALUES "
                      + list(n, ", ", i -> "(" + i + ", 'x')")
                      + " ON DUPLICATE KEY UPDATE "
                      + columns.substring(columns.indexOf(' '))
                      + " = 'y'"));
      all.put(
          table + " generated",
          new Growth(
              1000,
              n ->
                  "INSERT INTO "
                      + table
                      + " ("
                      + columns.substring(columns.indexOf(' '))
                      + ") VALUES "
                      + list(n, ", ", i -> "('x')")));
      all.put(
          table + " computed",
          new Growth(200, n -> "INSERT" + head + list(n, ", ", i -> "((SELECT 1), 'x')")));
    }
    all.put(
        "rows RETURNING",
        new Growth(
            1000,
            n ->
                "INSERT INTO t_log (id, name) VALUES "
                    + list(n, ", ", i -> "(" + i + ", 'x')")
                    + " RETURNING id"));
    all.put(
        "row nested",
        new Growth(
            500,
            n -> "INSERT INTO t_log (id, name) VALUES (" + nested(n, "(", "1", ")") + ", 'x')"));
    all.put(
        "row signs",
        new Growth(
            1000, n -> "INSERT INTO t_log (id, name) VALUES (" + "- ".repeat(n) + "1, 'x')"));
    all.put(
        "row sum",
        new Growth(
            1000,
            n -> "INSERT INTO t_log (id, name) VALUES (" + list(n, " + ", i -> "1") + ", 'x')"));
    all.put(
        "ON DUPLICATE list",
        new Growth(
            500,
            n ->
                "INSERT INTO t_log (id, name) VALUES (1, 'x') ON DUPLICATE KEY UPDATE "
                    + list(n, ", ", i -> "name = 'x" + i + "'")));
    for (var form :
        new String[] {
          "SELECT * FROM t_log WHERE ",
          "SELECT COUNT(*) FROM t_log WHERE ",
          "UPDATE t_log SET name = 'x' WHERE ",
          "DELETE FROM t_log WHERE ",
          "SELECT k FROM t_conf WHERE k IN (SELECT id FROM t_log) AND ",
          "SELECT o.name FROM t_order o JOIN t_log l ON l.id = o.amount WHERE l.name = 'x' AND o."
        }) {
      String key = form.contains("t_conf") ? "k" : form.contains("t_order") ? "order_id" : "id";
      all.put(
          form + "IN",
          new Growth(1000, n -> form + key + " IN (" + list(n, ", ", i -> "" + i) + ")"));
      all.put(
          form + "IN ?",
          new Growth(1000, n -> form + key + " IN (" + list(n, ", ", i -> "?") + ")"));
      all.put(
          form + "NOT IN",
          new Growth(1000, n -> form + key + " NOT IN (" + list(n, ", ", i -> "" + i) + ")"));
      all.put(
          form + "name IN",
          new Growth(
              1000,
              n -> form + key + " = 1 AND name IN (" + list(n, ", ", i -> "'" + i + "'") + ")"));
      all.put(
          form + "AND",
          new Growth(
              300,
              n ->
                  form
                      + list(
                          n,
                          " AND ",
                          i -> (i > 0 && form.endsWith(".") ? "o." : "") + key + " > " + i)));
      all.put(
          form + "OR",
          new Growth(
              300,
              n ->
                  form
                      + list(
                          n,
                          " OR ",
                          i -> (i > 0 && form.endsWith(".") ? "o." : "") + key + " = " + i)));
      all.put(form + "nested", new Growth(300, n -> form + key + " = " + nested(n, "(", "1", ")")));
      all.put(
          form + "nested condition",
          new Growth(100, n -> form.replaceAll("o\\.$", "") + nested(n, "(", key + " = 1", ")")));
      all.put(form + "sum", new Growth(300, n -> form + key + " = " + list(n, " + ", i -> "" + i)));
      all.put(
          form + "CASE",
          new Growth(
              300,
              n ->
                  form
                      + key
                      + " = CASE 5 "
                      + list(n, " ", i -> "WHEN " + i + " THEN " + i)
                      + " END"));
      all.put(
          form + "string",
          new Growth(
              1000, n -> form + key + " = 1 AND name = " + list(n, " ", i -> "'a" + i + "'")));
      all.put(
          form + "comments",
          new Growth(1000, n -> form + key + list(n, "", i -> " /* c */ ") + " = 1"));
      all.put(
          form + "tuples",
          new Growth(
              300,
              n ->
                  form.replaceAll("o\\.$", "")
                      + "("
                      + key
                      + ", name) IN ("
                      + list(n, ", ", i -> "(" + i + ", 'x')")
                      + ")"));
    }
    all.put(
        "columns",
        new Growth(200, n -> "SELECT " + list(n, ", ", i -> "id AS c" + i) + " FROM t_log"));
    all.put(
        "columns sorted",
        new Growth(
            200,
            n ->
                "SELECT " + list(n, ", ", i -> "id AS c" + i) + " FROM t_log ORDER BY c1 LIMIT 3"));
    all.put(
        "sort keys",
        new Growth(100, n -> "SELECT id FROM t_log ORDER BY " + list(n, ", ", i -> "id + " + i)));
    all.put(
        "group keys",
        new Growth(
            100, n -> "SELECT COUNT(*) FROM t_log GROUP BY " + list(n, ", ", i -> "id + " + i)));
    all.put(
        "aggregates",
        new Growth(
            100,
            n ->
                "SELECT "
                    + list(n, ", ", i -> "SUM(id + " + i + ")")
                    + " FROM t_log GROUP BY name"));
    all.put(
        "computed aggregates",
        new Growth(
            50,
            n ->
                "SELECT "
                    + list(n, ", ", i -> "IFNULL(SUM(id + " + i + "), 0)")
                    + " FROM t_log GROUP BY name"));
    all.put(
        "HAVING",
        new Growth(
            100,
            n ->
                "SELECT name FROM t_log GROUP BY name HAVING "
                    + list(n, " AND ", i -> "SUM(id) > " + i)));
    all.put(
        "SET STATEMENT within itself",
        new Growth(100, n -> "SET STATEMENT max_statement_time = 1 FOR ".repeat(n) + "SELECT 1"));
    all.put(
        "WITH of one another",
        new Growth(
            100,
            n ->
                "WITH c0 AS (SELECT 1 AS a)"
                    + list(n, "", i -> ", c" + (i + 1) + " AS (SELECT a FROM c" + i + ")")
                    + " SELECT a FROM c"
                    + n));
    String frames = "SELECT SUM(1) OVER (ORDER BY 1 ROWS CURRENT ROW) FROM ";
    all.put("places of tables", new Growth(100, n -> frames + list(n, ", ", i -> "(SELECT 1) d")));
    all.put("brackets of tables", new Growth(100, n -> frames + nested(n, "(", "t_conf", ")")));
    all.put(
        "rows beside",
        new Growth(100, n -> frames + "(VALUES " + list(n, ", ", i -> "(1)") + ") d"));
    all.put(
        "rows in rows",
        new Growth(100, n -> frames + "(VALUES (" + nested(n, "(VALUES (", "1", "))") + ")) d"));
    all.put("UNION tableless", new Growth(100, n -> list(n, " UNION ALL ", i -> "SELECT " + i)));
    all.put(
        "windows",
        new Growth(
            50,
            n ->
                "SELECT "
                    + list(n, ", ", i -> "ROW_NUMBER() OVER (ORDER BY id + " + i + ") AS w" + i)
                    + " FROM t_log"));
    all.put(
        "UPDATE SET",
        new Growth(
            300,
            n ->
                "UPDATE t_log SET " + list(n, ", ", i -> "name = 'x" + i + "'") + " WHERE id = 1"));
    all.put(
        "UPDATE SET all",
        new Growth(300, n -> "UPDATE t_log SET " + list(n, ", ", i -> "name = 'x" + i + "'")));
    all.put(
        "functions nested",
        new Growth(
            300, n -> "SELECT " + nested(n, "ABS(", "id", ")") + " FROM t_log WHERE id = 1"));
    all.put(
        "signs", new Growth(300, n -> "SELECT " + "- ".repeat(n) + " id FROM t_log WHERE id = 1"));
    all.put(
        "NOT", new Growth(300, n -> "SELECT id FROM t_log WHERE " + "NOT ".repeat(n) + " id = 1"));
    all.put(
        "parentheses in front",
        new Growth(100, n -> nested(n, "(", "SELECT id FROM t_log WHERE id = 1", ")")));
    all.put(
        "COLLATE",
        new Growth(
            300,
            n ->
                "SELECT id FROM t_log WHERE id = 1 AND name IN ("
                    + list(n, ", ", i -> "'x' COLLATE utf8mb4_bin")
                    + ")"));
    all.put(
        "qualified",
        new Growth(
            300,
            n ->
                "SELECT "
                    + list(n, ", ", i -> "shop.t_log.id")
                    + " FROM shop.t_log WHERE shop.t_log.id = 1"));
    all.put(
        "CREATE TABLE columns",
        new Growth(
            200,
            n ->
                "CREATE TABLE t_log (id INT, name INT, "
                    + list(n, ", ", i -> "c" + i + " INT COMMENT 'x'")
                    + ")"));
    all.put(
        "CREATE TABLE keys",
        new Growth(
            200,
            n -> "CREATE TABLE t_log (id INT, " + list(n, ", ", i -> "KEY k" + i + " (id)") + ")"));
    all.put(
        "ALTER TABLE",
        new Growth(
            200, n -> "ALTER TABLE t_log " + list(n, ", ", i -> "ADD COLUMN c" + i + " INT")));
    all.put(
        "DROP TABLE", new Growth(200, n -> "DROP TABLE IF EXISTS " + list(n, ", ", i -> "t" + i)));
    all.put(
        "RENAME TABLE",
        new Growth(100, n -> "RENAME TABLE " + list(n, ", ", i -> "t" + i + " TO u" + i)));
    all.put(
        "CREATE VIEW",
        new Growth(
            100,
            n -> "CREATE VIEW v AS SELECT " + list(n, ", ", i -> "id AS c" + i) + " FROM t_log"));
    all.put(
        "LOCK TABLES",
        new Growth(200, n -> "LOCK TABLES " + list(n, ", ", i -> "t_log AS a" + i + " READ")));
    all.put("SET", new Growth(200, n -> "SET " + list(n, ", ", i -> "@v" + i + " = " + i)));
    all.put("DO", new Growth(200, n -> "DO " + list(n, ", ", i -> "ABS(" + i + ")")));
    all.put("ANALYZE TABLE", new Growth(100, n -> "ANALYZE TABLE " + list(n, ", ", i -> "t_log")));
    all.put(
        "CREATE PROCEDURE",
        new Growth(
            100,
            n -> "CREATE PROCEDURE p() BEGIN " + list(n, " ", i -> "SELECT " + i + ";") + " END"));
    all.put(
        "CREATE TRIGGER",
        new Growth(
            100,
            n ->
                "CREATE TRIGGER g BEFORE INSERT ON t_log FOR EACH ROW BEGIN "
                    + list(n, " ", i -> "SET NEW.name = " + i + ";")
                    + " END"));
    all.put(
        "LOAD DATA",
        new Growth(
            100,
            n ->
                "LOAD DATA LOCAL INFILE 'x' INTO TABLE t_log ("
                    + list(n, ", ", i -> "@v" + i)
                    + ")"));
    all.put(
        "LOAD DATA of variables",
        new Growth(
            1000,
            n ->
                "LOAD DATA LOCAL INFILE 'x' INTO TABLE t_log (id, "
                    + list(n, ", ", i -> "@v" + i)
                    + ") SET name = CONCAT("
                    + list(n, ", ", i -> "@v" + i)
                    + ")"));
    all.put(
        "rows of another width",
        new Growth(
            1000,
            n ->
                "INSERT INTO t_log ("
                    + list(n, ", ", i -> "c" + i)
                    + ", id) VALUES "
                    + list(n, ", ", i -> "(1)")));
    all.put(
        "rows without values",
        new Growth(
            1000,
            n ->
                "INSERT INTO t_log (id, "
                    + list(n, ", ", i -> "c" + i)
                    + ") VALUES "
                    + list(n, ", ", i -> "()")));
    all.put(
        "rows of columns again and again",
        new Growth(
            1000,
            n ->
                "INSERT INTO t_log ("
                    + list(n, ", ", i -> "id")
                    + ") VALUES "
                    + list(n, ", ", i -> "()")));
    all.put(
        "keys set again and again",
        new Growth(
            1000,
            n -> "UPDATE t_log SET " + list(n, ", ", i -> "id = " + i) + " WHERE name = 'x'"));
    all.put(
        "not SQL",
        new Growth(300, n -> "SELECT id FROM t_log WHERE " + list(n, " ", i -> "nonsense (")));
    all.put(
        "hint",
        new Growth(
            300,
            n ->
                "/* SHARDINGSPHERE_HINT: "
                    + list(n, ", ", i -> "x=" + i)
                    + " */ SELECT id FROM t_log"));
    return all;
  }

  /** Over columns that are encrypted: {@code name} of t_log. */
  static Map<String, Growth> encrypted() {
    var all = new LinkedHashMap<String, Growth>();
    all.put(
        "markers of INSERT",
        new Growth(
            200, n -> "INSERT INTO t_log (id, name) VALUES " + list(n, ", ", i -> "(?, ?)")));
    all.put(
        "conditions",
        new Growth(
            200, n -> "SELECT id FROM t_log WHERE " + list(n, " OR ", i -> "name = 'x" + i + "'")));
    all.put(
        "UNION ALL",
        new Growth(100, n -> list(n, " UNION ALL ", i -> "SELECT id, name FROM t_log")));
    all.put(
        "derived UNION ALL",
        new Growth(
            100,
            n ->
                "SELECT "
                    + list(n, ", ", i -> "d.name AS n" + i)
                    + " FROM ("
                    + list(n, " UNION ALL ", i -> "SELECT id, name FROM t_log")
                    + ") d"));
    all.put(
        "subqueries",
        new Growth(
            100,
            n ->
                "SELECT "
                    + list(n, ", ", i -> "(SELECT name FROM t_log WHERE id = 7) AS n" + i)
                    + " FROM t_log"));
    return all;
  }

  /** Queries of the catalogue that one server answers. */
  static Map<String, Growth> catalogue() {
    String own = "SELECT 1 FROM information_schema.TABLES t WHERE t.TABLE_SCHEMA = 'backend' AND ";
    String columns = "information_schema.COLUMNS c";
    var all = new LinkedHashMap<String, Growth>();
    all.put("conditions", new Growth(400, n -> own + list(n, " AND ", i -> "t.VERSION > " + i)));
    all.put(
        "schemas",
        new Growth(400, n -> own + list(n, " AND ", i -> "t.TABLE_SCHEMA LIKE 'backend'")));
    all.put(
        "alternatives",
        new Growth(
            400, n -> own + "(" + list(n, " OR ", i -> "TABLE_SCHEMA = 'a" + i + "'") + ")"));
    all.put(
        "names",
        new Growth(400, n -> own + "TABLE_SCHEMA IN (" + list(n, ", ", i -> "'a" + i + "'") + ")"));
    all.put(
        "rows",
        new Growth(
            400,
            n ->
                own
                    + "(TABLE_NAME, TABLE_SCHEMA) IN ("
                    + list(n, ", ", i -> "('x', 'a" + i + "')")
                    + ")"));
    all.put("parentheses", new Growth(400, n -> own + nested(n, "(", "1", ")")));
    all.put(
        "parentheses with conditions",
        new Growth(400, n -> own + nested(n, "(1 AND ", "TABLE_SCHEMA = 'backend'", ")")));
    all.put(
        "subqueries in select lists", new Growth(200, n -> own + nested(n, "(SELECT ", "1", ")")));
    all.put(
        "subqueries in conditions",
        new Growth(
            200,
            n ->
                own
                    + nested(
                        n,
                        "EXISTS (SELECT 1 FROM "
                            + columns
                            + " WHERE c.TABLE_SCHEMA = 'backend' AND ",
                        "t.VERSION = 1",
                        ")")));
    all.put(
        "subqueries beside one another",
        new Growth(
            200,
            n ->
                own
                    + list(
                        n,
                        " AND ",
                        i ->
                            "EXISTS (SELECT 1 FROM "
                                + columns
                                + " WHERE c.TABLE_SCHEMA = t.TABLE_SCHEMA)")));
    all.put(
        "joins",
        new Growth(
            200,
            n ->
                "SELECT 1 FROM information_schema.TABLES c "
                    + list(
                        n,
                        " ",
                        i ->
                            "JOIN %s%d ON c%d.TABLE_SCHEMA = c.TABLE_SCHEMA"
                                .formatted(columns, i, i))
                    + " WHERE c.TABLE_SCHEMA = 'backend'"));
    all.put(
        "joins by columns",
        new Growth(
            200,
            n ->
                "SELECT 1 FROM information_schema.TABLES t "
                    + list(
                        n,
                        " ",
                        i -> "LEFT JOIN " + columns + i + " USING (TABLE_SCHEMA, TABLE_NAME)")));
    all.put(
        "derived tables",
        new Growth(
            200, n -> "SELECT 1 FROM " + nested(n, "(SELECT 1 FROM ", "(" + own + "1) x", ") x")));
    all.put("UNION", new Growth(200, n -> list(n, " UNION ", i -> own + "1")));
    return all;
  }

  /** What servers or the planner allow a number of only, with that number. */
  static Map<String, Growth> bounded() {
    var all = new LinkedHashMap<String, Growth>();
    all.put(
        "INSERT SELECT UNION",
        new Growth(
            1000,
            n ->
                "INSERT INTO t_log (id, name) "
                    + list(n, " UNION ALL ", i -> "SELECT " + i + ", 'x'")));
    all.put(
        "joins bound",
        new Growth(
            60,
            n ->
                "SELECT o0.name FROM "
                    + "t_order o0"
                    + list(
                        n,
                        "",
                        i ->
                            " JOIN t_order_item i"
                                + i
                                + " ON i"
                                + i
                                + ".order_id = o0.order_id AND i"
                                + i
                                + ".user_id = o0.user_id")
                    + " WHERE o0.user_id = 1"));
    all.put("joins half tied", new Growth(500, StatementGrowths::halfTied));
    all.put(
        "UNION of joins half tied", new Growth(16, m -> list(m, " UNION ALL ", j -> halfTied(60))));
    all.put(
        "joins staged",
        new Growth(
            60,
            n ->
                "SELECT o0.name FROM "
                    + "t_order o0"
                    + list(n, "", i -> " JOIN t_log l" + i + " ON l" + i + ".id = o0.order_id")));
    all.put(
        "joins dict",
        new Growth(
            60,
            n ->
                "SELECT o0.name FROM "
                    + "t_order o0"
                    + list(
                        n, "", i -> " JOIN t_dict d" + i + " ON d" + i + ".code = o0.order_id")));
    all.put(
        "UNION ALL",
        new Growth(
            250, n -> list(n, " UNION ALL ", i -> "SELECT id, name FROM t_log WHERE id = " + i)));
    all.put(
        "UNION one",
        new Growth(1000, n -> list(n, " UNION ", i -> "SELECT id, name FROM t_log WHERE id = 1")));
    all.put(
        "subqueries nested",
        new Growth(60, n -> nested(n, "SELECT id FROM t_log WHERE id IN (", "1", ")")));
    all.put(
        "derived nested",
        new Growth(
            60, n -> nested(n, "SELECT id FROM (", "SELECT id FROM t_log WHERE id = 1", ") d")));
    all.put(
        "subqueries beside",
        new Growth(
            250,
            n ->
                "SELECT "
                    + list(
                        n, ", ", i -> "(SELECT name FROM t_log WHERE id = " + i + ") AS c" + i)));
    all.put(
        "EXISTS beside",
        new Growth(
            250,
            n ->
                "SELECT id FROM t_log l WHERE "
                    + list(
                        n,
                        " AND ",
                        i ->
                            "EXISTS (SELECT 1 FROM t_order o WHERE o.amount = l.id + " + i + ")")));
    all.put(
        "CTE",
        new Growth(
            250,
            n ->
                "WITH "
                    + list(
                        n, ", ", i -> "c" + i + " AS (SELECT id FROM t_log WHERE id > " + i + ")")
                    + " SELECT * FROM c0"));
    all.put(
        "DELETE many",
        new Growth(
            60,
            n ->
                "DELETE "
                    + list(n, ", ", i -> "o" + i)
                    + " FROM "
                    + list(n, ", ", i -> "t_order o" + i)
                    + " WHERE o0.order_id = 1"));
    return all;
  }
}
