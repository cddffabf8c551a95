package io.anabranch.app.protection;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Statements that use masked or encrypted columns in all ways that the grammar has. */
final class ProtectedGrammar {

  private final Random random;

  /** Names that a column of a derived or common table may have. */
  private final List<String> aliases = new ArrayList<>();

  ProtectedGrammar(Random random) {
    this.random = random;
  }

  private String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private boolean once(int in) {
    return random.nextInt(in) == 0;
  }

  private static String list(int count, Supplier<String> each) {
    return IntStream.range(0, count).mapToObj(_ -> each.get()).collect(Collectors.joining(", "));
  }

  String statement() {
    aliases.clear();
    return switch (random.nextInt(32)) {
      case 0 -> "INSERT INTO t_own (id, phone) " + query(2);
      case 1 -> "INSERT INTO t_own (phone) VALUES (" + expression(1) + ")";
      case 2 -> "REPLACE INTO t_own " + select(1) + one("", " RETURNING *");
      case 3 -> update();
      case 4 -> "DELETE FROM " + one("t_own", "t_own USING t_own, t_user") + where();
      case 5 -> "CREATE TABLE t_copy " + one("", "AS ", "(z INT) ") + query(1);
      case 6 -> one("EXPLAIN ", "EXPLAIN FORMAT=JSON ", "ANALYZE ", "DESC ") + query(1);
      case 7 -> one("SET @v = ", "DO ", "SET sql_mode = ") + "(" + query(1) + ")";
      case 8 -> query(1) + " INTO @v";
      case 9 -> one("TABLE t_user", "TABLE v_user ORDER BY 2", "CHECKSUM TABLE t_user");
      case 10 -> "SHOW COLUMNS FROM t_user WHERE " + condition(1);
      default -> query(2);
    };
  }

  private String update() {
    return one(
        "UPDATE t_own o JOIN t_user u ON o.id = u.id SET o.phone = " + expression(1),
        "UPDATE t_user SET name = " + expression(1) + where(),
        "UPDATE t_own NATURAL JOIN t_user SET t_own.hit = t_user.id",
        "UPDATE t_user SET name = name" + where() + " ORDER BY " + expression(1) + " LIMIT 1");
  }

  /** With what may stand around SELECTs. */
  private String query(int depth) {
    var text = new StringBuilder();
    boolean hasCommon = once(5);
    if (hasCommon) {
      String list = once(3) ? " (a, b)" : "";
      text.append("WITH ").append(one("", "", "", "", "", "RECURSIVE ")).append('c').append(list);
      text.append(" AS (").append(query(depth - 1)).append(") ");
      aliases.addAll(List.of("a", "b"));
    }
    text.append(leg(depth, hasCommon));
    while (once(4)) {
      text.append(
          one(" UNION ", " UNION ALL ", " UNION ALL ", " UNION ALL ", " INTERSECT ", " EXCEPT "));
      text.append(leg(depth, hasCommon));
    }
    return text + order() + (once(4) ? " LIMIT 3" : "");
  }

  private String leg(int depth, boolean hasCommon) {
    String select = select(depth, hasCommon ? one("c", "") : "");
    return once(5) ? "(" + select + ")" : select;
  }

  private String order() {
    return once(6) ? " ORDER BY " + one("1", "phone", "id", "id", "name", expression(0)) : "";
  }

  private String select(int depth) {
    return select(depth, "");
  }

  private String select(int depth, String table) {
    String from = table.isEmpty() ? from(depth) : table;
    var text = new StringBuilder("SELECT ").append(once(8) ? "DISTINCT " : "");
    text.append(once(5) ? one("*", "u.*", "*, 1") : list(1 + random.nextInt(2), () -> item(depth)));
    text.append(" FROM ").append(from).append(where());
    if (once(12)) {
      text.append(" GROUP BY ").append(one("1", "id", expression(0)));
      text.append(once(2) ? " HAVING " + condition(0) : "");
    }
    return text.toString();
  }

