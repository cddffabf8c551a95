package io.anabranch.app.differential;

import io.anabranch.app.differential.Sample.Kind;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws conditions. */
final class Conditions {

  private final Sample sample;
  private final Draw draw;
  private final Expressions expressions;

  Conditions(Sample sample, Draw draw, Expressions expressions) {
    this.sample = sample;
    this.draw = draw;
    this.expressions = expressions;
  }

  /** Parts of a WHERE, none sometimes. */
  List<String> where(Source source) {
    var conditions = new ArrayList<String>();
    for (int i = draw.below(3); i > 0; i--) {
      conditions.add(
          switch (draw.below(13)) {
            case 0 -> "(" + key(source) + " OR " + key(source) + ")";
            case 1 -> "NOT (" + key(source) + ")";
            case 2 -> other(source);
            case 3 -> "(" + other(source) + " OR " + key(source) + ")";
            case 4, 5 -> subquery(source);
            case 6 -> "(" + key(source) + " AND " + other(source) + " OR " + key(source) + ")";
            default -> key(source);
          });
    }
    return conditions;
  }

  static String text(List<String> where) {
    return where.isEmpty() ? "" : " WHERE " + String.join(" AND ", where);
  }

  private String key(Source source) {
    String alias = source.aliases().get(draw.below(source.aliases().size()));
    boolean first = draw.once(2);
    return sample.hasTextKey() && !first ? textKey(alias) : numberKey(alias, first ? "u" : "k");
  }

  private String numberKey(String alias, String column) {
    String name = alias + "." + column;
    int value = draw.below(7) - 1;
    return switch (draw.below(22)) {
      case 0 ->
          name
              + " IN ("
              + draw.literal(value)
              + ", "
              + draw.literal(value + 1)
              + ", "
              + (value + 4)
              + ")";
      case 1 -> name + " BETWEEN " + draw.literal(value) + " AND " + draw.literal(value + 2);
      case 2 -> name + draw.one(" > ", " >= ", " < ", " <= ") + draw.literal(value);
      case 3 -> draw.literal(value) + " = " + name;
      case 4 -> name + " = " + draw.literal("'" + value + draw.one("", ".0", "abc", " ") + "'");
      case 5 -> name + " = " + draw.literal(value + draw.one(".0", ".00", "e0"));
      case 6 -> name + " <=> " + draw.one("NULL", Integer.toString(value));
      case 7 -> pairs(alias, value);
      case 8 -> name + " <> " + value;
      case 9 -> name + " NOT IN (" + value + ", " + draw.one("2", "NULL", "3") + ")";
      case 10 -> name + " IS " + draw.one("", "NOT ") + "NULL";
      case 11 -> name + " + 0 = " + value;
      case 12 -> name + " NOT BETWEEN " + value + " AND " + draw.literal(value + 1);
      case 13 -> name + " IN (" + value + ", NULL, '" + (value + 1) + "', " + value + ".0)";
      case 14 ->
          name + " > " + draw.literal(value) + " AND " + name + " < " + draw.literal(value + 2);
      case 15 -> name + draw.one(" = TRUE", " = FALSE", " = -1", " = 0x02", " = b'11'", " = +3");
      case 16 -> "1 = " + draw.one("1", "0", "1 AND " + name + " = 2");
      default -> name + " = " + draw.literal(value);
    };
  }

  private String pairs(String alias, int value) {
    return draw.one(
            "(A.u, A.n) IN ((1, 2), (" + value + ", 3), (2, " + draw.below(40) + "))",
            "(A.u, A.n) = (" + value + ", " + draw.below(40) + ")",
            "(A.n, A.u) IN ((2, " + value + "), (NULL, 3))",
            "(A.u, A.n) > (2, 10)",
            "(A.u, A.n) NOT IN ((1, 2), (" + value + ", 3))")
        .replace("A.", alias + ".");
  }

