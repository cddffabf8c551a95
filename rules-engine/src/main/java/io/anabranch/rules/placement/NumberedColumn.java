package io.anabranch.rules.placement;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.value.NumberText;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An AUTO_INCREMENT column for which 0 asks for a number: {@code '0'}, 0.2 and {@code b'0'} are
 * stored so, and where values are cut, what is less than nothing in an UNSIGNED column.
 *
 * @param form how it stores values; null for values that have been read from such a column
 */
public record NumberedColumn(@Nullable StoredForm form) {

  private static final BigDecimal HALF = new BigDecimal("0.5");

  /** The number that a text begins with, and what is behind it. */
  private static final Pattern NUMBER =
      Pattern.compile(
          "\\s*([+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)?(.*)",
          Pattern.DOTALL);

  /** Null where 0 is a number like others. */
  public static @Nullable NumberedColumn of(@Nullable StoredForm form, boolean zeroGenerates) {
    return zeroGenerates ? new NumberedColumn(form) : null;
  }

  /**
   * Whether the column stores it as 0. Not where the server refuses it.
   *
   * @throws io.anabranch.rules.error.RefusedException if nobody knows
   */
  boolean isZero(SqlValue given) {
    return switch (given) {
      case SqlValue.Int(long number) -> number == 0 || isCut(BigDecimal.valueOf(number));
      case SqlValue.Decimal(BigDecimal number) -> isZero(number);
      case SqlValue.Floating(double number) -> isZero(number);
      case SqlValue.Text(String text) -> isZero(text);
      case SqlValue.Bytes bytes -> isZero(bytes);
      case SqlValue.Null ignored -> false;
      case SqlValue.Date ignored -> false;
      case SqlValue.DateTime ignored -> false;
      case SqlValue.Unknown ignored -> throw unknown();
    };
  }

  private boolean isZero(BigDecimal number) {
    boolean isLess = number.abs().compareTo(HALF) < 0;
    if (!isLess && isFloating() && number.abs().compareTo(BigDecimal.ONE) < 0) {
      throw unknown();
    }
    return isLess || isCut(number);
  }

  /** Servers round a floating half either way. */
  private boolean isZero(double number) {
    if (Double.isNaN(number) || Double.isInfinite(number) || Math.abs(number) == 0.5) {
      throw unknown();
    }
    return isZero(BigDecimal.valueOf(number));
  }

  private boolean isZero(String text) {
    if (NumberText.isTooLong(text)) {
      throw unknown();
    }
    Matcher parts = NUMBER.matcher(text);
    if (!parts.matches() || parts.group(1) == null) {
      return cuts();
    }
    boolean isWhole = parts.group(2).isBlank();
    return (isWhole || cuts()) && isZero(new BigDecimal(parts.group(1)));
  }

  /** A number to some servers and in some forms, a text to others. */
  private boolean isZero(SqlValue.Bytes bytes) {
    boolean isNumberZero = new BigInteger(1, bytes.value()).signum() == 0;
    if (bytes.mayBeNumber()) {
      return isNumberZero;
    }
    String text = new String(bytes.value(), StandardCharsets.ISO_8859_1);
    if (isNumberZero != isZero(text)) {
      throw unknown();
    }
    return isNumberZero;
  }

  private boolean isCut(BigDecimal number) {
    BigDecimal lowest = form == null ? null : form.lowest();
    return lowest != null && lowest.signum() == 0 && number.signum() < 0;
  }

  private boolean cuts() {
    return form != null && form.cuts();
  }

  private boolean isFloating() {
    return form != null && form.floating() != FloatingForm.NONE;
  }

  private static RuntimeException unknown() {
    return ErrorCatalogue.UNROUTABLE_WRITE.refuse(
        "the value of an AUTO_INCREMENT column may be stored as 0, which asks for a number",
        "give it as a number");
  }
}
