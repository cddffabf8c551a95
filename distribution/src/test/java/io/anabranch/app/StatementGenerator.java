package io.anabranch.app;

import java.util.List;
import java.util.Random;

/**
 * Statements over two tables of the differential test, drawn from a seed: {@code t_order} and
 * {@code t_item} of {@link ShardedFixture}.
 */
final class StatementGenerator {

  private static final List<String> ORDER_COLUMNS =
      List.of("order_id", "user_id", "status", "total", "placed", "ratio");
  private static final List<String> AGGREGATES =
      List.of(
          "COUNT(*)",
          "COUNT(total)",
          "SUM(total)",
          "SUM(user_id)",
          "MIN(total)",
          "MAX(placed)",
          "AVG(total)",
          "AVG(user_id)",
          "MIN(status)",
          "MAX(order_id)");
  private static final List<String> GROUPS = List.of("user_id", "status", "user_id, status");
  private static final List<String> STATES = List.of("open", "OPEN", "paid", "sent", "ä", "a", "");

  private final Random random;
  private int nextId = 1000;

  StatementGenerator(long seed) {
    random = new Random(seed);
  }

  static List<String> schema() {
    return List.of(
        """
        CREATE TABLE t_order (order_id BIGINT NOT NULL, user_id INT NOT NULL, status VARCHAR(10), total DECIMAL(12,3),
          placed DATETIME, ratio DOUBLE, PRIMARY KEY (order_id, user_id))
        """,
        """
        CREATE TABLE t_item (item_id INT NOT NULL, order_id BIGINT NOT NULL, user_id INT NOT NULL, quantity INT,
          PRIMARY KEY (item_id, order_id, user_id))
        """);
  }

  /** A statement that changes no rows. */
  String query() {
    return switch (random.nextInt(7)) {
      case 0 -> "SELECT * FROM t_order" + where("") + totalOrder("") + limit();
      case 1 -> "SELECT " + columns() + " FROM t_order" + where("") + totalOrder("") + limit();
      case 2 -> "SELECT " + aggregates() + " FROM t_order" + where("");
      case 3 -> grouped();
      case 4 -> {
        String column = pick(List.of("user_id", "status", "total"));
        yield "SELECT DISTINCT " + column + " FROM t_order" + where("") + " ORDER BY " + column;
      }
      case 5 ->
          "SELECT o.order_id, o.user_id, i.item_id, i.quantity FROM t_order o JOIN t_item i"
              + " ON i.order_id = o.order_id AND i.user_id = o.user_id"
              + where("o.")
              + " ORDER BY o.order_id, o.user_id, i.item_id"
              + limit();
      default ->
          "SELECT COUNT(*), SUM(quantity) FROM t_item"
              + " WHERE "
              + condition("", List.of("order_id", "user_id"));
    };
  }

  /** A statement that changes rows. */
  String change() {
    return switch (random.nextInt(6)) {
      case 0, 1 -> insert(1 + random.nextInt(4));
      case 2 -> "UPDATE t_order SET total = total + 1, status = '" + pick(STATES) + "'" + where("");
      case 3 -> "UPDATE t_order o SET o.ratio = " + random.nextInt(100) / 4.0 + where("o.");
      case 4 -> "DELETE FROM t_order" + where("");
      default -> {
        int order = random.nextInt(60);
        yield "INSERT INTO t_item (item_id, order_id, user_id, quantity) VALUES (%d, %d, %d, %d)"
            .formatted(nextId++, order, order % 5, random.nextInt(9));
      }
    };
  }

  String insert(int rows) {
    var sql =
        new StringBuilder(
            "INSERT INTO t_order (order_id, user_id, status, total, placed, ratio) VALUES ");
    for (int i = 0; i < rows; i++) {
      int order = random.nextInt(60);
      sql.append(
          "%s(%d, %d, %s, %s, '2024-%02d-%02d %02d:00:00', %s)"
              .formatted(
                  i == 0 ? "" : ", ",
                  nextId + order,
                  order % 5 - 1,
                  random.nextInt(8) == 0 ? "NULL" : "'" + pick(STATES) + "'",
                  random.nextInt(8) == 0
                      ? "NULL"
                      : random.nextInt(1000) + "." + random.nextInt(999),
                  1 + random.nextInt(12),
                  1 + random.nextInt(28),
                  random.nextInt(24),
                  random.nextInt(64) / 8.0));
      nextId++;
    }
    return sql.toString();
  }

  private String grouped() {
    String group = pick(GROUPS);
    String having = random.nextInt(4) == 0 ? " HAVING COUNT(*) > " + random.nextInt(3) : "";
    String order =
        random.nextInt(3) == 0 ? " ORDER BY COUNT(*) DESC, " + group : " ORDER BY " + group;
    return "SELECT "
        + group
        + ", "
        + aggregates()
        + " FROM t_order"
        + where("")
        + " GROUP BY "
        + group
        + having
        + order
        + limit();
  }

  private String aggregates() {
    String first = pick(AGGREGATES);
    String second = pick(AGGREGATES);
    return first.equals(second) ? first : first + ", " + second + " AS second";
  }

  private String columns() {
    var text = new StringBuilder("order_id, user_id");
    for (int i = random.nextInt(3); i > 0; i--) {
      text.append(", ").append(pick(ORDER_COLUMNS)).append(" AS c").append(i);
    }
    return text.toString();
  }

  private String where(String qualifier) {
    int conditions = random.nextInt(3);
    if (conditions == 0) {
      return "";
    }
    var text = new StringBuilder(" WHERE ");
    for (int i = 0; i < conditions; i++) {
      text.append(i == 0 ? "" : pick(List.of(" AND ", " AND ", " OR ")));
      text.append(condition(qualifier, ORDER_COLUMNS));
    }
    return text.toString();
  }

  private String condition(String qualifier, List<String> candidates) {
    String column = pick(candidates);
    String name = qualifier + column;
    return switch (column) {
      case "status" -> name + pick(List.of(" = ", " <> ", " >= ")) + "'" + pick(STATES) + "'";
      case "placed" -> name + " < '2024-0" + (1 + random.nextInt(9)) + "-15'";
      case "total", "ratio" -> pick(List.of(name + " IS NULL", name + " > " + random.nextInt(500)));
      default -> key(name);
    };
  }

  private String key(String name) {
    int value = 1000 + random.nextInt(60);
    if (name.endsWith("user_id")) {
      value = random.nextInt(6) - 1;
    }
    return switch (random.nextInt(6)) {
      case 0 -> name + " IN (" + value + ", " + (value + 1) + ", " + (value + 7) + ")";
      case 1 -> name + " BETWEEN " + value + " AND " + (value + 5);
      case 2 -> name + " > " + value;
      case 3 -> value + " = " + name;
      case 4 -> name + " = '" + value + "'";
      default -> name + " = " + value;
    };
  }

  private String totalOrder(String qualifier) {
    String key = qualifier + "order_id, " + qualifier + "user_id";
    return switch (random.nextInt(4)) {
      case 0 -> " ORDER BY status, " + key;
      case 1 -> " ORDER BY total DESC, " + key;
      case 2 -> " ORDER BY placed, ratio DESC, " + key;
      default -> " ORDER BY " + key;
    };
  }

  private String limit() {
    return switch (random.nextInt(5)) {
      case 0 -> " LIMIT " + random.nextInt(10);
      case 1 -> " LIMIT " + random.nextInt(5) + ", " + random.nextInt(10);
      case 2 -> " LIMIT " + random.nextInt(10) + " OFFSET " + random.nextInt(5);
      default -> "";
    };
  }

  private String pick(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
