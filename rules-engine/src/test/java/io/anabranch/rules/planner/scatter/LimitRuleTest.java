package io.anabranch.rules.planner.scatter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.sql.SelectFacts.LimitFacts;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LimitRuleTest {

  private static final SqlValue MOST = decimal("18446744073709551615");
  private static final SqlValue TOO_MUCH = decimal("18446744073709551616");

  private static SqlValue decimal(String digits) {
    return new SqlValue.Decimal(new BigDecimal(digits));
  }

  private static Stream<Arguments> taken() {
    return Stream.of(
        Arguments.of(new SqlValue.Int(0), false, 0L),
        Arguments.of(new SqlValue.Int(7), false, 7L),
        Arguments.of(new SqlValue.Int(Long.MAX_VALUE), false, Long.MAX_VALUE),
        Arguments.of(MOST, false, Long.MAX_VALUE),
        Arguments.of(new SqlValue.Int(7), true, 7L),
        Arguments.of(MOST, true, Long.MAX_VALUE),
        Arguments.of(new SqlValue.Text("7"), true, 7L),
        Arguments.of(new SqlValue.Text("18446744073709551615"), true, Long.MAX_VALUE),
        Arguments.of(new SqlValue.Floating(7), true, 7L));
  }

  private static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(TOO_MUCH, false),
        Arguments.of(decimal("7.0"), false),
        Arguments.of(decimal("7.5"), false),
        Arguments.of(new SqlValue.Floating(7), false),
        Arguments.of(new SqlValue.Text("7"), false),
        Arguments.of(SqlValue.Null.NULL, false),
        Arguments.of(new SqlValue.Bytes(new byte[] {7}, true), false),
        Arguments.of(TOO_MUCH, true),
        Arguments.of(new SqlValue.Int(-1), true),
        Arguments.of(decimal("7.5"), true),
        Arguments.of(new SqlValue.Floating(7.5), true),
        Arguments.of(new SqlValue.Floating(-7), true),
        Arguments.of(new SqlValue.Floating(Double.POSITIVE_INFINITY), true),
        Arguments.of(new SqlValue.Floating(Double.NaN), true),
        Arguments.of(new SqlValue.Text("18446744073709551616"), true),
        Arguments.of(new SqlValue.Text("-1"), true),
        Arguments.of(new SqlValue.Text("7x"), true),
        Arguments.of(SqlValue.Null.NULL, true));
  }

  @ParameterizedTest
  @MethodSource("taken")
  void wholeNumbersOfSixtyFourBits(SqlValue value, boolean isParameter, long rows) {
    assertThat(rule(0, 1).count(new Given(List.of(value), isParameter))).isEqualTo(rows);
    var both = new Given(List.of(value, new SqlValue.Int(3)), isParameter);
    assertThat(rule(1, 0).offset(both)).isEqualTo(rows);
    assertThat(rule(0, 1).needed(both)).isEqualTo(rows == Long.MAX_VALUE ? -1 : rows + 3);
  }

  @ParameterizedTest
  @MethodSource("refused")
  void nothingElse(SqlValue value, boolean isParameter) {
    var given = new Given(List.of(value, new SqlValue.Int(3)), isParameter);
    assertThatThrownBy(() -> rule(0, 1).count(given))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("a LIMIT that is no whole number");
    assertThatThrownBy(() -> rule(1, 0).offset(given)).isInstanceOf(RefusedException.class);
  }

  private static LimitRule rule(int count, int offset) {
    return new LimitRule(
        new LimitFacts(new Operand.Slot(count, false), new Operand.Slot(offset, false)));
  }

  private record Given(List<SqlValue> values, boolean areParameters) implements SlotValues {
    @Override
    public int count() {
      return values.size();
    }

    @Override
    public boolean isParameter(int slot) {
      return areParameters;
    }

    @Override
    public int parameterIndex(int slot) {
      return slot;
    }

    @Override
    public SqlValue value(int slot) {
      return values.get(slot);
    }

    @Override
    public SqlValue compared(int slot) {
      return value(slot);
    }

    @Override
    public void appendTo(int slot, SqlBuffer out) {
      throw new UnsupportedOperationException();
    }
  }
}
