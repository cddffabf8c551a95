package io.anabranch.rules.planner.change;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.value.SqlLiterals;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A part of a key that changes while rows move. Immutable.
 *
 * @param column null: the part is not a whole column
 * @param before where the values have it; below 0: nowhere
 * @param behind where they have what it gets; below 0: nowhere
 */
record PassedPart(@Nullable Column column, int before, int behind) {

  private static final DateTimeFormatter MOMENT =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 6, true)
          .toFormatter(Locale.ROOT);

  /**
   * A value of the part.
   *
   * @param text as servers write it; null: not known, or NULL
   * @param isSure whether it is equal only where its text is the same
   */
  record Read(@Nullable String text, boolean isNull, boolean isSure) {
    static final Read UNKNOWN = new Read(null, false, false);

    /** Of a part that is sure of other rows. */
    static final Read ANYTHING = new Read(null, false, true);
  }

  Read readBefore(IntFunction<SqlValue> values) {
    return read(before, values);
  }

  Read readBehind(IntFunction<SqlValue> values) {
    return read(behind, values);
  }

  private Read read(int position, IntFunction<SqlValue> values) {
    if (column == null) {
      return Read.UNKNOWN;
    }
    KeyType type = KeyType.of(column.type(), column.collation());
    if (position < 0) {
      return type.isSure() ? Read.ANYTHING : Read.UNKNOWN;
    }
    SqlValue value = values.apply(position);
    if (value == SqlValue.Null.NULL) {
      return new Read(null, true, true);
    }
    if (type.isSure()) {
      SqlValue key = type.key(value);
      return key == null ? Read.ANYTHING : new Read(text(key), false, true);
    }
    if (column.collation() != null) {
      return text(value).chars().allMatch(c -> c >= ' ' && c < 127)
          ? new Read(text(value), false, false)
          : Read.UNKNOWN;
    }
    return before == behind ? new Read(text(value), false, true) : Read.UNKNOWN;
  }

  /** Texts that a collation may call equal: ASCII, in which case and trailing blanks differ. */
  static String folded(String text) {
    return text.stripTrailing().toLowerCase(Locale.ROOT);
  }

  private static String text(SqlValue value) {
    return switch (value) {
      case SqlValue.Text text -> text.value();
      case SqlValue.Date date -> date.value().toString();
      case SqlValue.DateTime time -> MOMENT.format(time.value());
      default -> new String(SqlLiterals.of(value), StandardCharsets.UTF_8);
    };
  }
}
