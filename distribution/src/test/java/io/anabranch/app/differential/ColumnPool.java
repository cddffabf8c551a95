package io.anabranch.app.differential;

import io.anabranch.app.differential.Sample.Column;
import io.anabranch.app.differential.Sample.Kind;
import io.anabranch.testkit.DatabaseServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The columns that tables of a {@link Sample} may have: what both servers know, and each its own.
 */
final class ColumnPool {

  /** What a column of strings takes for the same. */
  enum Equality {
    /** Only the same bytes. */
    BYTES,
    /** Letters in any case, too. */
    LOOSE
  }

  private static final String UNICODE = "CHARACTER SET utf8mb4 COLLATE utf8mb4_";

  /** The name of a column of strings that are equal if their bytes are. */
  static final String EXACT = "s_nopad";

  /** Strings that collations see in many ways. */
  static final List<String> WORDS =
      List.of(
          "'a'", "'A'", "'a '", "'ä'", "'Ä'", "'b'", "''", "'ss'", "'10'", "'9'", "'é'", "'日本'",
          "'x''y'", "'\\\\'", "'%'", "'😀'", "'0'", "'1e1'", "' a'", "'007'");

  private static final List<Column> SHARED =
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

  private static final List<Column> OF_MARIADB =
      List.of(
          string(EXACT, "utf8mb4_nopad_bin"),
          of("t_noday", Kind.TEMPORAL, "DATE", "'0000-00-00'", "'2024-00-00'", "'2024-02-29'"),
          of(
              "t_never",
              Kind.TEMPORAL,
              "DATETIME(6)",
              "'0000-00-00 00:00:00'",
              "'2024-02-29 12:00:00.123456'"));

  /** Its strict mode takes no zeros in dates. */
  private static final List<Column> OF_MYSQL =
      List.of(
          string(EXACT, "utf8mb4_0900_bin"),
          string("s_newest", "utf8mb4_0900_ai_ci"),
          string("s_strict", "utf8mb4_0900_as_cs"),
          string("s_kana", "utf8mb4_ja_0900_as_cs_ks"),
          of("t_plain", Kind.TEMPORAL, "DATE", "'2024-02-28'", "'2024-02-29'"));

  private final List<Column> columns;
  private final String bytes;
  private final String loose;

  private ColumnPool(List<Column> own, String bytes, String loose) {
    this.columns = new ArrayList<>(SHARED);
    this.columns.addAll(own);
    this.bytes = bytes;
    this.loose = loose;
  }

  /** Of the server that this run asks for. */
  static ColumnPool ofServer() {
    return DatabaseServers.areMySql()
        ? new ColumnPool(OF_MYSQL, "utf8mb4_0900_bin", "utf8mb4_0900_ai_ci")
        : new ColumnPool(OF_MARIADB, "utf8mb4_nopad_bin", "utf8mb4_general_ci");
  }

  /** The type of a sharding column of strings. */
  String textKey(Equality equality) {
    String collation =
        switch (equality) {
          case BYTES -> bytes;
          case LOOSE -> loose;
        };
    return string("k", collation).type();
  }

  /** That of the name {@link #EXACT}. */
  Column exact() {
    return columns.stream().filter(each -> each.name().equals(EXACT)).findFirst().orElseThrow();
  }

  Column any(Random random) {
    return columns.get(random.nextInt(columns.size()));
  }

  private static Column string(String name, String collation) {
    return new Column(
        name, Kind.STRING, "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE " + collation, WORDS);
  }

  private static Column of(String name, Kind kind, String type, String... values) {
    return new Column(name, kind, type, List.of(values));
  }
}
