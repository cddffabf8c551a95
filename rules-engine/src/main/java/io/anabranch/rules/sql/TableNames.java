package io.anabranch.rules.sql;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.stream.Collectors;

/**
 * Names as SQL text, and texts of the proxy's own as literals: nobody else puts quotes around what
 * is not part of its code ({@code SqlLiterals} does around values).
 */
public final class TableNames {

  private TableNames() {}

  /**
   * The name in backquotes, unless it surely needs none: letters and underscores that end in {@code
   * _} and digits are no keyword of any server.
   */
  public static String quotedIfNeeded(String name) {
    return isPlain(name) ? name : quoted(name);
  }

  public static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  /**
   * The name as a text, to compare it with what a catalogue tells. Whether a backslash escapes what
   * is behind it depends on a mode: a text with one is told by its bytes.
   */
  public static String literal(String name) {
    return name.indexOf('\\') < 0 ? "'" + name.replace("'", "''") + "'" : inBytes(name);
  }

  /** Several of them, separated by commas. */
  public static String literals(Collection<String> names) {
    return names.stream().map(TableNames::literal).collect(Collectors.joining(", "));
  }

  /** The text as all character sets and modes read it. */
  public static String inBytes(String text) {
    return "CONVERT(X'"
        + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8))
        + "' USING utf8mb4)";
  }

  private static boolean isPlain(String name) {
    int digits = name.length();
    while (digits > 0 && isDigit(name.charAt(digits - 1))) {
      digits--;
    }
    if (digits == name.length() || digits < 2 || name.charAt(digits - 1) != '_') {
      return false;
    }
    for (int i = 0; i < digits; i++) {
      char c = name.charAt(i);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      if (!plain && (i == 0 || !isDigit(c))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
