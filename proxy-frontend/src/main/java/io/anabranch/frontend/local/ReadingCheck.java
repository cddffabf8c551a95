package io.anabranch.frontend.local;

import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.SetStatement;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.planner.encrypt.EncryptPlanner;
import io.anabranch.rules.planner.mask.MaskGuard;

/**
 * Statements of the session's own whose values a server computes, as those of SET, may have queries
 * in them that no planner sees: beside masked and encrypted columns they are refused.
 */
final class ReadingCheck {

  private ReadingCheck() {}

  /**
   * @throws io.anabranch.rules.error.RefusedException if the statement might show what is masked,
   *     or read what is stored encrypted
   */
  static void check(StatementKind kind, SourceText source, Session session) {
    switch (kind) {
      case SET, KILL, PREPARE, EXECUTE, SHOW -> {
        SqlTokens tokens = source.tokens();
        int end = end(kind, source);
        if (session.database().isMasked()) {
          MaskGuard.refuseReading(tokens, end, kind);
        }
        EncryptPlanner.refuseReading(tokens, end, session.deployment().rules());
      }
      default -> {}
    }
  }

  /** What stands behind {@code SET STATEMENT … FOR} is a statement of its own. */
  private static int end(StatementKind kind, SourceText source) {
    boolean sets = kind == StatementKind.SET && source.tokens().isWord(1, "STATEMENT");
    return sets && SetStatement.parse(source) instanceof SetStatement.ForStatement outer
        ? outer.statementToken()
        : source.tokens().size();
  }
}
