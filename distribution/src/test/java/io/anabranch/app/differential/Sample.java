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
  record Table(String name, List<Column> columns, List<String> rows) {

    String create() {
      var text =
          new StringBuilder(
              "CREATE TABLE " + name + " (u INT NOT NULL, k BIGINT NOT NULL, n INT NOT NULL");
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

  private static final String UNICODE = "CHARACTER SET utf8mb4 COLLATE utf8mb4_";
  private static final List<String> WORDS =
      List.of(
          "'a'", "'A'", "'a '", "'ä'", "'Ä'", "'b'", "''", "'ß'", "'ss'", "'10'", "'9'", "'é'",
          "'日本'", "'x''y'", "'\\\\'", "'%'");

  private static final List<Column> POOL =
      List.of(
          of("i_tiny", Kind.INTEGER, "TINYINT", "-128", "127", "0", "1", "-1", "7"),
          of("i_small", Kind.INTEGER, "SMALLINT UNSIGNED", "65535", "0", "1", "500"),
          of("i_int", Kind.INTEGER, "INT", "-2147483648", "2147483647", "0", "5", "5", "-5"),
          of(
              "i_big",
              Kind.INTEGER,
              "BIGINT",
              "-9223372036854775808",
              "9223372036854775807",
              "0",
              "12"),
          of("i_ubig", Kind.INTEGER, "BIGINT UNSIGNED", "18446744073709551615", "0", "3", "3"),
          of(
              "d_two",
              Kind.DECIMAL,
              "DECIMAL(10,2)",
              "0.00",
              "-1.50",
              "99999999.99",
              "1.10",
              "1.10",
              "2.25"),
          of(
              "d_ten",
              Kind.DECIMAL,
              "DECIMAL(30,10)",
              "0.0000000001",
              "-12345678901234567890.1234567891",
              "3.3333333333",
              "7"),
          of("f_float", Kind.FLOATING, "FLOAT", "0.1", "1.5", "-2.25", "1e10", "0"),
          of("f_double", Kind.FLOATING, "DOUBLE", "0.1", "1e100", "-1e-100", "2.5", "2.5", "0"),
          new Column("s_general", Kind.STRING, "VARCHAR(20) " + UNICODE + "general_ci", WORDS),
          new Column("s_unicode", Kind.STRING, "VARCHAR(20) " + UNICODE + "unicode_ci", WORDS),
          new Column("s_bin", Kind.STRING, "VARCHAR(20) " + UNICODE + "bin", WORDS),
          of(
              "s_latin",
              Kind.STRING,
              "CHAR(10) CHARACTER SET latin1 COLLATE latin1_swedish_ci",
              "'a'",
              "'B'",
              "'ü'",
              "'u'",
              "''"),
          new Column("s_text", Kind.STRING, "TEXT " + UNICODE + "general_ci", WORDS),
          of("b_var", Kind.BINARY, "VARBINARY(20)", "x'00'", "x'0001'", "x'ff'", "''", "'a'"),
          of("b_blob", Kind.BINARY, "BLOB", "x'00ff'", "'abc'", "''"),
          of(
              "t_date",
              Kind.TEMPORAL,
              "DATE",
              "'2024-02-29'",
              "'1000-01-01'",
              "'9999-12-31'",
              "'2024-01-31'"),
          of(
              "t_time",
              Kind.TEMPORAL,
              "TIME(3)",
              "'-838:59:59'",
              "'12:00:00.123'",
              "'00:00:00'",
              "'00:00:01'"),
          of(
              "t_datetime",
              Kind.TEMPORAL,
              "DATETIME(6)",
              "'2024-02-29 12:00:00.123456'",
              "'1000-01-01 00:00:00'",
              "'2024-03-01'"),
          of(
              "t_stamp",
              Kind.TEMPORAL,
              "TIMESTAMP NULL",
              "'2024-02-29 12:00:00'",
              "'1999-12-31 23:59:59'"),
          of("t_year", Kind.TEMPORAL, "YEAR", "2024", "1901", "2155"),
          of("e_enum", Kind.ENUM, "ENUM('z','a','m')", "'z'", "'a'", "'m'"),
          of("e_set", Kind.ENUM, "SET('z','a','m')", "'z'", "'a,m'", "''", "'z,a,m'"),
          of("x_bit", Kind.BIT, "BIT(9)", "b'101'", "b'0'", "b'111111111'"),
          of("j_json", Kind.JSON, "JSON", "'{\"a\": 1}'", "'[1, 2]'", "'\"x\"'", "'null'"));

  private final Map<String, Table> tables = new LinkedHashMap<>();
  private final Random random;

  Sample(Random random) {
    this.random = random;
    List<Column> shared = columns(5);
    table("ta", shared, 40);
    table("tb", withSome(shared), 40);
    table("tc", withSome(shared), 25);
    table("td", withSome(shared), 8);
    table("ts", withSome(shared), 12);
  }

  private static Column of(String name, Kind kind, String type, String... values) {
    return new Column(name, kind, type, List.of(values));
  }

  private List<Column> columns(int count) {
    var chosen = new ArrayList<Column>();
    while (chosen.size() < count) {
      Column column = POOL.get(random.nextInt(POOL.size()));
      if (!chosen.contains(column)) {
        chosen.add(column);
      }
    }
    return chosen;
  }

  private List<Column> withSome(List<Column> shared) {
    var columns = new ArrayList<>(shared.subList(0, 2));
    for (Column column : columns(2)) {
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
    tables.put(name, new Table(name, columns, values));
  }

  private String row(List<Column> columns, int n) {
    var cells = new ArrayList<>(List.of(key(5), key(9), Integer.toString(n)));
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

  private String value(Column column) {
    return random.nextInt(6) == 0
        ? "NULL"
        : column.values().get(random.nextInt(column.values().size()));
  }

  List<Table> tables() {
    return List.copyOf(tables.values());
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
