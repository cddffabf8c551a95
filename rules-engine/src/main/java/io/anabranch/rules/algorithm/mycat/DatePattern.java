package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.value.SqlValue;
import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Moments as Java's {@code SimpleDateFormat} reads them there: what follows the pattern is ignored,
 * single digits are taken, day 31 of a shorter month is in the next one.
 */
final class DatePattern {

  private static final String FIELDS = "yMdHms";
  private static final int EPOCH_YEAR = 1970;

  private final DateTimeFormatter format;

  /** Whether later moments never have an earlier text. */
  private final boolean isOrdered;

  private DatePattern(DateTimeFormatter format, boolean isOrdered) {
    this.format = format;
    this.isOrdered = isOrdered;
  }

  /** Of {@code y M d H m s}; reports what it does not know. */
  static DatePattern read(AlgorithmProperties properties, String property, String otherwise) {
    String pattern = properties.text(property, otherwise);
    String letters = letters(pattern);
    if (letters.isEmpty() || letters.chars().anyMatch(c -> FIELDS.indexOf(c) < 0)) {
      properties.problem(property, "`" + pattern + "` must be of y, M, d, H, m and s");
      return new DatePattern(formatter(otherwise), true);
    }
    try {
      return new DatePattern(formatter(pattern), FIELDS.startsWith(letters));
    } catch (IllegalArgumentException wrong) {
      properties.problem(property, "`" + pattern + "`: " + wrong.getMessage());
      return new DatePattern(formatter(otherwise), true);
    }
  }

  /** Each once, in their order, without quoted ones. */
  private static String letters(String pattern) {
    var letters = new StringBuilder();
    boolean isQuoted = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\'') {
        isQuoted = !isQuoted;
      } else if (!isQuoted && Character.isLetter(c) && letters.indexOf(String.valueOf(c)) < 0) {
        letters.append(c);
      }
    }
    return letters.toString();
  }

  private static DateTimeFormatter formatter(String pattern) {
    var builder =
        new DateTimeFormatterBuilder()
            .parseLenient()
            .appendPattern(pattern)
            .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
            .parseDefaulting(ChronoField.MINUTE_OF_HOUR, 0)
            .parseDefaulting(ChronoField.SECOND_OF_MINUTE, 0)
            .parseDefaulting(ChronoField.MONTH_OF_YEAR, 1)
            .parseDefaulting(ChronoField.DAY_OF_MONTH, 1);
    if (letters(pattern).indexOf('y') < 0) {
      builder.parseDefaulting(ChronoField.YEAR, EPOCH_YEAR);
    }
    return builder.toFormatter(Locale.ROOT).withResolverStyle(ResolverStyle.LENIENT);
  }

  /**
   * The moment of a value, as precise as the pattern is.
   *
   * @throws io.anabranch.rules.error.RefusedException if it is none
   */
  LocalDateTime of(SqlValue value, String algorithm) {
    String text =
        switch (value) {
          case SqlValue.Date(var date) -> format.format(date.atStartOfDay());
          case SqlValue.DateTime(var time) -> format.format(time);
          case SqlValue.Int _,
              SqlValue.Text _,
              SqlValue.Decimal _,
              SqlValue.Floating _,
              SqlValue.Bytes _,
              SqlValue.Null _,
              SqlValue.Unknown _ ->
              KeyText.of(value, algorithm);
        };
    LocalDateTime moment = parse(text);
    if (moment == null) {
      throw WholeNumber.refuse(algorithm, value, "it takes dates as its date-format has them");
    }
    return moment;
  }

  /** Null if the property is absent or wrong; what is wrong is reported. */
  @Nullable LocalDateTime property(AlgorithmProperties properties, String property) {
    String text = properties.text(property, "");
    if (text.isBlank()) {
      return null;
    }
    LocalDateTime moment = parse(text.strip());
    if (moment == null) {
      properties.problem(property, "`" + text + "` is not as date-format has it");
    }
    return moment;
  }

  /**
   * A bound of a range that has both and whose bounds are moments, so that all between them are
   * between their partitions; null: it is no such range.
   */
  @Nullable LocalDateTime bound(Range range, @Nullable SqlValue bound, String algorithm) {
    return isOrdered && isMoment(range.lower()) && isMoment(range.upper()) && bound != null
        ? of(bound, algorithm)
        : null;
  }

  private static boolean isMoment(@Nullable SqlValue bound) {
    return bound instanceof SqlValue.Date || bound instanceof SqlValue.DateTime;
  }

  private @Nullable LocalDateTime parse(String text) {
    try {
      return LocalDateTime.from(format.parse(text, new ParsePosition(0)));
    } catch (DateTimeException none) {
      return null;
    }
  }
}
