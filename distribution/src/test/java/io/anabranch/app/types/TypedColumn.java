package io.anabranch.app.types;

import java.util.ArrayList;
import java.util.List;

/**
 * A column of some type and the literals that its rows get in turn.
 *
 * @param name of the column, without blanks
 * @param type as in CREATE TABLE
 * @param folds whether values that look different may be equal
 */
record TypedColumn(String name, String type, boolean folds, List<String> values) {

  private static final String[] WORDS = {
    "'a'", "'A'", "'b'", "'ab'", "'a '", "'ä'", "'Z'", "'10'", "'9'", "''", "'B'", "'é'"
  };

  private static TypedColumn of(String name, String type, String... values) {
    return new TypedColumn(name, type, false, List.of(values));
  }

  private static TypedColumn words(String name, String type) {
    return new TypedColumn(name, type, true, List.of(WORDS));
  }

  /** Of both servers. */
  private static List<TypedColumn> common() {
    return List.of(
        of("tiny", "TINYINT", "-128", "127", "0", "9", "10"),
        of("utiny", "TINYINT UNSIGNED", "255", "0", "9", "10"),
        of("bool1", "BOOLEAN", "TRUE", "FALSE"),
        of("small", "SMALLINT", "-32768", "32767", "9", "10"),
        of("medium", "MEDIUMINT", "-8388608", "8388607", "9", "10"),
        of("int1", "INT", "-2147483648", "2147483647", "9", "10"),
        of("uint", "INT UNSIGNED", "4294967295", "0", "9", "10"),
        of("zint", "INT(6) ZEROFILL", "7", "10", "9", "4294967295"),
        of("big", "BIGINT", "-9223372036854775808", "9223372036854775807", "9", "10"),
        of("ubig", "BIGINT UNSIGNED", "18446744073709551615", "0", "9", "10"),
        of("dec1", "DECIMAL(10,2)", "-1.50", "99999999.99", "9.10", "10.10", "0"),
        of("dec65", "DECIMAL(65,30)", "99999999999999999999999999999999999.5", "-1.25", "9", "10"),
        of("decbig", "DECIMAL(65,0)", "9".repeat(65), "-" + "9".repeat(64), "9", "10"),
        of("zdec", "DECIMAL(8,2) ZEROFILL", "7.25", "10", "9.5"),
        of("float1", "FLOAT", "0.1", "9", "10", "1e10", "-2.25", "16777217"),
        of("float2", "FLOAT(7,3)", "0.1", "9.125", "10.5", "1234.567", "-2.25"),
        of("double1", "DOUBLE", "0.1", "9", "10", "1e100", "-1e-100"),
        of("double2", "DOUBLE(8,2)", "0.1", "9.25", "10.33", "123456.78", "-2.25"),
        of("ufloat", "FLOAT UNSIGNED", "0.1", "9", "10"),
        of("zdouble", "DOUBLE(9,3) ZEROFILL", "0.1", "9.25", "10.5"),
        of("bit1", "BIT(1)", "b'1'", "b'0'"),
        of("bit9", "BIT(9)", "b'101'", "b'0'", "b'111111111'", "b'1010'"),
        of("bit64", "BIT(64)", "b'1'", "18446744073709551615", "9", "10"),
        of("year1", "YEAR", "2024", "1901", "2155", "0"),
        of("date1", "DATE", "'2024-02-29'", "'1000-01-01'", "'9999-12-31'", "'0000-00-00'"),
        of("time0", "TIME", "'-838:59:59'", "'09:00:00'", "'10:00:00'", "'100:00:00'"),
        of("time3", "TIME(3)", "'-00:00:00.001'", "'09:00:00.5'", "'10:00:00'", "'100:00:00'"),
        of("dt0", "DATETIME", "'2024-02-29 12:00:00'", "'1000-01-01'", "'0000-00-00'"),
        of("dt6", "DATETIME(6)", "'2024-02-29 12:00:00.123456'", "'2024-02-29 12:00:00.123457'"),
        of("ts0", "TIMESTAMP NULL", "'2024-02-29 12:00:00'", "'1999-12-31 23:59:59'"),
        of("ts3", "TIMESTAMP(3) NULL", "'2024-02-29 12:00:00.5'", "'2038-01-19 03:14:07.999'"),
        words("char1", "CHAR(10)"),
        words("varchar1", "VARCHAR(30)"),
        words("vbin", "VARCHAR(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"),
        words("vgeneral", "VARCHAR(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"),
        words("vunicode", "VARCHAR(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci"),
        words("vlatin1", "VARCHAR(30) CHARACTER SET latin1"),
        words("vlatinbin", "VARCHAR(30) CHARACTER SET latin1 COLLATE latin1_bin"),
        words("vczech", "VARCHAR(30) CHARACTER SET latin2 COLLATE latin2_czech_cs"),
        words("vbig5", "VARCHAR(30) CHARACTER SET big5"),
        words("vucs2", "VARCHAR(30) CHARACTER SET ucs2"),
        words("text1", "TEXT"),
        words("tinytext1", "TINYTEXT"),
        words("longtext1", "LONGTEXT"),
        of("bin4", "BINARY(4)", "x'00'", "'ab'", "x'ffffffff'", "'9'", "'10'"),
        of("varbin", "VARBINARY(20)", "x'00'", "x'0001'", "x'ff'", "''", "'a'", "'A'"),
        of("blob1", "BLOB", "x'00ff'", "'abc'", "''", "'ABC'"),
        of("longblob1", "LONGBLOB", "x'00ff'", "'abc'", "''"),
        of("enum1", "ENUM('z','a','m','10','9')", "'z'", "'a'", "'m'", "'10'", "'9'"),
        of("set1", "SET('z','a','m')", "'z'", "'a,m'", "''", "'z,a,m'", "'a'"),
        of(
            "json1",
            "JSON",
            "'{\"a\": 1}'",
            "'[1, 2]'",
            "'\"x\"'",
            "'null'",
            "'9'",
            "'10'",
            "'true'"),
        of("point1", "POINT", "POINT(1,2)", "POINT(-1,3)"),
        of("geom1", "GEOMETRY", "ST_GeomFromText('LINESTRING(0 0,1 1)')", "POINT(-1,3)"));
  }

