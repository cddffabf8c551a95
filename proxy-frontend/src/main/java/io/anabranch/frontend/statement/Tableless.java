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
    return !tokens
        .all()
        .has(
            token ->
                (tokens.isPunctuation(token, '(') && !isKnown(tokens.text(token - 1)))
                    || tokens.isAnyWord(token, "VALUE", "NEXTVAL"));
  }

  /** Whether all that is read is one table of information_schema, which is none of MariaDB's. */
  public static boolean readsCatalogue(SqlTokens tokens) {
    int from = tokens.all().findWord("FROM");
    if (from < 0
        || !tokens.isName(from + 1)
        || !tokens.name(from + 1).equalsIgnoreCase("information_schema")
        || !tokens.isPunctuation(from + 2, '.')) {
      return false;
    }
    if (tokens
        .from(from + 1)
        .has(
            token ->
                tokens.isPunctuation(token, ',')
                    || tokens.isAnyWord(token, "FROM", "JOIN", "STRAIGHT_JOIN", "TABLE"))) {
      return false;
    }
    return is(tokens);
  }

  private static boolean isKnown(String function) {
    SqlFunction known = SqlFunctions.find(function);
    return known != null && known.is(Trait.TABLELESS);
  }
}
