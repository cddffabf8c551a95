package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;

/**
 * One statement to plan and all that its plan may depend on.
 *
 * @param scan valid until the plan is made
 * @param catalog of the scope's database
 * @param rules limits of the merge lane, names of the other databases
 */
public record PlanTask(Scan scan, PlanScope scope, SchemaCatalog catalog, RuleSet rules) {

  public LogicalDatabase database() {
    return scope.database();
  }

  /** The statement as tokens; made anew by each call. */
  SourceText source() {
    var charset = scope.charset();
    var mode = LexerMode.of(charset, scope.ansiQuotes(), scope.noBackslashEscapes());
    return SourceText.of(scan, charset, mode);
  }
}