  private String textKey(String alias) {
    String name = alias + ".k";
    String value = sample.textKey(draw);
    return switch (draw.below(9)) {
      case 0 -> name + " IN (" + draw.literal(value) + ", " + sample.textKey(draw) + ")";
      case 1 -> name + draw.one(" > ", " >= ", " < ", " <= ") + value;
      case 2 -> name + " LIKE " + value;
      case 3 -> name + " = 0";
      case 4 -> name + " <=> " + value;
      case 5 -> between(name, value, sample.textKey(draw));
      default -> name + " = " + draw.literal(value);
    };
  }

  /**
   * MariaDB 10.11 takes BETWEEN for = where a join looks both up in an index and the connection's
   * collation takes the bounds for equal, whatever the column's collation says.
   */
  private static String between(String name, String from, String to) {
    return folded(from).equals(folded(to))
        ? name + " >= " + from
        : name + " BETWEEN " + from + " AND " + to;
  }

  /** About what a collation without accents and cases makes of a literal. */
  private static String folded(String literal) {
    return Normalizer.normalize(literal, Normalizer.Form.NFD)
        .replaceAll("\\p{M}| +(?='$)", "")
        .toLowerCase(Locale.ROOT);
  }

  private String other(Source source) {
    return switch (draw.below(9)) {
      case 0 -> source.column(draw, kind -> true) + " IS " + draw.one("", "NOT ") + "NULL";
      case 1 -> expressions.string(source) + draw.one(" = ", " >= ", " <> ") + draw.literal("'a'");
      case 2 -> expressions.string(source) + " LIKE '" + draw.one("a%", "%", "_") + "'";
      case 3 ->
          source.column(draw, kind -> kind == Kind.TEMPORAL)
              + draw.one(" >= ", " < ", " <> ")
              + draw.one("'2000-01-01'", "'2024-02-29 12:00:00'", "DATE'2024-01-31'");
      case 4 -> expressions.string(source) + " IN ('A', 'ss', " + draw.literal("'ä'") + ")";
      case 5 -> "(" + expressions.number(source) + ") IS NOT TRUE";
      case 6 -> source.column(draw, kind -> kind == Kind.ENUM) + draw.one(" = 'a'", " > 1", " = 2");
      default -> expressions.number(source) + draw.one(" > ", " <= ") + draw.literal(draw.below(4));
    };
  }

  private String subquery(Source source) {
    String alias = source.aliases().getFirst();
    return draw.one(
            "A.n IN (SELECT s.n FROM tc s WHERE s.u = " + draw.literal(draw.below(4)) + ")",
            "EXISTS (SELECT 1 FROM tb s WHERE s.u = A.u AND s.k = A.k)",
            "A.n <= (SELECT SUM(s.n) FROM tb s WHERE s.u = A.u AND s.k = A.k AND s.n <> A.n)",
            "NOT EXISTS (SELECT 1 FROM tb s JOIN td t ON t.n = s.n WHERE s.k = A.k AND s.u = A.u)",
            "EXISTS (SELECT 1 FROM ta s WHERE s.u = A.u AND s.k = A.k AND s.n > A.n OR s.n = 3)",
            "A.n > (SELECT MIN(s.n) FROM tc s)",
            "NOT EXISTS (SELECT 1 FROM td s WHERE s.u = A.u)",
            "A.u NOT IN (SELECT s.u FROM ts s WHERE s.n > 3)",
            "A.n = (SELECT MAX(s.n) FROM ta s WHERE s.u = A.u)",
            "(A.u, A.n) IN (SELECT s.u, s.n FROM tb s WHERE s.n > 3)",
            "A.n > ALL (SELECT s.n FROM tc s WHERE s.u = 2)",
            "A.n < ANY (SELECT s.n FROM ts s)",
            "(SELECT COUNT(*) FROM tb s WHERE s.u = A.u AND s.n > (SELECT AVG(t.n) FROM tc t)) > 1",
            "A.u IN (SELECT s.u FROM tc s GROUP BY s.u HAVING COUNT(*) > 2)",
            "EXISTS (SELECT 1 FROM tc s WHERE s.n IN (SELECT t.n FROM tb t WHERE t.u = A.u))",
            "NOT EXISTS (SELECT 1 FROM tb s LEFT JOIN tc t ON t.n = s.n WHERE s.u = A.u AND t.n IS NULL)")
        .replace("A.", alias + ".");
  }
}
