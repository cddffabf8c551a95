package io.anabranch.app.types;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Draws queries over the tables {@code t} and {@code t4} of a {@link TypesArena}: three columns of
 * any types in expressions, aggregates, windows, set operations and subqueries.
 */
final class TypedGrammar {

  /**
   * @param parameters of its question marks
   * @param total whether rows come in one order only
   */
  record Drawn(String sql, List<Object> parameters, boolean total) {}

  private static final List<String> LITERALS =
      List.of(
          "0",
          "1",
          "-1",
          "9",
          "10",
          "1.5",
          "2.50",
          "1e1",
          "'a'",
          "'A '",
          "'9'",
          "'10'",
          "''",
          "NULL",
          "TRUE",
          "x'41'",
          "b'101'",
          "'2024-02-29'",
          "DATE'2024-02-29'",
          "TIME'10:00:00'",
          "TIMESTAMP'2024-02-29 12:00:00.5'",
          "'ä'",
          "N'b'",
          "_latin1'a'",
          "'a\\\\b'",
          "\"a\"",
          "99999999999999999999",
          "18446744073709551615",
          "-9223372036854775808",
          "'1abc'",
          "0.1e0",
          "'x''y'",
          "20240229",
          "'12:30'");

  private static final String OPEN = "\u0001";
  private static final String CLOSE = "\u0002";

  private final List<TypedColumn> columns;
  private final Random random;
  private final boolean isMySql;
  private final boolean bound;
  private List<TypedColumn> chosen = List.of();
  private String table = "t";

  /**
   * @param bound whether some literals become parameters
   */
  TypedGrammar(List<TypedColumn> columns, Random random, boolean isMySql, boolean bound) {
    this.columns = columns;
    this.random = random;
    this.isMySql = isMySql;
    this.bound = bound;
  }

  Drawn query() {
    table = one("t", "t4");
    chosen = List.of(any(), any(), any());
    boolean total = true;
    String sql =
        switch (below(20)) {
          case 0, 1, 2, 3 -> rows();
          case 4, 5, 6 -> grouped();
          case 7, 8 -> "SELECT " + list(this::aggregate) + from() + where();
          case 9 -> {
            total = false;
            String item = column();
            yield "SELECT DISTINCT " + one(item, expression(), item + ", g") + from() + where();
          }
          case 10, 11 -> windowed();
          case 12 -> common();
          case 13, 14 -> {
            total = false;
            yield united();
          }
          case 15, 16 -> nested();
          case 17 -> joined();
          case 18 -> rolled();
          default -> timed();
        };
    return bind(sql, total);
  }

  private String rows() {
    String items = below(6) == 0 ? "id, " + column() : list(this::expression);
    String order = below(3) == 0 ? "" : one(column(), expression()) + one("", " DESC") + ", ";
    return "SELECT " + items + from() + where() + " ORDER BY " + order + "id" + limit();
  }

  private String grouped() {
    String key = one(column(), "g", "id % 3", expression(), column() + ", g");
    String having =
        below(4) == 0
            ? " HAVING "
                + one("COUNT(*) > 1", aggregate() + " IS NOT NULL", aggregate() + " > " + literal())
            : "";
    String alias = key.contains(",") ? key : key + " AS k";
    String group = key.contains(",") ? key : one("k", "1", key);
    boolean plain = below(2) == 0;
    return "SELECT "
        + alias
        + ", "
        + list(this::aggregate)
        + from()
        + where()
        + " GROUP BY "
        + group
        + having
        + (plain
            ? " ORDER BY " + one("MIN(id)", "COUNT(*), MIN(id)", aggregate() + ", MIN(id)")
            : " ORDER BY " + (key.contains(",") ? key : one("k", "1")));
  }

