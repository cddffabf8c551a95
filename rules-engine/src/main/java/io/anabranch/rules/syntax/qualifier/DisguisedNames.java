package io.anabranch.rules.syntax.qualifier;

import io.anabranch.rules.lexer.SqlTokens;
import java.lang.Character.UnicodeScript;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Names that servers take for others which a comparison of lower case does not: MySQL folds letter
 * by letter, so that its {@code pİn} is {@code pin}, and a sigma is the same at the end of a word.
 */
public final class DisguisedNames {

  private static final int ASCII = 0x80;

  private static final Set<UnicodeScript> ANY_SCRIPT =
      Set.of(UnicodeScript.COMMON, UnicodeScript.INHERITED, UnicodeScript.UNKNOWN);

  private DisguisedNames() {}

  /** The first of them; null: there is none. */
  public static @Nullable String first(SqlTokens tokens) {
    int found = tokens.all().findName(token -> is(tokens.name(token)));
    return found < 0 ? null : tokens.name(found);
  }

  /**
   * The first name that is none of the known ones, but that a server may take for one: in wide
   * tables it finds columns by a collation, to which {@code ph\u00f6ne} is {@code phone}, and so is
   * that with blanks at its end. Null: there is none.
   *
   * @param known in lower case
   */
  public static @Nullable String alike(SqlTokens tokens, Set<String> known) {
    int found = tokens.all().find(token -> isAlike(tokens.lowerName(token), known));
    return found < 0 ? null : tokens.name(found);
  }

  private static boolean isAlike(String name, Set<String> known) {
    String stripped = name.stripTrailing();
    return !name.isEmpty()
        && !known.contains(name)
        && known.stream().anyMatch(one -> areAlike(stripped, one));
  }

  private static boolean areAlike(String name, String known) {
    int[] letters = name.codePoints().toArray();
    int[] others = known.codePoints().toArray();
    boolean alike = letters.length == others.length;
    for (int i = 0; i < letters.length && alike; i++) {
      alike = letters[i] == others[i] || mayFold(letters[i], others[i]);
    }
    return alike;
  }

  /** Collations take no letter for one of another script. */
  private static boolean mayFold(int one, int other) {
    UnicodeScript script = UnicodeScript.of(one);
    UnicodeScript another = UnicodeScript.of(other);
    boolean isOneScript =
        script == another || ANY_SCRIPT.contains(script) || ANY_SCRIPT.contains(another);
    return isOneScript && (isFoldable(one) || isFoldable(other));
  }

  private static boolean isFoldable(int letter) {
    return letter >= ASCII && !Character.isIdeographic(letter);
  }

  static boolean is(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) >= ASCII) {
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
