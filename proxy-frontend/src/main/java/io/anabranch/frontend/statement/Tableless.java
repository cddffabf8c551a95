package io.anabranch.frontend.statement;

import io.anabranch.rules.function.SqlFunction;
import io.anabranch.rules.function.SqlFunctions;
import io.anabranch.rules.function.Trait;
import io.anabranch.rules.lexer.SqlTokens;

/**
 * Tells statements that are certain to use no tables: no subquery, no sequence, and of functions
 * only those of the server's own that read none.
 */
public final class Tableless {

  private Tableless() {}

  public static boolean is(SqlTokens tokens) {
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

  /** Whether all that is read is one table of information_schema, which is none of MariaDB's. */
  public static boolean readsCatalogue(SqlTokens tokens) {
    int from = 0;
    while (from < tokens.size() && !tokens.isWord(from, "FROM")) {
      from++;
    }
    if (!tokens.isName(from + 1)
        || !tokens.name(from + 1).equalsIgnoreCase("information_schema")
        || !tokens.isPunctuation(from + 2, '.')) {
      return false;
    }
    for (int token = from + 1; token < tokens.size(); token++) {
      if (tokens.isPunctuation(token, ',')
          || tokens.isWord(token, "FROM")
          || tokens.isWord(token, "JOIN")
          || tokens.isWord(token, "STRAIGHT_JOIN")
          || tokens.isWord(token, "TABLE")) {
        return false;
      }
    }
    return is(tokens);
  }

  private static boolean isKnown(String function) {
    SqlFunction known = SqlFunctions.find(function);
    return known != null && known.is(Trait.TABLELESS);
  }
}
