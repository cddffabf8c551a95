package io.anabranch.rules.planner.definition;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.definition.RenamedTable.Part;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.TemplatePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** ALTER TABLE … RENAME TO, alone or with other changes: one statement per part. Used once. */
final class AlteredName {

  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;
  private final DdlSyntax syntax;

  AlteredName(PlanTask task, SourceText source, DdlSyntax syntax) {
    this.task = task;
    this.source = source;
    this.tokens = source.tokens();
    this.syntax = syntax;
  }

  StatementPlan plan() {
    var names = new NewTableNames(task, syntax.isConditional(tokens), true);
    TableMention from = syntax.tables().getFirst();
    TableMention to = syntax.renamed().getFirst();
    RenamedTable table = names.rename(from, to);
    boolean isSingle = table.parts().size() == 1;
    if (!isSingle || !names.names().tables().isEmpty()) {
      refuseMore();
    }
    if (!syntax.joined().isEmpty()) {
      throw refused("together with rows of another table", "write two statements");
    }
    var mentions = new ArrayList<TableMention>(List.of(from, to));
    mentions.addAll(syntax.others());
    SqlTemplate template = new TableRewriting(source, task.database().name(), mentions).template();
    List<AimedText> targets = new ArrayList<>();
    for (int i : due(table)) {
      Part part = table.parts().get(i);
      var actual = new ArrayList<String>(List.of(part.from(), part.to()));
      syntax.others().forEach(other -> actual.add(other.name()));
      targets.add(template.aimedAt(part.dataSource(), actual));
    }
    return new TemplatePlan(
        task.scan().kind(),
        names.names(),
        targets,
        List.of(0),
        false,
        isSingle ? PlanNode.Verb.UPDATE : PlanNode.Verb.DEFINE,
        null,
        syntax.lockedAfterwards(task.scope().locks()));
  }

  private List<Integer> due(RenamedTable table) {
    List<List<Part>> statements = table.parts().stream().map(List::of).toList();
    if (syntax.isConditional(tokens)) {
      return IntStream.range(0, statements.size()).boxed().toList();
    }
    boolean isAllItDoes =
        DdlSyntax.renamesTable(tokens, table.from().behind())
            && table.to().behind() == tokens.size();
    return new RenameSteps(task.catalog()).due(statements, isAllItDoes);
  }

  /** What would have names of its own for each part, or other parts beside. */
  private void refuseMore() {
    if (syntax.renamed().size() > 1 || !syntax.others().isEmpty()) {
      throw refused("together with REFERENCES or another RENAME", "write two statements");
    }
    if (tokens.from(syntax.tables().getFirst().behind()).hasWord("CONSTRAINT", "FOREIGN")) {
      throw refused("together with a change of constraints", "write two statements");
    }
  }

  private RuntimeException refused(String with, String wayOut) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "ALTER TABLE '" + syntax.tables().getFirst().name() + "' … RENAME " + with, wayOut);
  }
}
