package io.anabranch.frontend.administration.conversion;

import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** Names and values as statements have them. */
final class StatementText {

  private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");

  private final boolean noBackslashEscapes;

  /**
   * @param noBackslashEscapes how strings are read that begin here
   */
  StatementText(boolean noBackslashEscapes) {
    this.noBackslashEscapes = noBackslashEscapes;
  }

  /** A name, in backquotes unless it is a plain word. */
  String name(String name) {
    return WORD.matcher(name).matches() ? name : "`" + name.replace("`", "``") + "`";
  }

  String names(List<String> names) {
    var text = new StringJoiner(", ");
    names.forEach(name -> text.add(name(name)));
    return text.toString();
  }

  /** A value: a number, or a string. */
  String value(String value) {
    return NUMBER.matcher(value).matches() ? value : string(value);
  }

  String string(String value) {
    String escaped = noBackslashEscapes ? value : value.replace("\\", "\\\\");
    return "'" + escaped.replace("'", "''") + "'";
  }

  /** {@code 'key' = value, …}. */
  String properties(Map<String, DocumentPart> entries) {
    var text = new StringJoiner(", ");
    entries.forEach(
        (key, part) -> {
          if (part instanceof Scalar value) {
            text.add(string(key) + " = " + value(value.text()));
          }
        });
    return text.toString();
  }

  /** {@code TYPE(NAME = 'mod', PROPERTIES(…))}. */
  String type(Mapping algorithm) {
    String props = properties(algorithm.mapping("props").entries());
    return "TYPE(NAME = "
        + string(algorithm.shown("type"))
        + (props.isEmpty() ? "" : ", PROPERTIES(" + props + ")")
        + ")";
  }
}
