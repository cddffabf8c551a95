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

  private static final String UNICODE = "CHARACTER SET utf8mb4 COLLATE utf8mb4_";
  private static final List<String> WORDS =
      List.of(
          "'a'", "'A'", "'a '", "'ä'", "'Ä'", "'b'", "''", "'ss'", "'10'", "'9'", "'é'", "'日本'",
          "'x''y'", "'\\\\'", "'%'", "'😀'", "'0'", "'1e1'", "' a'", "'007'");

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
          of("i_medium", Kind.INTEGER, "MEDIUMINT", "-8388608", "8388607", "3"),
          of("i_uint", Kind.INTEGER, "INT UNSIGNED", "4294967295", "0", "2", "2"),
          of("i_bool", Kind.INTEGER, "BOOLEAN", "TRUE", "FALSE"),
          of("i_zero", Kind.INTEGER, "INT(6) ZEROFILL", "7", "0", "4294967295"),
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
          of(
              "d_max",
              Kind.DECIMAL,
              "DECIMAL(35,0)",
              "99999999999999999999999999999999999",
              "-99999999999999999999999999999999999",
              "0",
              "5"),
          of("d_fine", Kind.DECIMAL, "DECIMAL(38,30)", "0.000000000000000000000000000001", "-0.5"),
          of(
              "d_plus",
              Kind.DECIMAL,
              "DECIMAL(20,3) UNSIGNED",
              "0",
              "12.345",
              "12345678901234567.891"),
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
          new Column("s_nopad", Kind.STRING, "VARCHAR(20) " + UNICODE + "nopad_bin", WORDS),
          new Column("s_german", Kind.STRING, "VARCHAR(20) " + UNICODE + "german2_ci", WORDS),
          new Column("s_char", Kind.STRING, "CHAR(10) " + UNICODE + "unicode_520_ci", WORDS),
          of(
              "s_wide",
              Kind.STRING,
              "VARCHAR(10) CHARACTER SET ucs2 COLLATE ucs2_general_ci",
              "'a'",
              "'A '",
              "'ä'",
              "'日'"),
          of("s_turk", Kind.STRING, "VARCHAR(10) CHARACTER SET latin5", "'i'", "'ı'", "'g'", "'h'"),
          new Column("s_text", Kind.STRING, "TEXT " + UNICODE + "general_ci", WORDS),
          of("b_var", Kind.BINARY, "VARBINARY(20)", "x'00'", "x'0001'", "x'ff'", "''", "'a'"),
          of("b_fixed", Kind.BINARY, "BINARY(4)", "x'00'", "'ab'", "x'ffffffff'"),
          of("b_blob", Kind.BINARY, "BLOB", "x'00ff'", "'abc'", "''"),
          of(
              "t_date",
              Kind.TEMPORAL,
              "DATE",
              "'2024-02-29'",
              "'1000-01-01'",
              "'0000-00-00'",
              "'2024-00-00'",
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
              "'2024-02-29 12:00:00.123457'",
              "'0000-00-00 00:00:00'",
              "'1000-01-01 00:00:00'",
              "'2024-03-01'"),
          of(
              "t_stamp",
              Kind.TEMPORAL,
              "TIMESTAMP NULL",
              "'2024-02-29 12:00:00'",
              "'1999-12-31 23:59:59'"),
          of(
              "t_micro",
              Kind.TEMPORAL,
              "TIME(6)",
              "'-838:59:58.999999'",
              "'00:00:00.000001'",
              "'23:59:59'"),
          of(
              "t_second",
              Kind.TEMPORAL,
              "DATETIME",
              "'2024-02-29 12:00:00'",
              "'1969-12-31 23:59:59'"),
          of(
              "t_stamps",
              Kind.TEMPORAL,
              "TIMESTAMP(3) NULL",
              "'2024-02-29 12:00:00.5'",
              "'2024-10-27 02:30:00.001'",
              "'2038-01-19 03:14:07.999'"),
          of("t_year", Kind.TEMPORAL, "YEAR", "2024", "1901", "2155", "0"),
          of("e_enum", Kind.ENUM, "ENUM('z','a','m')", "'z'", "'a'", "'m'"),
          of("e_set", Kind.ENUM, "SET('z','a','m')", "'z'", "'a,m'", "''", "'z,a,m'"),
          of(
              "e_words",
              Kind.ENUM,
              "ENUM('ä','b','O') " + UNICODE + "general_ci",
              "'ä'",
              "'b'",
              "'O'"),
          of("x_long", Kind.BIT, "BIT(64)", "b'1'", "18446744073709551615", "0"),
          of("x_bit", Kind.BIT, "BIT(9)", "b'101'", "b'0'", "b'111111111'"),
          of("j_json", Kind.JSON, "JSON", "'{\"a\": 1}'", "'[1, 2]'", "'\"x\"'", "'null'"));

  private static final List<String> NUMBER_KEYS = List.of("INT", "INT", "BIGINT", "SMALLINT");

  private final Map<String, Table> tables = new LinkedHashMap<>();
  private final List<Views.View> views;
  private final Random random;
  private final boolean hasTextKey;
  private final boolean changes;
  private final String keys;
  private final int nullOneIn;

  /**
   * @param textKey whether {@code k} is a string
   */
  Sample(Random random, boolean textKey) {
    this.random = random;
    this.hasTextKey = textKey;
    boolean exact = random.nextBoolean();
    this.changes = !textKey || exact;
    this.keys =
        "u %s NOT NULL, k %s NOT NULL"
            .formatted(
                NUMBER_KEYS.get(random.nextInt(NUMBER_KEYS.size())),
                textKey
                    ? "VARCHAR(20) " + UNICODE + (exact ? "nopad_bin" : "general_ci")
                    : exact ? "BIGINT" : "INT");
    this.nullOneIn = List.of(6, 6, 2, 20).get(random.nextInt(4));
    boolean few = random.nextInt(6) == 0;
    List<Column> shared = columns(5);
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
