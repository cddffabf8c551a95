package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Calls of {@code DATABASE()} and {@code SCHEMA()}: servers would answer with their own name for
 * what the client calls by the logical one.
 */
final class DatabaseCalls {

  private static final Set<String> BEHIND_ITEMS =
      Set.of(
          "FROM",
          "WHERE",
          "GROUP",
          "HAVING",
          "ORDER",
          "LIMIT",
          "INTO",
          "UNION",
          "EXCEPT",
          "INTERSECT",
          "FOR",
          "LOCK",
          "PROCEDURE");

  private DatabaseCalls() {}

  /** Tokens where calls start; a call is three tokens long. */
  static List<Integer> in(SqlTokens tokens) {
    var calls = new ArrayList<Integer>();
    for (int token = 0; token + 2 < tokens.size(); token++) {
      if ((tokens.isWord(token, "DATABASE") || tokens.isWord(token, "SCHEMA"))
          && !tokens.isPunctuation(token - 1, '.')
          && tokens.isPunctuation(token + 1, '(')
          && tokens.isPunctuation(token + 2, ')')) {
        calls.add(token);
      }
    }
    return List.copyOf(calls);
  }

  /** The logical name as a literal. */
  static String literal(PlanScope scope) {
    String name = scope.database().name();
    return TableListing.literal(scope.noBackslashEscapes() ? name : name.replace("\\", "\\\\"));
  }

  /** Puts the logical name in the place of the calls; select items keep their names. */
  static void replace(SourceEdits edits, PlanScope scope) {
    SqlTokens tokens = edits.source().tokens();
    List<Integer> calls = in(tokens);
    for (int call : calls) {
      edits.replace(edits.start(call), edits.end(call + 2), List.of(edits.text(literal(scope))));
    }
    if (!calls.isEmpty() && tokens.isWord(0, "SELECT")) {
      keepNames(edits, tokens, calls);
    }
  }

  private static void keepNames(SourceEdits edits, SqlTokens tokens, List<Integer> calls) {
    int first = 1;
    for (int token = 1; token <= tokens.size(); token++) {
      boolean comma =
          tokens.depth(Math.min(token, tokens.size() - 1)) == 0 && tokens.isPunctuation(token, ',');
      boolean behindItems = token == tokens.size() || isBehindItems(tokens, token);
      if (comma || behindItems) {
        int from = first;
        int behind = token;
        boolean calling = calls.stream().anyMatch(call -> call >= from && call < behind);
        if (calling && isUnnamed(tokens, behind - 1)) {
          String name = edits.source().text().substring(tokens.start(from), tokens.end(behind - 1));
          int end = edits.end(behind - 1);
          edits.replace(end, end, List.of(edits.text(" AS " + TableNames.quoted(name))));
        }
        first = token + 1;
      }
      if (behindItems) {
        return;
      }
    }
  }

  private static boolean isBehindItems(SqlTokens tokens, int token) {
    return tokens.depth(token) == 0
        && (tokens.isPunctuation(token, ';')
            || (tokens.kind(token) == TokenKind.WORD
                && !tokens.isPunctuation(token - 1, '.')
                && BEHIND_ITEMS.contains(tokens.text(token).toUpperCase(Locale.ROOT))));
  }

  /** Whether an item that ends with {@code last} has no alias. */
  private static boolean isUnnamed(SqlTokens tokens, int last) {
    return tokens.isPunctuation(last, ')') || tokens.kind(last - 1) == TokenKind.OPERATOR;
  }
}