  private String windowed() {
    String over =
        "OVER ("
            + one("", "PARTITION BY g ", "PARTITION BY " + column() + " ")
            + "ORDER BY "
            + one("", column() + ", ", expression() + " DESC, ")
            + "id"
            + one("", "", " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", " ROWS UNBOUNDED PRECEDING")
            + ")";
    String call =
        one(
            "ROW_NUMBER()",
            "RANK()",
            "DENSE_RANK()",
            "PERCENT_RANK()",
            "CUME_DIST()",
            "NTILE(3)",
            "LAG(" + column() + ")",
            "LEAD(" + column() + ", 2)",
            "FIRST_VALUE(" + expression() + ")",
            "LAST_VALUE(" + column() + ")",
            "NTH_VALUE(" + column() + ", 2)",
            plainAggregate(),
            plainAggregate());
    return "SELECT id, "
        + call
        + " "
        + over
        + " AS w"
        + from()
        + where()
        + " ORDER BY id"
        + limit();
  }

  private String common() {
    String inner =
        "SELECT id, g, " + column() + " AS x, " + expression() + " AS y" + from() + where();
    return switch (below(5)) {
      case 0 -> "WITH w AS (" + inner + ") SELECT x, y FROM w ORDER BY x, id" + limit();
      case 1 ->
          "WITH w (a, b, x, y) AS ("
              + inner
              + ") SELECT b, COUNT(x), MAX(y) FROM w GROUP BY b ORDER BY b";
      case 2 ->
          "SELECT d.x, d.y, d.id FROM ("
              + inner
              + ") d WHERE d.id > 3 ORDER BY d.y, d.id"
              + limit();
      case 3 ->
          "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 6) SELECT r.n, "
              + column()
              + " FROM r JOIN "
              + table
              + " ON r.n = id ORDER BY r.n";
      default -> "SELECT MIN(d.x), MAX(d.y), COUNT(DISTINCT d.x) FROM (" + inner + ") d";
    };
  }

  private String united() {
    String operation = one(" UNION ", " UNION ALL ", " EXCEPT ", " INTERSECT ", " UNION DISTINCT ");
    String left = one(column(), expression());
    String right = below(2) == 0 ? left : one(column(), expression(), literal());
    String first = "SELECT " + left + " AS x" + from() + where();
    String second = "SELECT " + right + " FROM " + one("t", "t4") + where();
    return below(3) == 0
        ? "(" + first + ")" + operation + "(" + second + ")" + one("", " ORDER BY x")
        : first + operation + second + (below(4) == 0 ? operation + "SELECT " + literal() : "");
  }

  private String nested() {
    String other = one("t", "t4");
    String item =
        one(
            "(SELECT " + plainAggregate() + " FROM " + other + ")",
            "(SELECT MAX(" + column() + ") FROM " + other + " i WHERE i.g = o.g)",
            "(SELECT COUNT(*) FROM " + other + " i WHERE i.id = o.id AND " + condition() + ")",
            "EXISTS (SELECT 1 FROM " + other + " i WHERE i.id = o.g)",
            column() + " IN (SELECT " + column() + " FROM " + other + ")",
            column()
                + one(" > ALL", " = ANY", " <= SOME")
                + " (SELECT "
                + column()
                + " FROM "
                + other
                + " WHERE id < 9)",
            "(SELECT " + column() + " FROM " + other + " ORDER BY id LIMIT 1)");
    return below(2) == 0
        ? "SELECT id, " + item + " AS q FROM " + table + " o ORDER BY id" + limit()
        : "SELECT id, "
            + column()
            + " FROM "
            + table
            + " o WHERE "
            + item
            + " ORDER BY id"
            + limit();
  }

  private String joined() {
    String other = one("t", "t4");
    String left = one(column(), "id", "g");
    String right = one(column(), "id", "g");
    return "SELECT a.id, b.id, "
        + qualified("a", column())
        + " FROM "
        + table
        + " a"
        + one(" JOIN ", " LEFT JOIN ")
        + other
        + " b ON "
        + qualified("a", left)
        + one(" = ", " = ", " <=> ", " < ")
        + qualified("b", right)
        + one("", " AND a.id = b.id")
        + " WHERE a.id < 9 ORDER BY a.id, b.id"
        + limit();
  }

