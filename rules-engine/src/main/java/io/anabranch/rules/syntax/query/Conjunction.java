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
    int first = tokens.around(and) + 1;
    int token = and - 1;
    while (token >= first && !(tokens.depth(token) == tokens.depth(and) && opens(tokens, token))) {
      token = before(tokens, token, first);
    }
    return tokens.isWord(and, "AND") && tokens.isWord(token, "BETWEEN");
  }

  /** Whether a condition, or a part of one, may begin behind it. */
  private static boolean opens(SqlTokens tokens, int token) {
    return tokens.isAnyWord(
        token, "BETWEEN", "AND", "OR", "XOR", "WHERE", "ON", "HAVING", "WHEN", "CASE");
  }

  /** In front of a token, and of all of the CASE that it ends. */
  private static int before(SqlTokens tokens, int token, int first) {
    int open = 0;
    int at = token;
    do {
      open += tokens.isWord(at, "END") ? 1 : tokens.isWord(at, "CASE") ? -1 : 0;
      at--;
    } while (open > 0 && at >= first);
    return open > 0 ? token - 1 : at;
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
        boolean and = tokens.isWord(token, "AND") && !isOfBetween(tokens, token);
        if (and || tokens.isOperator(token, "&&")) {
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
