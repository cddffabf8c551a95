package io.anabranch.rules.config.yaml;

import io.anabranch.rules.expression.ExpressionException;
import io.anabranch.rules.expression.RowExpression;
import java.util.ArrayList;
import java.util.List;

/** Lists of names in their several spellings. */
public final class Names {

  private Names() {}

  /** A comma list, or a YAML list of names or of comma lists. */
  public static List<String> list(Value value) {
    List<String> names = new ArrayList<>();
    if (!value.isScalar()) {
      for (Value item : value.items()) {
        names.addAll(split(item.text() == null ? "" : String.valueOf(item.text())));
      }
      return names;
    }
    String text = value.text();
    return text == null ? names : split(text);
  }

  /** The names of a row expression; empty, and reported, if it is wrong. */
  public static List<String> expand(Value value) {
    String text = value.text();
    return text == null ? List.of() : expand(text, value.place(), value.problems());
  }

  /** The same for a key. */
  public static List<String> expand(String text, Place place, Problems problems) {
    try {
      List<String> names = RowExpression.expand(text);
      if (names.isEmpty()) {
        problems.error(place, "gives no name", null);
      }
      return names;
    } catch (ExpressionException e) {
      problems.error(place, e.describe(), null);
      return List.of();
    }
  }

  private static List<String> split(String text) {
    List<String> names = new ArrayList<>();
    for (String name : text.split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.strip());
      }
    }
    return names;
  }
}