  private String rolled() {
    String key = one("g", "id % 2", column());
    String grouping = one("", ", GROUPING(" + key + ")");
    return "SELECT "
        + key
        + ", "
        + list(this::aggregate)
        + (isMySql ? grouping : "")
        + from()
        + where()
        + " GROUP BY "
        + key
        + " WITH ROLLUP"
        + (isMySql ? one("", " HAVING COUNT(*) > 1") : "");
  }

  private String timed() {
    String moment =
        one(
            "NOW()",
            "NOW(3)",
            "NOW(6)",
            "CURRENT_TIMESTAMP",
            "CURRENT_TIMESTAMP(2)",
            "CURDATE()",
            "CURTIME(4)",
            "UTC_DATE()",
            "UTC_TIME(2)",
            "UTC_TIMESTAMP(6)",
            "LOCALTIME",
            "LOCALTIMESTAMP(1)",
            "UNIX_TIMESTAMP()",
            "UNIX_TIMESTAMP(NOW(3))",
            "FROM_UNIXTIME(UNIX_TIMESTAMP())",
            "DATE_FORMAT(NOW(), '%W %M %e %Y %a %b')",
            "DAYNAME(CURDATE())",
            "MONTHNAME(NOW())",
            "CONVERT_TZ(NOW(), '+00:00', '+05:30')",
            "DATE_ADD(CURDATE(), INTERVAL 1 MONTH)",
            "WEEK(CURDATE())",
            "TIMESTAMPDIFF(SECOND, '2024-01-01', NOW(6))",
            "CURTIME() + 0",
            "NOW(2) + 0");
    return switch (below(4)) {
      case 0 -> "SELECT id, " + moment + " AS m" + from() + " ORDER BY id LIMIT 3";
      case 1 -> "SELECT " + moment + " AS m, COUNT(*)" + from() + where() + " GROUP BY m";
      case 2 -> "SELECT MAX(" + moment + "), MIN(IF(id > 2, " + moment + ", NULL))" + from();
      default ->
          "SELECT id"
              + from()
              + " WHERE "
              + column()
              + one(" < ", " > ", " = ")
              + moment
              + " ORDER BY id";
    };
  }

  private String where() {
    return below(3) == 0 ? " WHERE " + condition() : "";
  }

  private String condition() {
    String column = one(column(), "id", "g", expression());
    return switch (below(12)) {
      case 0 -> column + " IS " + one("", "NOT ") + "NULL";
      case 1 -> column + " BETWEEN " + literal() + " AND " + literal();
      case 2 -> column + one("", " NOT") + " IN (" + literal() + ", " + literal() + ")";
      case 3 -> column + " LIKE " + one("'%1%'", "'a%'", "'_'", "'%\\\\%'");
      case 4 -> "NOT " + column + one(" = ", " < ", " BETWEEN 1 AND ") + literal();
      case 5 -> column + one(" = ", " < ", " <=> ") + column();
      case 6 -> "id" + one(" = ", " > ", " <= ") + below(20);
      case 7 -> "id IN (1, 2, " + below(24) + ")";
      case 8 -> "(" + condition() + one(" AND ", " OR ", " XOR ") + condition() + ")";
      default -> column + one(" = ", " <> ", " < ", " >= ", " <=> ") + literal();
    };
  }

