package io.anabranch.rules.planner.query;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.rewrite.Substatement;
import java.util.Locale;

/**
 * Asks for a value with all the digits that a server would store in a column: a quotient has more
 * of them than are told. Other values stay as they are.
 */
public final class StoredDigits {

  /** How many digits behind the point an answer of the proxy's own has. */
  private static final int USUAL_SCALE = 30;

  /** The most that MariaDB knows; MySQL knows the usual ones only. */
  private static final int GREATEST_SCALE = 38;

  /** In front of the point, more than a quotient is described with (see {@code NarrowNumbers}). */
  private static final int WHOLE_DIGITS = 27;

  private enum Kind {
    EXACT,
    FLOATING,
    OTHER
  }

  private final Kind kind;
  private final int scale;

  private StoredDigits(Kind kind, int scale) {
    this.kind = kind;
    this.scale = scale;
  }

  public static StoredDigits of(Column column) {
    String type = column.type().toLowerCase(Locale.ROOT);
    int end = 0;
    while (end < type.length() && Character.isLetter(type.charAt(end))) {
      end++;
    }
    return switch (type.substring(0, end)) {
      case "tinyint", "smallint", "mediumint", "int", "bigint", "bit", "year" ->
          new StoredDigits(Kind.EXACT, 0);
      case "decimal" -> new StoredDigits(Kind.EXACT, scale(type));
      case "float", "double" -> new StoredDigits(Kind.FLOATING, 0);
      default -> new StoredDigits(Kind.OTHER, 0);
    };
  }

  private static int scale(String type) {
    int comma = type.indexOf(',');
    return comma < 0 ? 0 : Integer.parseInt(type.substring(comma + 1, type.indexOf(')')).trim());
  }

  /** Whether a number with that many digits behind the point is stored as it is told. */
  public boolean has(int digits) {
    return kind == Kind.EXACT && scale == digits;
  }

  /** Whether values are stored in another form than that of a number. */
  public boolean isText() {
    return kind == Kind.OTHER;
  }

  /**
   * Adds tokens of the statement that make a value.
   *
   * @param isDouble whether the value is known to be a DOUBLE, told with so many decimals
   * @throws io.anabranch.rules.error.RefusedException if the column is no number
   */
  public void append(Substatement.Builder query, int from, int to, boolean isDouble) {
    switch (kind) {
      case EXACT, FLOATING -> {
        int digits = scale > USUAL_SCALE ? GREATEST_SCALE : USUAL_SCALE;
        String exact = "DECIMAL(" + (digits + WHOLE_DIGITS) + "," + digits + ")";
        query.text("COALESCE(").tokens(from, to);
        query.text(", CAST(NULL AS " + (isDouble ? "DOUBLE" : exact) + "))");
      }
      case OTHER ->
          throw ErrorCatalogue.NOT_EXACT.refuse(
              "'/' or AVG for a column that is no number",
              "give it digits, as in CAST(… AS DECIMAL(20,9))");
    }
  }
}
