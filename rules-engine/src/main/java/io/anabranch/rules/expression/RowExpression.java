package io.anabranch.rules.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Row value expressions: {@code ds_${0..1}.t_${0..3}, ds_2.t_9}. The comma outside of braces joins
 * lists; a prefix tells another form: {@code <LITERAL>} (no expansion), {@code <INTERVAL>} (a time
 * series of suffixes), {@code <GROOVY>} (the default).
 */
public final class RowExpression {

  private RowExpression() {}

  /**
   * All names, in order; may repeat.
   *
   * @throws ExpressionException with the place
   */
  public static List<String> expand(String source) {
    String text = source.strip();
    if (!text.startsWith("<")) {
      return inline(source, 0);
    }
    int end = text.indexOf('>');
    if (end < 0) {
      throw new ExpressionException(0, "'<' is not closed");
    }
    int body = source.indexOf('>') + 1;
    String type = text.substring(1, end).strip().toUpperCase(Locale.ROOT);
    return switch (type) {
      case "GROOVY" -> inline(source.substring(body), body);
      case "LITERAL" -> literal(source.substring(body));
      case "INTERVAL" -> IntervalNames.expand(source.substring(body), body);
      default ->
          throw new ExpressionException(
              0,
              "unknown expression type '<"
                  + type
                  + ">'; there are <GROOVY>, <LITERAL>, <INTERVAL>");
    };
  }

  private static List<String> inline(String source, int offset) {
    List<String> names = new ArrayList<>();
    for (int from = 0; from <= source.length(); ) {
      int comma = endOfSegment(source, from, offset);
      String segment = source.substring(from, comma);
      int lead = from + segment.length() - segment.stripLeading().length();
      try {
        names.addAll(Template.parse(segment.strip()).expand());
      } catch (ExpressionException e) {
        throw e.shifted(lead + offset);
      }
      if (names.size() > Template.MAX_NAMES) {
        throw new ExpressionException(offset, "gives more than " + Template.MAX_NAMES + " names");
      }
      from = comma + 1;
    }
    names.removeIf(String::isEmpty);
    return names;
  }

  private static int endOfSegment(String source, int from, int offset) {
    for (int at = from; at < source.length(); at++) {
      int open = Template.openBrace(source, at);
      if (open >= 0) {
        try {
          at = Template.closeBrace(source, open);
        } catch (ExpressionException e) {
          throw e.shifted(offset);
        }
      } else if (source.charAt(at) == ',') {
        return at;
      }
    }
    return source.length();
  }

  private static List<String> literal(String source) {
    List<String> names = new ArrayList<>();
    for (String name : source.split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.strip());
      }
    }
    return names;
  }
}
