package io.anabranch.app.differential;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Tables and rows drawn from a seed. Each table has the sharding columns {@code u} and {@code k},
 * which are its key together with {@code n}, and a choice of columns of all types; their names
 * begin with their kind.
 */
final class Sample {

  /** What expressions may do with a column. */
  enum Kind {
    INTEGER,
    DECIMAL,
    FLOATING,
    STRING,
    BINARY,
    TEMPORAL,
    ENUM,
    BIT,
    JSON
  }

  /**
   * @param type as in CREATE TABLE
   * @param values literals to draw from
   */
  record Column(String name, Kind kind, String type, List<String> values) {}

  /** Rows are value lists without parentheses. */
  record Table(String name, String keys, List<Column> columns, List<String> rows) {

    String create() {
      var text = new StringBuilder("CREATE TABLE " + name + " (" + keys + ", n INT NOT NULL");
      for (Column column : columns) {
        text.append(", ").append(column.name()).append(' ').append(column.type());
      }
      return text + ", PRIMARY KEY (u, k, n)) DEFAULT CHARSET=utf8mb4";
    }

    String insert(List<String> some) {
      var names = new ArrayList<>(List.of("u", "k", "n"));
      columns.forEach(column -> names.add(column.name()));
      return "INSERT INTO "
          + name
          + " ("
          + String.join(", ", names)
          + ") VALUES ("
          + String.join("), (", some)
          + ")";
    }
  }

  private static final List<String> WORDS = ColumnPool.WORDS;
  private static final List<String> NUMBER_KEYS = List.of("INT", "INT", "BIGINT", "SMALLINT");

  private final ColumnPool pool = ColumnPool.ofServer();
  private final Map<String, Table> tables = new LinkedHashMap<>();
  private final List<Views.View> views;
  private final Random random;
  private final boolean hasTextKey;
  private final boolean changes;
  private final String keys;
  private final int nullOneIn;

  Sample(Random random, Layout layout) {
    boolean textKey = layout.hasTextKey();
    this.random = random;
    this.hasTextKey = textKey;
    boolean exact = random.nextBoolean();
    this.changes = !textKey || exact;
    this.keys =
        "u %s NOT NULL, k %s NOT NULL"
            .formatted(
                NUMBER_KEYS.get(random.nextInt(NUMBER_KEYS.size())),
                textKey
                    ? pool.textKey(exact ? ColumnPool.Equality.BYTES : ColumnPool.Equality.LOOSE)
                    : exact ? "BIGINT" : "INT");
    this.nullOneIn = List.of(6, 6, 2, 20).get(random.nextInt(4));
    boolean few = random.nextInt(6) == 0;
    List<Column> shared = columns(layout.encrypts() ? List.of(pool.exact()) : List.of(), 5);
    table("ta", shared, few ? 3 : 40);
    table("tb", withSome(shared), few ? 0 : 40);
    table("tc", withSome(shared), few ? 2 : 25);
    table("td", withSome(shared), 8);
    table("ts", withSome(shared), 12);
    this.views = new Views(this, random).draw();
  }

  boolean hasTextKey() {
    return hasTextKey;
  }

  /** Whether shards can tell what is unique: they can't for values that only collations equal. */
  boolean changes() {
    return changes;
  }

  /** A value of a sharding column that is a string. */
  String textKey(Draw draw) {
    return WORDS.get(draw.below(WORDS.size()));
  }

  private List<Column> columns(List<Column> first, int count) {
    var chosen = new ArrayList<>(first);
    while (chosen.size() < count) {
      Column column = pool.any(random);
      if (!chosen.contains(column)) {
        chosen.add(column);
      }
    }
    return chosen;
  }

  private List<Column> withSome(List<Column> shared) {
    var columns = new ArrayList<>(shared.subList(0, 2));
    for (Column column : columns(List.of(), 2)) {
      if (!columns.contains(column)) {
        columns.add(column);
      }
    }
    return columns;
  }

  private void table(String name, List<Column> columns, int rows) {
    var values = new ArrayList<String>();
    for (int row = 0; row < rows; row++) {
      values.add(row(columns, row));
    }
    tables.put(name, new Table(name, keys, columns, values));
  }

  private String row(List<Column> columns, int n) {
    var cells = new ArrayList<>(List.of(key(5), secondKey(), Integer.toString(n)));
    for (Column column : columns) {
      cells.add(value(column));
    }
    return String.join(", ", cells);
  }

  /** Small numbers, so that groups and joins have several rows and some shards none. */
  private String key(int bound) {
    return Integer.toString(
        random.nextInt(12) == 0 ? -random.nextInt(bound) : random.nextInt(bound));
  }

  private String secondKey() {
    return hasTextKey ? WORDS.get(random.nextInt(WORDS.size())) : key(9);
  }

  private String value(Column column) {
    return random.nextInt(nullOneIn) == 0
        ? "NULL"
        : column.values().get(random.nextInt(column.values().size()));
  }

  List<Table> tables() {
    return List.copyOf(tables.values());
  }

  List<Views.View> views() {
    return views;
  }

  /** One of the views, as a table. */
  Table view(String name) {
    return views.stream()
        .map(Views.View::table)
        .filter(table -> table.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  Table table(String name) {
    Table table = tables.get(name);
    if (table == null) {
      throw new IllegalArgumentException(name);
    }
    return table;
  }

  /** A new row of a table. */
  String newRow(Table table, int n) {
    return row(table.columns(), n);
  }
}
