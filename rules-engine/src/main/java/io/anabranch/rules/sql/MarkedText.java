package io.anabranch.rules.sql;

import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A statement as Druid is given it: slots as {@code :s} with their number; quoted, non-ASCII and
 * known names as {@code `#n`}, where n is the number of their token. Slots carry their number
 * because the parser drops some literals without a trace, behind which a count would be wrong.
 *
 * @param names the text of each marked token without quotes, by token number; others are empty
 * @param commonTables the token that defines the common table which a marked token names where a
 *     table may stand; {@link #NO_TOKEN}: it names a table
 */
public record MarkedText(String sql, List<String> names, IntUnaryOperator commonTables) {

  /** What stands in front of a slot's number. */
  public static final String SLOT = ":s";

  /** A function around the text of a DATE or TIMESTAMP literal. */
  public static final String TEMPORAL = "_ab_temporal";

  /** A function around a hexadecimal or bit literal that is a number where numbers are. */
  public static final String BITS = "_ab_bits";

  /** A function around a literal of which nothing is concluded. */
  public static final String OPAQUE = "_ab_opaque";

  public static final int NO_TOKEN = -1;

  private static final int MOST = 99_999_999;

  /** The marked token behind a name of Druid's tree, or {@link #NO_TOKEN}. */
  int token(String druidName) {
    if (druidName.length() < 4 || !druidName.startsWith("`#")) {
      return NO_TOKEN;
    }
    int token = druidName.endsWith("`") ? number(druidName, 2, druidName.length() - 1) : NO_TOKEN;
    return token < names.size() ? token : NO_TOKEN;
  }

  /**
   * The token that defines the common table named {@code druidName}; {@link #NO_TOKEN}: a table.
   */
  int commonTable(String druidName) {
    int token = token(druidName);
    return token == NO_TOKEN ? NO_TOKEN : commonTables.applyAsInt(token);
  }

  /** A name of Druid's tree as the client wrote it, without quotes. */
  String name(String druidName) {
    int token = token(druidName);
    return token == NO_TOKEN ? druidName : names.get(token);
  }

  /** The slot that a variable of Druid's tree stands for, or -1. */
  int slot(@Nullable String variable) {
    return variable != null && variable.startsWith(SLOT)
        ? number(variable, SLOT.length(), variable.length())
        : -1;
  }

  /** Of digits alone; -1: it is another text, which is the client's. */
  private static int number(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9 || number > MOST) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return to > from ? number : -1;
  }
}
