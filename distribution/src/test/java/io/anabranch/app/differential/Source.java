package io.anabranch.app.differential;

import io.anabranch.app.differential.Sample.Column;
import io.anabranch.app.differential.Sample.Kind;
import io.anabranch.app.differential.Sample.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Tables in FROM with their aliases. */
record Source(String from, List<Table> tables, List<String> aliases) {

  /** The columns that tell all rows apart. */
  String key() {
    var keys = new ArrayList<String>();
    for (String alias : aliases) {
      keys.add(alias + ".u");
      keys.add(alias + ".k");
      keys.add(alias + ".n");
    }
    return String.join(", ", keys);
  }

  /**
   * Whether a view is among them. Over views the plain server itself loses rows and digits: of
   * expressions in DISTINCT and in GROUP BY … WITH ROLLUP, of numbers with ZEROFILL in texts, of
   * subqueries beside windows.
   */
  boolean hasView() {
    return tables.stream().anyMatch(table -> table.name().startsWith("v"));
  }

  /** The sharding columns and the number of a table's row, of the first table mostly. */
  String qualified(Draw draw, String column) {
    return aliases.get(draw.once(4) ? aliases.size() - 1 : 0) + "." + column;
  }

  /** A column of a wanted kind; {@code n} where there is none. */
  String column(Draw draw, Predicate<Kind> wanted) {
    int table = draw.below(tables.size());
    List<Column> columns =
        tables.get(table).columns().stream().filter(c -> wanted.test(c.kind())).toList();
    String name = columns.isEmpty() ? "n" : columns.get(draw.below(columns.size())).name();
    return aliases.get(table) + "." + name;
  }
}
