package io.anabranch.rules.syntax.query;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The items of a select list, or of RETURNING, by their tokens: where each stands, and whether it
 * has a name: {@code a + 1}, {@code t.a}, {@code f(b) AS c}, {@code f(b) c}.
 */
public final class SelectItems {

  /** Words with an operand behind them: what follows is no alias. */
  private static final Set<String> OPERATORS =
      Set.of(
          "AND", "OR", "XOR", "NOT", "DIV", "MOD", "LIKE", "RLIKE", "REGEXP", "IS", "BINARY",
          "COLLATE", "OVER", "ESCAPE");

  /** Words in front of the string of a literal. */
  private static final Set<String> TYPES = Set.of("DATE", "TIME", "TIMESTAMP", "N");

  private static final Set<String> CONSTANTS = Set.of("NULL", "TRUE", "FALSE");

  private SelectItems() {}

  /**
   * Those behind a word, aliases included. An item may be empty, where the text is no statement.
   *
   * @param select the word SELECT or RETURNING
   */
  public static List<Span> of(SqlTokens tokens, int select) {
    int depth = tokens.depth(select);
    int end = behind(tokens, select);
    int first = SelectLayout.behindModifiers(tokens, select + 1);
    var items = new ArrayList<Span>();
    for (int token = first; token < end; token++) {
      if (tokens.depth(token) == depth && tokens.isPunctuation(token, ',')) {
        items.add(new Span(first, token));
        first = token + 1;
      }
    }
    items.add(new Span(first, end));
    return items;
  }

  /** The token behind the items of a SELECT, which is {@code select}. */
  public static int behind(SqlTokens tokens, int select) {
    int depth = tokens.depth(select);
    return tokens.from(select + 1).skip(token -> !isBehind(tokens, token, depth));
  }

  /**
   * Whether the items end in front of the token.
   *
   * @param depth of the word SELECT
   */
  public static boolean isBehind(SqlTokens tokens, int token, int depth) {
    return token >= tokens.size()
        || tokens.depth(token) < depth
        || (tokens.depth(token) == depth
            && (tokens.isPunctuation(token, ';')
                || (tokens.isAnyWord(token, "ON", "SELECT")
                    && !tokens.isPunctuation(token - 1, '.'))
                || (ClauseEnds.endsItems(tokens, token) && !isOfSequence(tokens, token))));
  }

  /** {@code NEXT VALUE FOR s}. */
  private static boolean isOfSequence(SqlTokens tokens, int token) {
    return tokens.isWord(token, "FOR") && tokens.isWord(token - 1, "VALUE");
  }

  /** Whether an item of several tokens ends with an alias, with or without {@code AS}. */
  public static boolean isNamed(SqlTokens tokens, int first, int behind) {
    int last = behind - 1;
    if (last <= first || tokens.depth(last) != tokens.depth(first)) {
      return false;
    }
    if (tokens.isWord(last - 1, "AS")) {
      return true;
    }
    boolean isString = tokens.kind(last) == TokenKind.STRING;
    boolean isTyped =
        isString
            && (TYPES.contains(tokens.word(last - 1)) || tokens.word(last - 1).startsWith("_"));
    return (tokens.isName(last) || isString)
        && !isTyped
        && !tokens.isPunctuation(last - 1, '.')
        && !isUnnamed(tokens, new Span(first, behind));
  }

  /** Whether an item, which is not empty, surely has no alias. */
  public static boolean isUnnamed(SqlTokens tokens, Span item) {
    int last = item.behind() - 1;
    boolean isSequence =
        isOfSequence(tokens, tokens.isPunctuation(last - 1, '.') ? last - 3 : last - 1);
    boolean behindOperator =
        isSequence
            || tokens.kind(last - 1) == TokenKind.OPERATOR
            || OPERATORS.contains(tokens.word(last - 1));
    return switch (tokens.kind(last)) {
      case PUNCTUATION -> tokens.isPunctuation(last, ')');
      case NUMBER, BINARY, MARKER -> true;
      case WORD -> behindOperator || CONSTANTS.contains(tokens.word(last)) || isCase(tokens, item);
      case QUOTED, VARIABLE, STRING -> behindOperator;
      case OPERATOR, OPTIMIZER_HINT, EXECUTABLE_START, EXECUTABLE_END, NONE -> false;
    };
  }

  /** Whether the item ends with the END of a CASE. */
  private static boolean isCase(SqlTokens tokens, Span item) {
    int open = 0;
    for (int token = item.first(); token < item.behind(); token++) {
      open += tokens.isWord(token, "CASE") ? 1 : tokens.isWord(token, "END") ? -1 : 0;
      if (open < 0) {
        return false;
      }
    }
    return open == 0 && tokens.isWord(item.behind() - 1, "END");
  }

  /** Whether it is a column, qualified or not, which is called by its name; or {@code *}. */
  public static boolean isColumn(SqlTokens tokens, Span item) {
    TokenRange column = tokens.in(item).unwrapped();
    int last = column.behind() - 1;
    boolean isQualified =
        tokens
            .between(column.first(), last)
            .consistsOf(
                token ->
                    (token - column.first()) % 2 == 0
                        ? tokens.isName(token)
                        : tokens.isPunctuation(token, '.'));
    return isQualified
        && !column.isEmpty()
        && (tokens.isName(last) || tokens.isOperator(last, "*"));
  }
}
