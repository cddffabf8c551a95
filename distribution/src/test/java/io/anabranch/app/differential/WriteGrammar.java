package io.anabranch.app.differential;

import io.anabranch.app.differential.Sample.Column;
import io.anabranch.app.differential.Sample.Kind;
import io.anabranch.app.differential.Sample.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Statements of all kinds that change the rows of a {@link Sample}: what they do depends on no
 * order that a server may choose.
 */
final class WriteGrammar {

  private final Sample sample;
  private final Random random;
  private int next = 1000;

  WriteGrammar(Sample sample, Random random) {
    this.sample = sample;
    this.random = random;
  }

  String statement() {
    Table table = table();
    return switch (random.nextInt(16)) {
      case 0, 1 -> one("INSERT", "INSERT", "INSERT IGNORE", "REPLACE") + values(table);
      case 2 -> "INSERT" + values(table) + onDuplicate(table);
      case 3, 4, 5 -> insertOfQuery(table);
      case 6, 7 -> update(table);
      case 8 -> update(table) + " ORDER BY u, k, n" + one("", " DESC") + limit();
      case 9 -> moving(table);
      case 10, 11 -> joinedUpdate(table);
      case 12 -> "DELETE FROM " + table.name() + where(table);
      case 13 -> "DELETE FROM " + table.name() + where(table) + " ORDER BY u DESC, k, n" + limit();
      case 14 -> joinedDelete(table);
      default -> doubtful(table);
    };
  }

  private Table table() {
    return sample.table(one("ta", "ta", "tb", "tc", "td", "ts"));
  }

  // ---------------------------------------------------------------- INSERT

