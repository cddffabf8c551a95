package io.anabranch.app.convert;

import java.util.Collection;
import java.util.stream.Collectors;

/** Values as they stand in YAML. */
final class YamlText {

  private static final String PLAIN = "[A-Za-z_][A-Za-z0-9_]*";

  /** What YAML 1.1 takes for something else than text. */
  private static final String WORDS = "(?i)y|yes|n|no|true|false|on|off|null";

  private YamlText() {}

  /** A text, quoted where YAML would take it for something else. */
  static String of(String text) {
    if (text.matches(PLAIN) && !text.matches(WORDS)) {
      return text;
    }
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }

  /** A value in which {@code ${…}} means itself. */
  static String literal(String text) {
    return of(text.replace("${", "$${"));
  }

  /** A list on one line. */
  static String list(Collection<String> texts) {
    return texts.stream().map(YamlText::of).collect(Collectors.joining(", ", "[", "]"));
  }
}
