package io.anabranch.backend.prepared;

import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.parameter.ParameterKind;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values for a marker that a server takes for a date. MySQL keeps the days of a list, {@code d IN
 * (?, ?)}, from one execution to the next, and has the former one in the place of a value that is
 * none: in a statement that others have executed that would be theirs.
 */
final class ListedDays {

  private static final Pattern DAY =
      Pattern.compile(
          "(\\d{4})-(\\d{2})-(\\d{2})(?:[ T](?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,6})?)?");

  private ListedDays() {}

  /** Whether a server reads the parameter as a date for certain, or as NULL. */
  static boolean isCertain(ExecuteParameters values, int parameter) {
    return switch (values.kind(parameter)) {
      case ParameterKind.NULL, ParameterKind.DATE, ParameterKind.DATETIME -> true;
      case ParameterKind.TEXT, ParameterKind.BYTES -> isDay(values, parameter);
      default -> false;
    };
  }

  private static boolean isDay(ExecuteParameters values, int parameter) {
    byte[] value = values.content(parameter);
    if (value == null) {
      return false;
    }
    Matcher day = DAY.matcher(new String(value, StandardCharsets.ISO_8859_1));
    try {
      return day.matches() && LocalDate.of(number(day, 1), number(day, 2), number(day, 3)) != null;
    } catch (DateTimeException none) {
      return false;
    }
  }

  private static int number(Matcher day, int group) {
    return Integer.parseInt(day.group(group));
  }
}
