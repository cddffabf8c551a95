package io.anabranch.frontend.command;

import io.anabranch.rules.lexer.SqlTokens;
import java.util.Locale;
import java.util.Set;

/**
 * Tells statements without FROM that are certain to use no tables: no subquery, no sequence, and of
 * functions only those of the server's own that read none.
 */
final class Tableless {

  private static final Set<String> FUNCTIONS =
      Set.of(
          "NOW",
          "CURRENT_TIMESTAMP",
          "CURDATE",
          "CURTIME",
          "UNIX_TIMESTAMP",
          "CONNECTION_ID",
          "DATABASE",
          "SCHEMA",
          "USER",
          "CURRENT_USER",
          "VERSION",
          "LAST_INSERT_ID",
          "ROW_COUNT",
          "FOUND_ROWS",
          "CONCAT",
          "IFNULL",
          "SLEEP",
          "UUID");

  private Tableless() {}

  static boolean is(SqlTokens tokens) {
    for (int token = 0; token < tokens.size(); token++) {
      boolean isCall = tokens.isPunctuation(token, '(');
      if (isCall && (token == 0 || !isKnown(tokens.text(token - 1)))) {
        return false;
      }
      if (tokens.isWord(token, "VALUE") || tokens.isWord(token, "NEXTVAL")) {
        return false;
      }
    }
    return true;
  }

  private static boolean isKnown(String function) {
    return FUNCTIONS.contains(function.toUpperCase(Locale.ROOT));
  }
}