  private String aggregate() {
    String column = one(column(), column(), expression());
    return switch (below(13)) {
      case 0 ->
          "GROUP_CONCAT("
              + column
              + " ORDER BY id"
              + one("", " DESC")
              + one("", " SEPARATOR '|'", " SEPARATOR ''")
              + (isMySql ? "" : one("", "", " LIMIT 3"))
              + ")";
      case 1 ->
          "GROUP_CONCAT(DISTINCT "
              + one("g", "id % 4", column)
              + " ORDER BY 1"
              + one("", " DESC")
              + ")";
      case 2 -> "COUNT(DISTINCT " + column + one("", ", g") + ")";
      case 3 -> one("SUM", "AVG") + "(DISTINCT " + column + ")";
      case 4 -> "JSON_ARRAYAGG(" + column + ") IS NULL";
      default -> plainAggregate();
    };
  }

  private String plainAggregate() {
    String column = one(column(), column(), expression());
    return one(
            "COUNT(%s)",
            "SUM(%s)",
            "AVG(%s)",
            "MIN(%s)",
            "MAX(%s)",
            "SUM(%s)",
            "MIN(%s)",
            "MAX(%s)",
            "BIT_AND(%s)",
            "BIT_OR(%s)",
            "BIT_XOR(%s)",
            "STD(%s)",
            "VAR_SAMP(%s)",
            "STDDEV_SAMP(%s)",
            "VARIANCE(%s)")
        .replace("%s", column);
  }

