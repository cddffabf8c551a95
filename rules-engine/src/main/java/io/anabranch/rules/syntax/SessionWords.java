package io.anabranch.rules.syntax;

import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.function.SqlFunction;
import io.anabranch.rules.function.Trait;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import java.util.function.Predicate;

/** What in a statement depends on the connection that runs it, or changes something there. */
public final class SessionWords {

  private static final String ASSIGNMENT = ":=";

  private SessionWords() {}

  /** Whether a replica must not run the statement. */
  public static boolean needPrimary(SqlTokens tokens) {
    if (tokens
        .all()
        .has(token -> tokens.isOperator(token, ASSIGNMENT) || tokens.isWord(token, "INTO"))) {
      return true;
    }
    return FunctionUses.any(
        tokens, function -> function.is(Trait.PRIMARY) || function.is(Trait.UNKNOWN));
  }

  /** The function that every shard would answer differently, or an empty text. */
  public static String differentEverywhere(SqlTokens tokens) {
    return differentEverywhere(tokens, 0, tokens.size());
  }

  /** The same of the tokens {@code [from, to)}. */
  public static String differentEverywhere(SqlTokens tokens, int from, int to) {
    return first(tokens, from, to, SqlFunction::differsByConnection);
  }

  /** What has one value for all rows of a statement, and another one on another connection. */
  public static String oneForAllRows(SqlTokens tokens) {
    return first(
        tokens,
        0,
        tokens.size(),
        function -> function.differsByConnection() && !function.isOfEachCall());
  }

  /**
   * What may have another value when the tokens {@code [from, to)} are computed a second time, on
   * the same connection and at the same moment; or an empty text.
   *
   * @param stored whether stored functions, of which nobody knows, are among it
   */
  public static String differentAgain(SqlTokens tokens, int from, int to, boolean stored) {
    return first(
        tokens,
        from,
        to,
        function ->
            function.isOfEachCall()
                || function.is(Trait.SEQUENCE)
                || (stored && function.is(Trait.UNKNOWN)));
  }

  /** What only the session's own connection can answer or keep, or an empty text. */
  public static String tiedToSession(SqlTokens tokens) {
    return first(tokens, 0, tokens.size(), SqlFunction::isTied);
  }

  /** Whether it says LAST_INSERT_ID(expression): what that is counts as generated. */
  public static boolean giveInsertId(SqlTokens tokens, TokenRange range) {
    return range.has(
        i ->
            tokens.isPunctuation(i + 1, '(')
                && !tokens.isPunctuation(i + 2, ')')
                && tokens.lowerName(i).equals("last_insert_id"));
  }

  /** Whether a value is drawn from a sequence, or one is set. */
  public static boolean useSequences(SqlTokens tokens) {
    return useSequences(tokens, 0, tokens.size());
  }

  /** The same of the tokens {@code [from, to)}. */
  public static boolean useSequences(SqlTokens tokens, int from, int to) {
    return FunctionUses.first(tokens, from, to, function -> function.is(Trait.SEQUENCE)) != null;
  }

  private static String first(SqlTokens tokens, int from, int to, Predicate<SqlFunction> wanted) {
    for (int token = from; token < to; token++) {
      if (tokens.isOperator(token, ASSIGNMENT)) {
        return ASSIGNMENT;
      }
      SqlFunction function = FunctionUses.at(tokens, token);
      if (function != null && wanted.test(function)) {
        return function.name();
      }
    }
    return "";
  }
}