  private String values(Table table) {
    var rows = new ArrayList<String>();
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      rows.add(sample.newRow(table, random.nextInt(4) == 0 ? random.nextInt(30) : next++));
    }
    return table.insert(rows).substring("INSERT".length());
  }

  private String onDuplicate(Table table) {
    Column column = any(table);
    return " ON DUPLICATE KEY UPDATE "
        + column.name()
        + " = "
        + one("VALUES(" + column.name() + ")", column.name(), value(column), "DEFAULT");
  }

  /** Rows of a query whose columns both tables have. */
  private String insertOfQuery(Table into) {
    Table from = table();
    var columns = new ArrayList<>(List.of("u", "k", "n"));
    next += 100;
    String number = one("s.n + " + next, "s.n + " + next, "s.n", "s.n * 2 + " + next);
    var items = new ArrayList<>(List.of(one("s.u", "s.u", "s.u + 1"), "s.k", number));
    for (Column column : into.columns()) {
      if (from.columns().contains(column)) {
        columns.add(column.name());
        items.add("s." + column.name());
      }
    }
    String query =
        switch (random.nextInt(5)) {
          case 0 -> {
            columns.subList(3, columns.size()).clear();
            yield "SELECT s.u, s.k, MAX(s.n) + "
                + next
                + " FROM "
                + from.name()
                + " s GROUP BY s.u, s.k";
          }
          case 1 ->
              "SELECT "
                  + String.join(", ", items)
                  + " FROM "
                  + from.name()
                  + " s ORDER BY s.u, s.k, s.n LIMIT "
                  + (1 + random.nextInt(6));
          case 2 ->
              "SELECT "
                  + String.join(", ", items)
                  + " FROM "
                  + from.name()
                  + " s WHERE s.k IN (SELECT x.k FROM "
                  + table().name()
                  + " x WHERE x.u = "
                  + key()
                  + ")";
          default ->
              "SELECT "
                  + String.join(", ", items)
                  + " FROM "
                  + from.name()
                  + " s"
                  + condition("s.");
        };
    boolean updates = random.nextInt(5) == 0;
    String tail = updates ? " ON DUPLICATE KEY UPDATE n = VALUES(n) + 1" : "";
    String verb = updates ? "INSERT" : one("INSERT", "INSERT", "INSERT IGNORE", "REPLACE");
    return verb + " INTO " + into.name() + " (" + String.join(", ", columns) + ") " + query + tail;
  }

  // ---------------------------------------------------------------- UPDATE, DELETE

  private String update(Table table) {
    Column column = any(table);
    String value =
        column.kind() == Kind.INTEGER
            ? one(value(column), column.name() + " + 1", "(SELECT COUNT(*) FROM td)")
            : value(column);
    return "UPDATE "
        + one("", "", "", "IGNORE ")
        + table.name()
        + " SET "
        + column.name()
        + " = "
        + value
        + where(table);
  }

  /** Rows that go to another shard. */
  private String moving(Table table) {
    next += 100;
    return "UPDATE "
        + table.name()
        + " SET "
        + one("u = " + key(), "k = " + second())
        + ", n = n + "
        + next
        + " WHERE "
        + one("u = " + key(), "k = " + second());
  }

  private String joinedUpdate(Table table) {
    Table other = table();
    Column column = any(table);
    String set = " SET a." + column.name() + " = " + value(column);
    String on =
        one("a.u = b.u AND a.k = b.k", "a.k = b.k", "a.u = b.u AND a.k = b.k AND a.n = b.n");
    return "UPDATE "
        + table.name()
        + " a "
        + one("JOIN ", "LEFT JOIN ")
        + other.name()
        + " b ON "
        + on
        + set
        + " WHERE "
        + one(
            "b.u = " + key(),
            "a.u = " + key(),
            "b.n IS NULL",
            "a.k > " + second() + " AND b.u < 3");
  }

  private String joinedDelete(Table table) {
    Table other = table();
    String on = one("a.u = b.u AND a.k = b.k", "a.k = b.k");
    return "DELETE "
        + one("a", "a", "a, b")
        + " FROM "
        + table.name()
        + " a JOIN "
        + other.name()
        + " b ON "
        + on
        + " WHERE "
        + one("b.u = " + key(), "a.u = " + key() + " AND b.n < 6", "a.n % 7 = b.n % 7");
  }

  /** Values that a column may not take. */
  private String doubtful(Table table) {
    Column column = any(table);
    String value = one("'nonsense'", "99999999999999999999", "NULL", "''", "-1");
    return switch (random.nextInt(3)) {
      case 0 ->
          "UPDATE "
              + one("", "IGNORE ")
              + table.name()
              + " SET "
              + column.name()
              + " = "
              + value
              + where(table);
      case 1 ->
          (isChecked(column) ? "INSERT" : one("INSERT", "INSERT IGNORE"))
              + " INTO "
              + table.name()
              + " (u, k, n, "
              + column.name()
              + ") VALUES ("
              + key()
              + ", "
              + second()
              + ", "
              + next++
              + ", "
              + value
              + "), ("
              + key()
              + ", "
              + second()
              + ", "
              + next++
              + ", DEFAULT)";
      default ->
          "INSERT INTO " + table.name() + " (u, k, n) VALUES (" + key() + ", NULL, " + next + ")";
    };
  }

  /** MariaDB ignores a failed CHECK, as JSON has one, in an INSERT of several rows only. */
  private static boolean isChecked(Column column) {
    return column.kind() == Kind.JSON;
  }

  private String where(Table table) {
    return random.nextInt(4) == 0
        ? " WHERE "
            + one(
                "k IN (SELECT x.k FROM " + other(table) + " x WHERE x.u = " + key() + ")",
                "EXISTS (SELECT 1 FROM td x WHERE x.k = " + table.name() + ".k)",
                "n > (SELECT AVG(x.n) FROM " + other(table) + " x)",
                "(u, k) IN ((1, " + second() + "), (3, " + second() + "), (0, " + second() + "))")
        : condition("");
  }

  /** The name of another table: MySQL reads none that it changes. */
  private String other(Table table) {
    String name = table().name();
    while (name.equals(table.name())) {
      name = table().name();
    }
    return name;
  }

  private String condition(String alias) {
    return " WHERE "
        + one(
            alias + "u = " + key(),
            alias + "k = " + second(),
            alias + "u = " + key() + " AND " + alias + "k = " + second(),
            alias + "k IN (" + second() + ", " + second() + ")",
            alias + "u > " + key(),
            alias + "k BETWEEN " + second() + " AND " + second() + " OR " + alias + "n = 3",
            "NOT " + alias + "u = " + key(),
            alias + "n % 5 = " + random.nextInt(5));
  }

  private String limit() {
    return " LIMIT " + random.nextInt(4);
  }

  /** A value of the second sharding column. */
  private String second() {
    return sample.hasTextKey() ? one("'a'", "'b'", "''", "'9'", "'10'", "'日本'") : key();
  }

  private String key() {
    return Integer.toString(random.nextInt(7) - 1);
  }

  private Column any(Table table) {
    return table.columns().get(random.nextInt(table.columns().size()));
  }

  private String value(Column column) {
    return random.nextInt(6) == 0
        ? "NULL"
        : column.values().get(random.nextInt(column.values().size()));
  }

  private String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