  static List<TypedColumn> ofMariaDb() {
    var columns = new ArrayList<>(common());
    columns.add(
        of("inet6", "INET6", "'::2'", "'::10'", "'::9'", "'2001:db8::1'", "'::ffff:1.2.3.4'"));
    columns.add(of("inet4", "INET4", "'9.0.0.1'", "'10.0.0.1'", "'192.168.0.1'"));
    columns.add(
        of(
            "uuid1",
            "UUID",
            "'00000001-0000-1000-8000-000000000002'",
            "'00000002-0000-1000-8000-000000000001'",
            "'f0000002-0000-4000-8000-000000000001'",
            "'00000000-0001-1000-8000-000000000003'"));
    columns.add(words("uca", "VARCHAR(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_as_cs"));
    columns.add(words("ucaai", "VARCHAR(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_ai_ci"));
    columns.add(
        words("ucacs", "VARCHAR(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_nopad_ai_cs"));
    columns.add(words("nopad", "VARCHAR(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"));
    columns.add(words("compressed", "VARCHAR(100) COMPRESSED"));
    return columns;
  }

  static List<TypedColumn> ofMySql() {
    var columns = new ArrayList<>(common());
    columns.add(of("vector3", "VECTOR(3)", "TO_VECTOR('[1,2,3]')", "TO_VECTOR('[0,-1,2]')"));
    columns.add(words("as_cs", "VARCHAR(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_as_cs"));
    columns.add(words("bin0900", "VARCHAR(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin"));
    columns.add(words("gb18030", "VARCHAR(30) CHARACTER SET gb18030"));
    columns.add(words("latin7", "VARCHAR(30) CHARACTER SET latin7"));
    return columns;
  }
}
