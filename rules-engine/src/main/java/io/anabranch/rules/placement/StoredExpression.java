package io.anabranch.rules.placement;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.rewrite.Substatement;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes of an expression what a sharding column will hold of it: a text of the column's character
 * set and length, without the blanks that are not stored, a DECIMAL of its digits.
 */
public final class StoredExpression {

  private static final Pattern DIGITS = Pattern.compile("\\((\\d+(?:,\\d+)?)\\)");

  private StoredExpression() {}

  /** Adds tokens of the statement that make a new value of the column. */
  public static void append(Substatement.Builder query, Column column, int from, int to) {
    String type = column.type().toLowerCase(Locale.ROOT);
    String collation = column.collation();
    Matcher digits = DIGITS.matcher(type);
    boolean limited = digits.find();
    if (collation == null || !isText(type)) {
      boolean rounds = limited && isFraction(type);
      query.text(rounds ? "CAST((" : "").tokens(from, to);
      query.text(rounds ? ") AS DECIMAL(" + digits.group(1) + "))" : "");
      return;
    }
    boolean strips = type.startsWith("char");
    query.text(strips ? "RTRIM(" : "").text(limited ? "LEFT(CONVERT((" : "CONVERT((");
    query.tokens(from, to).text(") USING " + RowCondition.charset(collation) + ")");
    if (limited) {
      query.text(", ").number(Integer.parseInt(digits.group(1))).text(")");
    }
    query.text(strips ? ")" : "");
  }

  /** Whether the stored form is known of a type whose equal values may be different ones. */
  public static boolean canTell(Column column) {
    String type = column.type().toLowerCase(Locale.ROOT);
    return column.collation() != null ? isText(type) : isFraction(type);
  }

  private static boolean isFraction(String type) {
    return type.startsWith("decimal") && !type.matches(".*\\(\\d+(,0)?\\).*");
  }

  private static boolean isText(String type) {
    String word = type.split("[ (]", 2)[0];
    return word.endsWith("char") || word.endsWith("text");
  }
}
