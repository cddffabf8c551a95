package io.anabranch.rules.syntax;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;

/**
 * WHERE of a SHOW whose rows a query of the proxy's own reads: the client's text stands in that
 * query, so it may be a condition, and nothing else.
 */
public final class ShownCondition {

  /** No query is without one of these. */
  private static final String[] QUERY = {"SELECT", "UNION", "TABLE", "VALUES", "WITH"};

  private ShownCondition() {}

  /** Whether there is a query in what follows WHERE. */
  public static boolean hasQuery(SqlTokens tokens) {
    int where = tokens.from(1).findWord("WHERE");
    return where >= 0 && tokens.from(where + 1).hasWord(QUERY);
  }

  /**
   * The condition in parentheses, behind WHERE.
   *
   * @param where the word
   * @throws io.anabranch.rules.error.RefusedException it has a query, or is no whole expression
   */
  public static String text(SourceText source, int where) {
    SqlTokens tokens = source.tokens();
    TokenRange condition = tokens.from(where + 1);
    if (condition.isEmpty()) {
      throw TableMention.syntaxError(source, where);
    }
    if (condition.hasWord(QUERY)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a subquery in SHOW in a sharded database", "run it first, and write its value");
    }
    if (condition.has(token -> tokens.kind(token).isMark())) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a version comment or hint in the condition of SHOW", "write it without");
    }
    int end = tokens.size();
    int broken =
        condition.find(
            token ->
                tokens.isPunctuation(token, ';')
                    || (tokens.isPunctuation(token, '(') && tokens.closing(token) == end)
                    || tokens.depth(token) < tokens.depth(where));
    if (broken >= 0) {
      throw TableMention.syntaxError(source, broken);
    }
    String text = source.text().substring(tokens.start(where + 1), tokens.end(end - 1));
    return " WHERE (" + text + ")";
  }
}
