package io.anabranch.rules.rewrite;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.task.PlanScope;
import java.util.List;

/**
 * Calls of {@code DATABASE()} and {@code SCHEMA()}: servers would answer with their own name for
 * what the client calls by the logical one.
 */
public final class DatabaseCalls {

  private DatabaseCalls() {}

  /** Tokens where calls start; a call is three tokens long. */
  public static List<Integer> in(SqlTokens tokens) {
    return tokens
        .all()
        .names(
            token ->
                tokens.isAnyWord(token, "DATABASE", "SCHEMA")
                    && !tokens.isPunctuation(token - 1, '.')
                    && tokens.isPunctuation(token + 1, '(')
                    && tokens.isPunctuation(token + 2, ')'));
  }

  /**
   * A value with the type of the call, its collation, and that it may be NULL.
   *
   * @param literal of SQL
   */
  public static String typed(String literal) {
    return "IF(TRUE, " + literal + ", DATABASE())";
  }

  /** The logical name. */
  static String literal(PlanScope scope) {
    String name = scope.database().name();
    return typed(TableNames.literal(name));
  }

  /** Puts the logical name in the place of the calls. */
  public static void replace(SourceEdits edits, PlanScope scope) {
    SqlTokens tokens = edits.source().tokens();
    List<Integer> calls = in(tokens);
    for (int call : calls) {
      edits.replace(edits.start(call), edits.end(call + 2), List.of(edits.text(literal(scope))));
    }
  }
}
