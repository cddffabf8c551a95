package io.anabranch.frontend.session.prepared;

import io.anabranch.protocol.parameter.ParameterKind;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.NumberText;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * What MySQL compares with where former executions have given a marker another type than the value
 * has that is bound now: it keeps the type, and converts the value to it. A text that was bound to
 * a number's marker is compared as a number, with which several texts are equal.
 */
public final class SettledValues {

  private SettledValues() {}

  /**
   * @param settled kind of {@link ParameterKind} that the marker has; {@link ParameterKind#NULL}:
   *     as its text says
   * @param sent not NULL
   * @return {@link SqlValue.Unknown} where only the server can tell
   */
  public static SqlValue compared(byte settled, SqlValue sent) {
    return switch (settled) {
      case ParameterKind.NULL -> sent;
      case ParameterKind.SIGNED, ParameterKind.UNSIGNED, ParameterKind.DECIMAL -> number(sent);
      case ParameterKind.DOUBLE -> floating(number(sent));
      case ParameterKind.DATE, ParameterKind.DATETIME -> day(sent);
      case ParameterKind.TEXT -> sent instanceof SqlValue.Bytes ? SqlValue.Unknown.UNKNOWN : sent;
      case ParameterKind.BYTES -> sent instanceof SqlValue.Text ? SqlValue.Unknown.UNKNOWN : sent;
      default -> SqlValue.Unknown.UNKNOWN;
    };
  }

  /** What is no number gives the marker its own type, unless it is a text. */
  private static SqlValue number(SqlValue sent) {
    return switch (sent) {
      case SqlValue.Text(String text) -> ofText(text);
      case SqlValue.Bytes _ -> SqlValue.Unknown.UNKNOWN;
      case SqlValue.Int _,
          SqlValue.Decimal _,
          SqlValue.Floating _,
          SqlValue.Date _,
          SqlValue.DateTime _,
          SqlValue.Null _,
          SqlValue.Unknown _ ->
          sent;
    };
  }

  private static SqlValue ofText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    boolean isWhole =
        switch (io.anabranch.protocol.parameter.NumberText.of(bytes, 0, bytes.length)) {
          case POSITIVE, MINUS_ZERO, LARGE, OUTSIDE -> true;
          case NONE, FRACTION, HUGE -> false;
        };
    BigDecimal number = isWhole ? NumberText.prefix(text) : null;
    return number == null ? SqlValue.Unknown.UNKNOWN : Literals.decimal(number);
  }

  private static SqlValue floating(SqlValue number) {
    return switch (number) {
      case SqlValue.Int(long whole) -> new SqlValue.Floating(whole);
      case SqlValue.Decimal(BigDecimal exact) -> new SqlValue.Floating(exact.doubleValue());
      case SqlValue.Floating _,
          SqlValue.Text _,
          SqlValue.Bytes _,
          SqlValue.Date _,
          SqlValue.DateTime _,
          SqlValue.Null _,
          SqlValue.Unknown _ ->
          number;
    };
  }

  /** Numbers and texts become days; of those of other forms than ours the server knows alone. */
  private static SqlValue day(SqlValue sent) {
    return switch (sent) {
      case SqlValue.Text _ -> {
        SqlValue day = KeyType.DATETIME.key(sent);
        yield day == null ? SqlValue.Unknown.UNKNOWN : day;
      }
      case SqlValue.Date _, SqlValue.DateTime _, SqlValue.Null _ -> sent;
      case SqlValue.Int _,
          SqlValue.Decimal _,
          SqlValue.Floating _,
          SqlValue.Bytes _,
          SqlValue.Unknown _ ->
          SqlValue.Unknown.UNKNOWN;
    };
  }
}
