package io.anabranch.rules.syntax;

import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.function.SqlFunction;
import io.anabranch.rules.function.Trait;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.LogicalDatabase;
import java.util.Locale;
import java.util.Set;

/**
 * Queries that take nothing from their connection but its settings, and leave nothing there, as far
 * as their text tells. A closed list: what is not known to be so is not.
 */
public final class PlainReads {

  /** Words with which a query writes, locks, draws from a sequence or sets something, or may. */
  private static final Set<String> OTHERWISE =
      Set.of(
          "INTO",
          "FOR",
          "LOCK",
          "PROCEDURE",
          "SQL_CALC_FOUND_ROWS",
          "NEXT",
          "NEXTVAL",
          "PREVIOUS",
          "CURRVAL",
          "LASTVAL",
          "DEFAULT");

  /** Functions that take their time. */
  private static final Set<String> SLOW = Set.of("SLEEP", "BENCHMARK");

  private PlainReads() {}

  /**
   * @param tokens of a statement that begins with SELECT
   */
  public static boolean are(SqlTokens tokens) {
    for (int token = 0; token < tokens.size(); token++) {
      boolean isPlain =
          switch (tokens.kind(token)) {
            case WORD, QUOTED -> isPlainName(tokens, token);
            case OPERATOR -> !tokens.isOperator(token, ":=");
            case VARIABLE, OPTIMIZER_HINT, EXECUTABLE_START, EXECUTABLE_END, NONE -> false;
            case NUMBER, STRING, BINARY, MARKER, PUNCTUATION -> true;
          };
      if (!isPlain) {
        return false;
      }
    }
    return tokens.size() > 0 && tokens.isWord(0, "SELECT");
  }

  /**
   * The same, with the same parameters or none, whose rows are the same each time as long as those
   * of the tables are.
   */
  public static boolean areRepeatable(SqlTokens tokens) {
    return are(tokens)
        && !FunctionUses.any(
            tokens,
            function ->
                function.traits().contains(Trait.MOMENT)
                    || function.traits().contains(Trait.CLOCK));
  }

  private static boolean isPlainName(SqlTokens tokens, int token) {
    String name = tokens.name(token).toUpperCase(Locale.ROOT);
    // their tables tell of the connection that asks
    if (LogicalDatabase.isSystemSchema(name)
        || (tokens.kind(token) == TokenKind.WORD && OTHERWISE.contains(name))) {
      return false;
    }
    SqlFunction function = FunctionUses.at(tokens, token);
    return function == null || isPlain(function);
  }

  private static boolean isPlain(SqlFunction function) {
    for (Trait trait : function.traits()) {
      boolean isHarmless =
          switch (trait) {
            case AGGREGATE, MOMENT, CLOCK, TABLELESS -> true;
            case RANDOM, SESSION, SERVER, SEQUENCE, LOCK, PRIMARY, UNKNOWN -> false;
          };
      if (!isHarmless) {
        return false;
      }
    }
    return !SLOW.contains(function.name());
  }
}
