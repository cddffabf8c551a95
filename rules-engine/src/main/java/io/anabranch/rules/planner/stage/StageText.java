package io.anabranch.rules.planner.stage;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.StagedTable;
import io.anabranch.rules.rewrite.DatabaseCalls;
import io.anabranch.rules.rewrite.ItemNames;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.sql.StatementFacts;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.task.PlanTask;
import java.util.List;

/** The client's statement with the names of copies in the place of table names. */
final class StageText {

  private static final int SCHEMA_AND_POINT = 2;

  private final SourceEdits edits;
  private final SqlTokens tokens;
  private final int[] namedSlots;

  StageText(PlanTask task, StatementFacts facts, List<StagedReference> references) {
    var source = task.source();
    edits = new SourceEdits(source);
    tokens = source.tokens();
    DatabaseCalls.replace(edits, task.scope());
    for (StagedReference reference : references) {
      replace(reference);
    }
    for (int token : facts.columnQualifierTokens()) {
      if (tokens.name(token).equalsIgnoreCase(task.database().name())
          && tokens.isPunctuation(token + 1, '.')) {
        edits.replace(edits.start(token), edits.start(token + SCHEMA_AND_POINT), List.of());
      }
    }
    for (int hint : tokens.all().where(this::isIndexHint)) {
      int open = tokens.between(hint + 2, hint + 6).find(token -> tokens.isPunctuation(token, '('));
      if (open >= 0) {
        int last = Math.min(tokens.closing(open), tokens.size() - 1);
        edits.replace(edits.start(hint), edits.end(last), List.of());
      }
    }
    namedSlots = ItemNames.keep(edits);
  }

  /** Slots whose literals are in the names of select items. */
  int[] namedSlots() {
    return namedSlots;
  }

  SourceEdits edits() {
    return edits;
  }

  private void replace(StagedReference reference) {
    TableRef ref = reference.ref();
    if (ref.nameToken() < 0) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "this way of naming table '" + ref.name() + "'", "name it plainly");
    }
    int first = ref.qualifierToken() >= 0 ? ref.qualifierToken() : ref.nameToken();
    String copy = reference.name();
    String text = ref.aliased() ? copy : StagedTable.unaliased(copy) + tokens.text(ref.nameToken());
    edits.replace(edits.start(first), edits.end(ref.nameToken()), List.of(edits.text(text)));
  }

  /** Copies do not have the indexes that USE, FORCE and IGNORE INDEX name. */
  private boolean isIndexHint(int token) {
    return tokens.isAnyWord(token, "USE", "FORCE", "IGNORE")
        && tokens.isAnyWord(token + 1, "INDEX", "KEY");
  }
}
