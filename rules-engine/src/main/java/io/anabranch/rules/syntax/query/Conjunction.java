package io.anabranch.rules.syntax.query;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.ArrayList;
import java.util.List;

/** The parts of a condition that all have to hold, as spans of tokens. */
public final class Conjunction {

  private Conjunction() {}

  /** One span, the condition itself, where something binds weaker than AND. */
  public static List<Span> parts(SqlTokens tokens, Span condition) {
    var parts = new ArrayList<Span>();
    split(tokens, condition, parts);
    return parts;
  }

  /** Whether the AND at a token is a BETWEEN's. */
  public static boolean isOfBetween(SqlTokens tokens, int and) {
    int nearest =
        tokens
            .between(tokens.around(and) + 1, and)
            .findLast(
                token ->
                    tokens.depth(token) == tokens.depth(and)
                        && tokens.isAnyWord(
                            token, "BETWEEN", "AND", "OR", "XOR", "WHERE", "ON", "HAVING"));
    return tokens.isWord(and, "AND") && tokens.isWord(nearest, "BETWEEN");
  }

  private static void split(SqlTokens tokens, Span condition, List<Span> to) {
    if (condition.isEmpty()) {
      return;
    }
    if (tokens.isPunctuation(condition.first(), '(')
        && tokens.closing(condition.first()) == condition.behind() - 1) {
      split(tokens, new Span(condition.first() + 1, condition.behind() - 1), to);
      return;
    }
    var ands = new ArrayList<Integer>();
    int depth = tokens.depth(condition.first());
    int cases = 0;
    int betweens = 0;
    for (int token = condition.first(); token < condition.behind(); token++) {
      if (tokens.depth(token) != depth) {
        continue;
      }
      if (tokens.isWord(token, "CASE")) {
        cases++;
      } else if (tokens.isWord(token, "END")) {
        cases--;
      } else if (cases == 0) {
        if (isWeaker(tokens, token)) {
          to.add(condition);
          return;
        }
        boolean and = tokens.isWord(token, "AND") || tokens.isOperator(token, "&&");
        if (tokens.isWord(token, "BETWEEN")) {
          betweens++;
        } else if (and && betweens > 0) {
          betweens--;
        } else if (and) {
          ands.add(token);
        }
      }
    }
    if (ands.isEmpty()) {
      to.add(condition);
      return;
    }
    int first = condition.first();
    for (int and : ands) {
      split(tokens, new Span(first, and), to);
      first = and + 1;
    }
    split(tokens, new Span(first, condition.behind()), to);
  }

  private static boolean isWeaker(SqlTokens tokens, int token) {
    return tokens.isWord(token, "OR")
        || tokens.isWord(token, "XOR")
        || tokens.isOperator(token, "||")
        || tokens.isOperator(token, ":=");
  }
}
