package io.anabranch.rules.routing;

import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/** Slots filled by a test. */
record TestValues(List<SqlValue> values) implements SlotValues {

  static TestValues of(Object... values) {
    return new TestValues(Arrays.stream(values).map(TestValues::value).toList());
  }

  private static SqlValue value(Object value) {
    return switch (value) {
      case Integer number -> new SqlValue.Int(number);
      case Long number -> new SqlValue.Int(number);
      case BigDecimal number -> new SqlValue.Decimal(number);
      case Double number -> new SqlValue.Floating(number);
      case String text -> new SqlValue.Text(text);
      case SqlValue given -> given;
      default -> throw new IllegalArgumentException("no SQL value: " + value);
    };
  }

  @Override
  public int count() {
    return values.size();
  }

  @Override
  public boolean isParameter(int slot) {
    return true;
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
  public int length(int slot) {
    return 1;
  }

  @Override
  public void appendTo(int slot, SqlBuffer out) {
    out.append((byte) '?');
  }
}
