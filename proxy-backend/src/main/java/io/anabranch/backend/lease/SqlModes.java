package io.anabranch.backend.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The modes of {@code sql_mode} that sessions may have: of each it is known what it means for the
 * reading of texts. The list is closed, because the proxy reads what servers read, in the same way
 * or not at all.
 */
public final class SqlModes {

  /** Those that the lexer itself knows. */
  private static final String ANSI_QUOTES = "ANSI_QUOTES";

  private static final String NO_BACKSLASH_ESCAPES = "NO_BACKSLASH_ESCAPES";

  /** Names for several modes, which servers set with each of them. */
  private static final Set<String> COMBINED =
      Set.of("ANSI", "DB2", "MAXDB", "MYSQL323", "MYSQL40", "ORACLE", "POSTGRESQL");

  /** What changes neither where a token ends nor which kind it has. */
  private static final Set<String> OTHERS =
      Set.of(
          "ALLOW_INVALID_DATES",
          "EMPTY_STRING_IS_NULL",
          "ERROR_FOR_DIVISION_BY_ZERO",
          "HIGH_NOT_PRECEDENCE",
          "IGNORE_BAD_TABLE_OPTIONS",
          "IGNORE_SPACE",
          "NO_AUTO_CREATE_USER",
          "NO_AUTO_VALUE_ON_ZERO",
          "NO_DIR_IN_CREATE",
          "NO_ENGINE_SUBSTITUTION",
          "NO_FIELD_OPTIONS",
          "NO_KEY_OPTIONS",
          "NO_TABLE_OPTIONS",
          "NO_UNSIGNED_SUBTRACTION",
          "NO_ZERO_DATE",
          "NO_ZERO_IN_DATE",
          "ONLY_FULL_GROUP_BY",
          "PAD_CHAR_TO_FULL_LENGTH",
          "PIPES_AS_CONCAT",
          "REAL_AS_FLOAT",
          "SIMULTANEOUS_ASSIGNMENT",
          "STRICT_ALL_TABLES",
          "STRICT_TRANS_TABLES",
          "TIME_ROUND_FRACTIONAL",
          "TIME_TRUNCATE_FRACTIONAL",
          "TRADITIONAL");

  private SqlModes() {}

  /**
   * The modes of a value.
   *
   * @param value with or without the quotes of a literal
   */
  public static List<String> of(String value) {
    var modes = new ArrayList<String>();
    for (String mode : value.replace("'", "").toUpperCase(Locale.ROOT).split(",", -1)) {
      if (!mode.isBlank()) {
        modes.add(mode.strip());
      }
    }
    return modes;
  }

  /** Whether texts are read by them as the proxy reads them. */
  public static boolean isRead(String mode) {
    return decides(mode) || COMBINED.contains(mode) || OTHERS.contains(mode);
  }

  /** Whether it stands for others, which are in the value as well. */
  public static boolean isCombined(String mode) {
    return COMBINED.contains(mode);
  }

  /** Whether double quotes delimit identifiers. */
  public static boolean quoteNames(List<String> modes) {
    return modes.contains(ANSI_QUOTES);
  }

  /** Whether a backslash is a plain character. */
  public static boolean keepBackslashes(List<String> modes) {
    return modes.contains(NO_BACKSLASH_ESCAPES);
  }

  /** Those alone that change nothing in where tokens end. */
  static List<String> plain(List<String> modes) {
    return modes.stream().filter(OTHERS::contains).toList();
  }

  private static boolean decides(String mode) {
    return mode.equals(ANSI_QUOTES) || mode.equals(NO_BACKSLASH_ESCAPES);
  }
}
