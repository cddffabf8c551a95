package io.anabranch.app.differential;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement whose marked literals are parameters, of a type that follows from the place: the same
 * statement has the same parameters.
 *
 * @param sql with question marks
 * @param values one for each
 */
record Parameters(String sql, List<Object> values) {

  static Parameters of(String marked) {
    var sql = new StringBuilder();
    var values = new ArrayList<Object>();
    int done = 0;
    for (int open = marked.indexOf(Draw.OPEN); open >= 0; open = marked.indexOf(Draw.OPEN, done)) {
      int close = marked.indexOf(Draw.CLOSE, open);
      String literal = marked.substring(open + 1, close);
      sql.append(marked, done, open).append('?');
      values.add(value(literal, marked.length() + values.size() * 5));
      done = close + 1;
    }
    return new Parameters(sql.append(marked.substring(done)).toString(), values);
  }

  private static Object value(String literal, int choice) {
    if (literal.startsWith("'")) {
      String text =
          literal.substring(1, literal.length() - 1).replace("''", "'").replace("\\\\", "\\");
      return choice % 7 == 0 ? text.getBytes(StandardCharsets.UTF_8) : text;
    }
    if (literal.matches("-?[0-9]+")) {
      return switch (choice % 9) {
        case 0 -> Integer.valueOf(literal);
        case 1 -> literal;
        case 2 -> new BigDecimal(literal);
        case 3 -> new BigDecimal(literal + ".0");
        case 4 -> Double.valueOf(literal);
        case 5 -> Short.valueOf(literal);
        case 6 -> Byte.valueOf(literal);
        case 7 -> Float.valueOf(literal);
        default -> Long.valueOf(literal);
      };
    }
    if (literal.contains("e")) {
      return Double.valueOf(literal);
    }
    return new BigDecimal(literal);
  }
}
