package io.anabranch.rules.compare;

import java.util.Locale;
import java.util.Set;

/**
 * The collations whose {@code WEIGHT_STRING} decides equality and order of strings, padded with the
 * weight of a blank where the collation pads. A collation that is not here is compared by a
 * database.
 *
 * <p>Found by comparing all collations of MariaDB 10.11 and MySQL 9.7 with themselves. Not here are
 * those of several levels that pad (their weights stand level after level) or leave a level in the
 * middle out, and those whose weights lose characters.
 */
public final class DecidedCollations {

  /** Of one level, by the name between character set and {@code _ci}. */
  private static final Set<String> LANGUAGES =
      Set.of(
          "bulgarian",
          "chinese",
          "croatian",
          "croatian_mysql561",
          "czech",
          "danish",
          "english",
          "esperanto",
          "estonian",
          "general",
          "general_mysql500",
          "german1",
          "german2",
          "hungarian",
          "icelandic",
          "japanese",
          "korean",
          "latvian",
          "lithuanian",
          "myanmar",
          "persian",
          "polish",
          "roman",
          "romanian",
          "sinhala",
          "slovak",
          "slovenian",
          "spanish",
          "spanish2",
          "swedish",
          "thai",
          "tolower",
          "turkish",
          "ukrainian",
          "unicode",
          "unicode_520",
          "vietnamese");

  private static final Set<String> CASE_SENSITIVE =
      Set.of("cp1251_general_cs", "latin1_general_cs");

  /** Their names look like those of decided ones. */
  private static final Set<String> NOT_DECIDED =
      Set.of(
          "big5_chinese_ci",
          "big5_chinese_nopad_ci",
          "gb18030_chinese_ci",
          "latin7_general_ci",
          "tis620_thai_ci",
          "tis620_thai_nopad_ci");

  private static final String UCA = "uca1400_";

  private DecidedCollations() {}

  /**
   * @param collation full name, as {@code utf8mb4_general_ci}
   */
  public static boolean contain(String collation) {
    String name = collation.toLowerCase(Locale.ROOT);
    String kind = name.substring(name.indexOf('_') + 1);
    if (name.equals("binary") || kind.equals("bin") || CASE_SENSITIVE.contains(name)) {
      return true;
    }
    if (NOT_DECIDED.contains(name)) {
      return false;
    }
    if (kind.equals("nopad_bin") || kind.equals("0900_bin")) {
      return true;
    }
    if (kind.startsWith(UCA)) {
      return isDecidedUca(kind.substring(UCA.length()));
    }
    if (kind.startsWith("0900_") || kind.contains("_0900_")) {
      return kind.endsWith("_ai_ci")
          || kind.endsWith("_as_ci")
          || kind.endsWith("_as_cs")
          || kind.endsWith("_as_cs_ks");
    }
    String language =
        kind.endsWith("_nopad_ci")
            ? kind.substring(0, kind.length() - "_nopad_ci".length())
            : kind.endsWith("_ci") ? kind.substring(0, kind.length() - "_ci".length()) : "";
    return LANGUAGES.contains(language);
  }

  /**
   * @param rest of the name: {@code nopad_as_ci}, {@code german2_ai_ci}
   */
  private static boolean isDecidedUca(String rest) {
    boolean first = rest.equals("ai_ci") || rest.endsWith("_ai_ci");
    return first || rest.endsWith("nopad_as_ci") || rest.endsWith("nopad_as_cs");
  }

  /**
   * Whether MariaDB tells clients this collation for newer ones, too: for those of UCA 14 the older
   * one of their language.
   *
   * @param collation as the protocol told it
   */
  public static boolean mayStandForOthers(String collation) {
    return collation.matches("(utf8|utf8mb3|utf8mb4|ucs2|utf16|utf32)_.*_ci")
        && !collation.contains("_general_");
  }

  /**
   * Whether MariaDB sorts expressions of this collation by their bytes alone, where it pads columns
   * of it, and all strings when it compares them: binary ones but those of Unicode's own forms.
   */
  public static boolean sortsExpressionsUnpadded(String collation) {
    return collation.endsWith("_bin") && !collation.startsWith("utf") && !isNoPad(collation);
  }

  /** Whether blanks at the end count. */
  public static boolean isNoPad(String collation) {
    return collation.contains("nopad")
        || collation.contains("_0900_")
        || collation.equals("binary");
  }
}
