package io.anabranch.backend.row;

import static io.anabranch.backend.merge.Rows.ascending;
import static io.anabranch.backend.merge.Rows.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.merge.Rows;
import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each list is in ascending order; equal values of different form stand in one string with '='. */
class CellOrderTest {

  @ParameterizedTest
  @EnumSource(RowFormat.class)
  void ordersSignedNumbers(RowFormat format) {
    check(
        format,
        column("n", ColumnType.LONGLONG),
        "-9223372036854775808",
        "-10",
        "-9",
        "0",
        "9",
        "10",
        "9223372036854775807");
  }

  @ParameterizedTest
  @EnumSource(RowFormat.class)
  void ordersUnsignedNumbers(RowFormat format) {
    check(
        format,
        column("n", ColumnType.LONGLONG, ColumnFlag.UNSIGNED, 0),
        "0",
        "9",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615");
    check(format, column("n", ColumnType.TINY, ColumnFlag.UNSIGNED, 0), "1", "127", "128", "255");
    check(format, column("y", ColumnType.YEAR, 0, 0), "0000", "1901", "2155");
  }

  @ParameterizedTest
  @EnumSource(RowFormat.class)
  void ordersDecimalsOfAnyLength(RowFormat format) {
    check(
        format,
        column("d", ColumnType.NEWDECIMAL, 0, 3),
        "-100000000000000000000000000000.000",
        "-1.010",
        "-1.009=-1.0090",
        "0.000=-0.000",
        "0.001",
        "9.999",
        "10.000=0010.000=10",
        "99999999999999999999999999999999.999");
  }

  @ParameterizedTest
  @EnumSource(RowFormat.class)
  void ordersDoubles(RowFormat format) {
    check(
        format,
        column("d", ColumnType.DOUBLE, 0, 31),
        "-1e300",
        "-2.5",
        "0=-0",
        "1e-16",
        "0.1",
        "9",
        "10",
        "1e15",
        "1.7976931348623157e308");
  }

  @ParameterizedTest
  @EnumSource(RowFormat.class)
  void ordersDatesAndTimes(RowFormat format) {
    check(
        format,
        column("d", ColumnType.DATE),
        "0000-00-00",
        "1000-01-01",
        "2024-02-29",
        "2024-03-01",
        "9999-12-31");
    check(
        format,
        column("t", ColumnType.DATETIME, 0, 6),
        "0000-00-00 00:00:00.000000",
        "2024-02-29 00:00:00.000000",
        "2024-02-29 00:00:00.000001",
        "2024-02-29 23:59:59.000000");
    check(
        format,
        column("t", ColumnType.TIME, 0, 3),
        "-838:59:59.000",
        "-100:00:00.000",
        "-00:00:01.500",
        "-00:00:01.499",
        "00:00:00.000",
        "09:00:00.000",
        "10:00:00.000",
        "100:00:00.000");
  }

  @ParameterizedTest
  @EnumSource(RowFormat.class)
  void ordersBytesUnsigned(RowFormat format) {
    check(format, column("b", ColumnType.BLOB), "", "a", "a\u0001", "aa", "b", "\u00e9");
  }

  private static void check(RowFormat format, ResultColumn column, String... ascending) {
    var columns = List.of(column);
    var order = new RowOrder(List.of(ascending(0)), columns, format);
    var left = format.reader(columns);
    var right = format.reader(columns);
    for (int i = 0; i < ascending.length; i++) {
      for (int j = 0; j < ascending.length; j++) {
        for (String a : ascending[i].split("=", -1)) {
          for (String b : ascending[j].split("=", -1)) {
            left.read(Rows.encode(columns, format, a));
            right.read(Rows.encode(columns, format, b));
            assertThat(Integer.signum(order.compare(left, right)))
                .as("%s against %s", a, b)
                .isEqualTo(Integer.compare(i, j));
          }
        }
      }
    }
  }
}
