package io.anabranch.rules.qualifier;

import io.anabranch.rules.lexer.SqlTokens;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Names that servers take for others which a comparison of lower case does not: MySQL folds letter
 * by letter, so that its {@code pİn} is {@code pin}, and a sigma is the same at the end of a word.
 */
public final class DisguisedNames {

  private DisguisedNames() {}

  /** The first of them; null: there is none. */
  public static @Nullable String first(SqlTokens tokens) {
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.isName(token) && is(tokens.name(token))) {
        return tokens.name(token);
      }
    }
    return null;
  }

  static boolean is(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) >= 0x80) {
        return !folded(name).equals(name.toLowerCase(Locale.ROOT));
      }
    }
    return false;
  }

  private static String folded(String name) {
    return name.codePoints()
        .mapToObj(letter -> Character.toString(Character.toLowerCase(letter)))
        .collect(Collectors.joining());
  }
}