  private String expression() {
    String a = column();
    String b = one(column(), literal(), literal());
    return switch (below(40)) {
      case 0 -> a + one(" + ", " - ", " * ", " / ", " DIV ", " % ", " || ") + b;
      case 1 -> a + one(" | ", " & ", " ^ ", " << ", " >> ") + one("1", "3", b);
      case 2 -> one("-", "~", "!", "NOT ", "+", "BINARY ") + a;
      case 3 -> one("COALESCE", "IFNULL", "NULLIF", "GREATEST", "LEAST") + "(" + a + ", " + b + ")";
      case 4 -> "IF(" + condition1() + ", " + a + ", " + b + ")";
      case 5 -> "CASE WHEN " + condition1() + " THEN " + a + " ELSE " + b + " END";
      case 6 -> "CASE " + a + " WHEN " + literal() + " THEN 1 WHEN " + b + " THEN 2 END";
      case 7 -> one("CONCAT", "CONCAT_WS") + "('-', " + a + ", " + b + ")";
      case 8 ->
          one(
                  "UPPER",
                  "LOWER",
                  "REVERSE",
                  "HEX",
                  "LENGTH",
                  "CHAR_LENGTH",
                  "BIT_LENGTH",
                  "QUOTE",
                  "TRIM",
                  "LTRIM",
                  "SOUNDEX",
                  "ASCII",
                  "ORD",
                  "MD5",
                  "TO_BASE64",
                  "OCT",
                  "BIN")
              + "("
              + a
              + ")";
      case 9 ->
          one(
                  "LEFT(%s, 2)",
                  "RIGHT(%s, 1)",
                  "SUBSTR(%s, 2)",
                  "LPAD(%s, 8, '*')",
                  "RPAD(%s, 5, 'x')",
                  "REPEAT(%s, 2)",
                  "REPLACE(%s, '1', 'one')",
                  "INSERT(%s, 1, 1, 'Q')",
                  "SUBSTRING_INDEX(%s, '.', 1)",
                  "LOCATE('1', %s)",
                  "INSTR(%s, 'a')",
                  "FIND_IN_SET('a', %s)",
                  "FIELD(%s, 'a', '9')",
                  "ELT(2, 'x', %s)",
                  "STRCMP(%s, 'a')",
                  "CHARSET(%s)",
                  "COLLATION(%s)",
                  "COERCIBILITY(%s)")
              .replace("%s", a);
      case 10 ->
          one("ABS", "SIGN", "FLOOR", "CEIL", "ROUND", "SQRT", "LN", "EXP", "DEGREES", "CRC32")
              + "("
              + a
              + ")";
      case 11 -> one("ROUND", "TRUNCATE") + "(" + a + ", " + one("1", "-1", "0", "3", "30") + ")";
      case 12 -> one("MOD", "POW", "ATAN2", "INTERVAL") + "(" + a + ", " + b + ")";
      case 13 -> "FORMAT(" + a + ", 2" + one("", ", 'de_DE'") + ")";
      case 14, 15, 16 ->
          "CAST("
              + a
              + " AS "
              + one(
                  "CHAR",
                  "CHAR(3)",
                  "SIGNED",
                  "UNSIGNED",
                  "DECIMAL(65,30)",
                  "DECIMAL(10,2)",
                  "DECIMAL",
                  "DATE",
                  "TIME",
                  "TIME(3)",
                  "DATETIME",
                  "DATETIME(6)",
                  "BINARY",
                  "BINARY(4)",
                  "DOUBLE",
                  "FLOAT",
                  "NCHAR(3)",
                  "CHAR CHARACTER SET latin1",
                  isMySql ? "JSON" : "INTEGER",
                  isMySql ? "YEAR" : "INET6")
              + ")";
      case 17 -> "CONVERT(" + a + " USING " + one("utf8mb4", "latin1", "binary", "ucs2") + ")";
      case 18 ->
          one(
                  "YEAR",
                  "MONTH",
                  "DAY",
                  "HOUR",
                  "MINUTE",
                  "SECOND",
                  "MICROSECOND",
                  "QUARTER",
                  "DAYOFYEAR",
                  "DAYOFWEEK",
                  "WEEKDAY",
                  "WEEK",
                  "YEARWEEK",
                  "DAYNAME",
                  "MONTHNAME",
                  "LAST_DAY",
                  "TO_DAYS",
                  "TO_SECONDS",
                  "TIME_TO_SEC",
                  "DATE",
                  "TIME",
                  "UNIX_TIMESTAMP",
                  "SEC_TO_TIME",
                  "FROM_UNIXTIME",
                  "FROM_DAYS",
                  "TIMESTAMP")
              + "("
              + a
              + ")";
      case 19 ->
          "DATE_FORMAT("
              + a
              + ", "
              + one("'%Y-%m-%d'", "'%W %M %U %v %x'", "'%H:%i:%s.%f'", "'%a %b %D'")
              + ")";
      case 20 ->
          one("DATE_ADD", "DATE_SUB")
              + "("
              + a
              + ", INTERVAL "
              + one(
                  "1 DAY",
                  "1 MONTH",
                  "'1:30' HOUR_MINUTE",
                  "90 SECOND",
                  "1.5 SECOND",
                  "100 MICROSECOND",
                  "-1 YEAR")
              + ")";
      case 21 ->
          one(
                  "TIMESTAMPDIFF(DAY, %s, '2024-03-01')",
                  "DATEDIFF(%s, '2024-01-01')",
                  "TIMEDIFF(%s, '01:00:00')",
                  "ADDTIME(%s, '01:00:00.5')",
                  "SUBTIME(%s, '00:00:01')",
                  "EXTRACT(YEAR_MONTH FROM %s)",
                  "EXTRACT(SECOND_MICROSECOND FROM %s)",
                  "CONVERT_TZ(%s, '+00:00', '+01:00')",
                  "STR_TO_DATE(%s, '%Y-%m-%d')",
                  "TIME_FORMAT(%s, '%H %i')",
                  "PERIOD_ADD(%s, 1)")
              .replace("%s", a);
      case 22 ->
          one(
                  "JSON_OBJECT('k', %s)",
                  "JSON_ARRAY(%s, 1)",
                  "JSON_QUOTE(%s)",
                  "JSON_TYPE(%s)",
                  "JSON_VALID(%s)",
                  "JSON_EXTRACT(%s, '$[0]')",
                  "JSON_UNQUOTE(%s)",
                  "JSON_LENGTH(%s)",
                  "JSON_VALUE(%s, '$.a')",
                  "JSON_KEYS(%s)",
                  "JSON_CONTAINS(%s, '1')")
              .replace("%s", a);
      case 23 -> a + one(" = ", " < ", " <=> ", " <> ", " LIKE ", " REGEXP ") + b;
      case 24 -> a + " IN (" + b + ", " + literal() + ")";
      case 25 ->
          one(
                  "%s IS NULL",
                  "%s IS NOT TRUE",
                  "ISNULL(%s)",
                  "%s IS UNKNOWN",
                  "%s BETWEEN '1' AND '9'",
                  "%s COLLATE utf8mb4_bin",
                  "%s COLLATE utf8mb4_general_ci")
              .replace("%s", a);
      case 26 -> "EXPORT_SET(5, " + a + ", 'n', '', 3)";
      case 27 ->
          one(
                  "ST_AsText(%s)",
                  "ST_X(%s)",
                  "INET6_NTOA(%s)",
                  "INET_ATON(%s)",
                  "INET6_ATON(%s)",
                  "UNHEX(HEX(%s))",
                  "CONV(%s, 10, 16)",
                  "MAKE_SET(3, %s, 'b')",
                  "CHAR(%s)",
                  "SHA1(%s)",
                  "COMPRESS(%s) IS NULL")
              .replace("%s", a);
      case 28 -> "(" + a + ", g) = (" + b + ", 1)";
      case 29 -> "MAKETIME(" + a + ", 10, 5.5)";
      case 30 -> "MAKEDATE(2024, " + a + ")";
      default -> a;
    };
  }

