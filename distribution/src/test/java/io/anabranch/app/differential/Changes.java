package io.anabranch.app.differential;

import io.anabranch.app.differential.Sample.Column;
import io.anabranch.app.differential.Sample.Kind;
import io.anabranch.app.differential.Sample.Table;
import java.util.List;
import java.util.Random;

/** Statements that change the rows of a {@link Sample}. */
final class Changes {

  private final Sample sample;
  private final Random random;
  private int next = 1000;

  Changes(Sample sample, Random random) {
    this.sample = sample;
    this.random = random;
  }

  String statement() {
    Table table = sample.table(one("ta", "ta", "tb", "tc", "td", "ts"));
    return switch (random.nextInt(9)) {
      case 0, 1 -> table.insert(rows(table, 1 + random.nextInt(4)));
      case 2 -> table.insert(rows(table, 2)) + " ON DUPLICATE KEY UPDATE " + set(table);
      case 3 -> "REPLACE" + table.insert(rows(table, 2)).substring("INSERT".length());
      case 4, 5 -> "UPDATE " + table.name() + " SET " + set(table) + where();
      case 6 -> "DELETE FROM " + table.name() + where();
      case 7 ->
          "UPDATE " + table.name() + " SET " + set(table) + where() + " ORDER BY u, k, n LIMIT 2";
      default -> "DELETE FROM " + table.name() + where() + " ORDER BY u, k, n LIMIT 1";
    };
  }

  private List<String> rows(Table table, int count) {
    var rows = new java.util.ArrayList<String>();
    for (int i = 0; i < count; i++) {
      rows.add(sample.newRow(table, random.nextInt(3) == 0 ? random.nextInt(20) : next++));
    }
    return rows;
  }

  private String set(Table table) {
    for (Column column : table.columns()) {
      if (column.kind() == Kind.STRING) {
        return column.name() + " = '" + one("new", "ä", "") + "'";
      }
      if (column.kind() == Kind.DECIMAL) {
        return column.name() + " = " + random.nextInt(9) + ".25";
      }
    }
    Column column = table.columns().getFirst();
    return column.name() + " = " + one("NULL", column.values().getFirst());
  }

  private String where() {
    int value = random.nextInt(6) - 1;
    return one(
        " WHERE u = " + value,
        " WHERE k = " + (sample.hasTextKey() ? "'a'" : value),
        " WHERE u = " + value + " AND n = " + (value + 1),
        " WHERE k IN (" + (sample.hasTextKey() ? "'ä', " : value + ", ") + "'9')",
        " WHERE u > 3",
        " WHERE n % 5 = " + random.nextInt(5));
  }

  private String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
