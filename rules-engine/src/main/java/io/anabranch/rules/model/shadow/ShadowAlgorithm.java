package io.anabranch.rules.model.shadow;

import io.anabranch.rules.value.SqlValue;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/** What makes a statement one of a load test. Immutable, thread-safe. */
public sealed interface ShadowAlgorithm {

  /** The hint {@code SHADOW=true} does. */
  record Hint() implements ShadowAlgorithm {}

  /**
   * Its user does.
   *
   * @param users account names in lower case
   */
  record User(Set<String> users) implements ShadowAlgorithm {
    public User {
      users = Set.copyOf(users);
    }

    /** Without regard to case. */
    public boolean isOf(String user) {
      return users.contains(user.toLowerCase(Locale.ROOT));
    }
  }

  /**
   * A value does that it writes into a column, or that it compares the column with.
   *
   * @param column in lower case
   * @param matcher of the value as text
   */
  record Column(String column, Operation operation, Predicate<String> matcher)
      implements ShadowAlgorithm {

    /** As servers write it: seconds always, of their fractions what there is. */
    private static final DateTimeFormatter MOMENT =
        new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral(' ')
            .appendPattern("HH:mm:ss")
            .appendFraction(ChronoField.MICRO_OF_SECOND, 0, 6, true)
            .toFormatter(Locale.ROOT);

    /** From here on servers write exponents. */
    private static final double MOST_WHOLE = 1e15;

    /** Drivers send whole numbers so, too, which servers then write without a fraction. */
    private static String text(double number) {
      boolean isWhole = Math.rint(number) == number && Math.abs(number) < MOST_WHOLE;
      return isWhole ? Long.toString((long) number) : Double.toString(number);
    }

    /** NULL and bytes match nothing. */
    public boolean matches(SqlValue value) {
      return switch (value) {
        case SqlValue.Int(long number) -> matcher.test(Long.toString(number));
        case SqlValue.Decimal(var number) -> matcher.test(number.toPlainString());
        case SqlValue.Floating(double number) -> matcher.test(text(number));
        case SqlValue.Text(String text) -> matcher.test(text);
        case SqlValue.Date(var date) -> matcher.test(date.toString());
        case SqlValue.DateTime(var moment) -> matcher.test(MOMENT.format(moment));
        case SqlValue.Bytes _, SqlValue.Null _, SqlValue.Unknown _ -> false;
      };
    }
  }

  /** Kinds of statements that a column decides. */
  enum Operation {
    INSERT,
    UPDATE,
    DELETE,
    SELECT
  }
}