  private String item(int depth) {
    String alias = one("a", "b", "p", "phone", "pin", "name");
    String item = once(6) ? expression(depth) : column();
    if (once(3)) {
      aliases.add(alias);
      return item + one(" AS ", " ") + alias;
    }
    return item;
  }

  private String from(int depth) {
    if (depth > 0 && once(4)) {
      return "(" + query(depth - 1) + ") u" + (once(6) ? " (a, b)" : "");
    }
    if (once(2)) {
      return "t_user u";
    }
    return one(
        "t_user",
        "t_user u",
        "v_user u",
        "v_user u",
        "v_told u",
        "t_own u",
        "t_user u JOIN t_own o ON u.id = o.id",
        "t_user u JOIN t_own o ON " + condition(0),
        "t_own u NATURAL JOIN t_user",
        "t_own u JOIN t_user o USING (" + one("id", "phone") + ")",
        "(t_user u, t_own o)",
        "t_user u PARTITION (p0)",
        "t_user u FORCE INDEX (PRIMARY)");
  }

  private String where() {
    return once(4) ? " WHERE " + condition(1) : "";
  }

  private String column() {
    String name =
        aliases.isEmpty() || once(2)
            ? one("phone", "phone", "pin", "id", "name")
            : aliases.get(random.nextInt(aliases.size()));
    return one("", "", "u.") + name;
  }

  private String condition(int depth) {
    return switch (random.nextInt(12)) {
      case 0 -> column() + " LIKE '7%'";
      case 1 -> column() + one(" > ", " < ", " = ", " <=> ") + one("'5'", "5", column());
      case 2 -> column() + " BETWEEN '1' AND " + column();
      case 3 -> column() + " IN ('nobody', 'none')";
      case 4 -> condition(0) + one(" AND ", " OR ", " XOR ") + condition(0);
      case 5 -> "NOT " + condition(0);
      case 6 -> depth > 0 ? "EXISTS (" + query(0) + ")" : "id > 1";
      case 7 -> depth > 0 ? column() + " IN (" + query(0) + ")" : "id < 3";
      case 8 -> depth > 0 ? "(" + query(0) + ") " + one(">", "=") + " '5'" : "name <> 'x'";
      case 9 -> column() + " IS NOT NULL";
      default -> "id " + one("=", ">", "<>") + " 2";
    };
  }

  private String expression(int depth) {
    return switch (random.nextInt(14)) {
      case 0 -> one("UPPER", "HEX", "MD5", "REVERSE", "LENGTH", "TO_BASE64") + "(" + column() + ")";
      case 1 -> "CONCAT(" + column() + ", '')";
      case 2 -> one("MAX", "MIN", "GROUP_CONCAT", "JSON_ARRAYAGG", "SUM") + "(" + column() + ")";
      case 3 -> "COUNT(DISTINCT " + column() + ")";
      case 4 -> column() + one(" + 0", " = 'x'", " DIV 2", " COLLATE utf8mb4_bin", " IS NULL");
      case 5 -> "CASE WHEN " + condition(0) + " THEN 1 ELSE " + column() + " END";
      case 6 -> "IF(" + condition(0) + ", 'y', 'n')";
      case 7 -> "ROW_NUMBER() OVER (ORDER BY " + column() + ")";
      case 8 -> "FIRST_VALUE(" + column() + ") OVER (ORDER BY id)";
      case 9 -> depth > 0 ? "(" + query(0) + ")" : "1";
      case 10 -> "JSON_OBJECT('k', " + column() + ")";
      case 11 -> "COALESCE(NULL, " + column() + ")";
      case 12 ->
          one("'x'", "NULL", "7", "INTERVAL(1, 2)", "NOT id", "BINARY phone", "DEFAULT(phone)");
      default -> "CAST(" + column() + " AS " + one("CHAR", "SIGNED", "JSON", "INET6") + ")";
    };
  }
}