  private String condition1() {
    return one("id > 3", column() + " IS NULL", "g = 1", column() + " > " + literal());
  }

  private String literal() {
    String literal = below(2) == 0 ? LITERALS.get(below(LITERALS.size())) : value();
    if (bound && below(3) == 0) {
      return parameter(literal) == null ? literal : OPEN + literal + CLOSE;
    }
    return literal;
  }

  private String value() {
    List<String> values = chosen.get(below(chosen.size())).values();
    return values.get(below(values.size()));
  }

  /** Marked literals become question marks, in the order of the text. */
  private Drawn bind(String marked, boolean total) {
    var sql = new StringBuilder();
    var parameters = new ArrayList<Object>();
    int done = 0;
    for (int open = marked.indexOf(OPEN); open >= 0; open = marked.indexOf(OPEN, done)) {
      int close = marked.indexOf(CLOSE, open);
      sql.append(marked, done, open).append('?');
      parameters.add(parameter(marked.substring(open + 1, close)));
      done = close + 1;
    }
    return new Drawn(sql + marked.substring(done), parameters, total);
  }

  private Object parameter(String literal) {
    if (literal.matches("'[^'\\\\]*'")) {
      return literal.substring(1, literal.length() - 1);
    }
    if (literal.matches("-?[0-9]{1,9}")) {
      if (below(2) == 0) {
        return Long.valueOf(literal);
      }
      return Integer.valueOf(literal);
    }
    if (literal.matches("-?[0-9.]+")) {
      return new BigDecimal(literal);
    }
    return literal.matches("-?[0-9.]+e-?[0-9]+") ? Double.valueOf(literal) : null;
  }

  private String from() {
    return " FROM " + table;
  }

  private String limit() {
    return one("", "", " LIMIT 5", " LIMIT 3 OFFSET 2", " LIMIT 0");
  }

  private String column() {
    return "c_" + chosen.get(below(chosen.size())).name();
  }

  private static String qualified(String alias, String column) {
    return alias + "." + column;
  }

  private TypedColumn any() {
    return columns.get(below(columns.size()));
  }

  private String list(java.util.function.Supplier<String> items) {
    var text = new StringBuilder(items.get());
    for (int i = below(3); i > 0; i--) {
      text.append(", ").append(items.get());
    }
    return text.toString();
  }

  private int below(int bound) {
    return random.nextInt(bound);
  }

  private String one(String... choices) {
    return choices[below(choices.length)];
  }
}
