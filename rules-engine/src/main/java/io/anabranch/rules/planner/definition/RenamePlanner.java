package io.anabranch.rules.planner.definition;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.definition.RenamedTable.Part;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.TemplatePlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * RENAME TABLE: one statement per data source renames all that it has of the tables, step by step
 * as the client's, so that each does all of it or nothing. Used once.
 */
final class RenamePlanner {

  /** One step for one part. */
  private record Step(RenamedTable table, Part part) {}

  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;
  private final DdlSyntax syntax;

  RenamePlanner(PlanTask task, SourceText source, DdlSyntax syntax) {
    this.task = task;
    this.source = source;
    this.tokens = source.tokens();
    this.syntax = syntax;
  }

  StatementPlan plan() {
    if (syntax.waits(tokens)) {
      StatementReader.requireSyntax(task);
    }
    var names = new NewTableNames(task, syntax.isConditional(tokens), false);
    var bySource = new LinkedHashMap<String, List<Step>>();
    for (RenamedTable table : steps(names)) {
      for (Part part : table.parts()) {
        bySource
            .computeIfAbsent(part.dataSource(), one -> new ArrayList<>())
            .add(new Step(table, part));
      }
    }
    List<AimedText> targets = targets(bySource);
    return new TemplatePlan(
        task.scan().kind(),
        names.names(),
        targets,
        IntStream.range(0, targets.size()).boxed().toList(),
        false,
        PlanNode.Verb.UPDATE,
        null,
        syntax.lockedAfterwards(task.scope().locks()));
  }

  /** A step is looked at when those before it are done: what is wrong with them is told first. */
  private List<RenamedTable> steps(NewTableNames names) {
    var steps = new ArrayList<RenamedTable>();
    for (int i = 0; i < syntax.tables().size(); i++) {
      try {
        steps.add(names.rename(syntax.tables().get(i), syntax.renamed().get(i)));
      } catch (RefusedException refused) {
        RuntimeException earlier =
            syntax.isConditional(tokens)
                ? null
                : new RenameSteps(task.catalog()).refusal(steps, names::unknown);
        throw earlier == null ? refused : earlier;
      }
    }
    return steps;
  }

  private List<AimedText> targets(Map<String, List<Step>> bySource) {
    List<List<Step>> statements = List.copyOf(bySource.values());
    if (statements.size() == 1 && statements.getFirst().size() == 1) {
      return List.of(statement(statements.getFirst()));
    }
    if (syntax.isConditional(tokens)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "RENAME TABLE IF EXISTS of several tables or parts", "leave IF EXISTS out");
    }
    List<List<Part>> parts =
        statements.stream().map(steps -> steps.stream().map(Step::part).toList()).toList();
    return new RenameSteps(task.catalog())
        .due(parts, true).stream().map(i -> statement(statements.get(i))).toList();
  }

  private AimedText statement(List<Step> steps) {
    var actual = new ArrayList<String>();
    SourceEdits edits = new SourceEdits(source);
    List<Piece> out = edits.copyTokens(0, syntax.tables().getFirst().first());
    for (Step step : steps) {
      TableMention from = step.table().from();
      TableMention to = step.table().to();
      out.add(edits.text(actual.isEmpty() ? " " : ", "));
      out.add(new Piece.Table(actual.size()));
      out.add(edits.text(" "));
      out.addAll(edits.copy(edits.start(from.behind()), edits.end(to.first() - 1)));
      out.add(edits.text(" "));
      out.add(new Piece.Table(actual.size() + 1));
      actual.add(step.part().from());
      actual.add(step.part().to());
    }
    int last = syntax.renamed().getLast().behind() - 1;
    out.addAll(edits.copy(edits.end(last), edits.end(tokens.size() - 1)));
    return edits.template(out).aimedAt(steps.getFirst().part().dataSource(), actual);
  }
}
