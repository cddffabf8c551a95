package io.anabranch.rules.planner.query;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.planner.scatter.ColumnDrift;
import io.anabranch.rules.planner.scatter.Scatter;
import io.anabranch.rules.planner.scatter.ScatterPlanner;
import io.anabranch.rules.planner.stage.ComputedGroups;
import io.anabranch.rules.planner.stage.StagePlanner;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.Auditing;
import io.anabranch.rules.resolve.Placement;
import io.anabranch.rules.resolve.SingleTemplate;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.AccessChoice;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.StatementHints;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plans SELECT and other query expressions. */
public final class QueryPlanner implements KindPlanner {

  private static final int[] NO_GUARDS = {};

  private final StatementReader reader = new StatementReader();

  @Override
  public StatementPlan plan(PlanTask task) {
    Analysis analysis = reader.read(task);
    refuseProcedures(analysis);
    if (ViewExpansion.isNeeded(analysis)) {
      return new ViewExpansion(analysis).plan(this);
    }
    Detour detour = analysis.sharded().isEmpty() ? null : detour(task);
    Placement placement = Placement.of(analysis);
    Auditing.check(analysis, placement);
    var names = analysis.names(placement.layouts());
    NameMapping mapping = analysis.mapping();
    var single = new SingleTemplate(analysis, placement, names);
    var scatter = new ScatterPlanner(analysis, placement, names, mapping, single);
    RefusedException drift = ColumnDrift.of(analysis);
    Answers answers;
    try {
      if (drift != null) {
        throw drift;
      }
      Refusal hinted = HintedVariables.refusal(analysis.source().tokens());
      if (hinted != null) {
        answers = Answers.refused(hinted, mapping);
      } else {
        answers =
            detour == null
                ? answers(analysis, placement, names, mapping, single, scatter, this)
                : new Answers(detour, detour, detour.names(), detour.guardedSlots());
      }
    } catch (RefusedException refusal) {
      boolean isOfNodes = refusal.isUnreachable() || refusal.is(ErrorCatalogue.DEFINITIONS_DIFFER);
      if (!isOfNodes) {
        throw refusal;
      }
      var unknown = new Scatter.Unreachable(refusal);
      answers = new Answers(unknown, unknown, mapping, NO_GUARDS);
    }
    return new QueryPlan(
        task.scan().kind(),
        access(analysis),
        answers.names(),
        placement,
        single,
        answers.overNodes(),
        answers.apart(),
        Stream.of(scatter.guardedSlots(), analysis.namedSlots(), answers.guards())
            .flatMapToInt(Arrays::stream)
            .sorted()
            .distinct()
            .toArray(),
        analysis.tables().stream().anyMatch(PlacedTable.Catalogue.class::isInstance));
  }

  /** What is answered by another query over several nodes; null: nothing. */
  private @Nullable Detour detour(PlanTask task) {
    Detour assigned = AssignedQuery.of(task, this, reader);
    return assigned == null ? CountedQuery.of(task, this) : assigned;
  }

  /** Its rows tell names and values of actual tables. */
  private static void refuseProcedures(Analysis analysis) {
    SqlTokens tokens = analysis.source().tokens();
    int procedure =
        tokens
            .from(1)
            .findName(
                token -> tokens.isWord(token, "PROCEDURE") && tokens.isPunctuation(token + 2, '('));
    if (procedure >= 0 && !analysis.sharded().isEmpty()) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "SELECT … PROCEDURE " + tokens.text(procedure + 1),
          "run it on the data sources themselves");
    }
  }

  /**
   * How what one node cannot answer is answered.
   *
   * @param overNodes where all tables meet
   * @param apart where they do not
   * @param guards slots whose literals the answers depend on
   */
  private record Answers(Scatter overNodes, Scatter apart, NameMapping names, int[] guards) {

    static Answers refused(Refusal refusal, NameMapping names) {
      var refused = new Scatter.Refused(refusal);
      return new Answers(refused, refused, names, NO_GUARDS);
    }
  }

  private static Answers answers(
      Analysis analysis,
      Placement placement,
      ShardedNames names,
      NameMapping mapping,
      SingleTemplate single,
      ScatterPlanner scatter,
      KindPlanner queries) {
    Scatter overNodes =
        placement.isPinnedElsewhere()
            ? Scatter.refused("a statement over a single table and sharded ones", "join them apart")
            : scatter.plan();
    int[] guards = NO_GUARDS;
    if (overNodes instanceof Scatter.Refused) {
      var groups = new ComputedGroups(analysis, placement, mapping, single);
      Scatter computed = groups.plan();
      if (!(computed instanceof Scatter.Refused)) {
        overNodes = computed;
        guards = groups.guardedSlots();
      }
    }
    boolean merges = !(overNodes instanceof Scatter.Refused) && !placement.hasSingleTables();
    boolean alwaysOne = analysis.sharded().isEmpty() && !placement.isSplit();
    if (merges || alwaysOne) {
      return new Answers(overNodes, overNodes, mapping, guards);
    }
    var stage = new StagePlanner(analysis, placement, names, mapping, single);
    Scatter apart = stage.plan();
    if (apart instanceof StagePlanner.NamedTwice) {
      apart = InlinedCommonTables.of(analysis.task(), queries);
    }
    boolean isOther = apart instanceof Detour;
    NameMapping staged = isOther ? ((Detour) apart).names() : stage.names();
    int[] more = isOther ? ((Detour) apart).guardedSlots() : stage.guardedSlots();
    return new Answers(
        overNodes instanceof Scatter.Refused ? apart : overNodes,
        apart,
        staged,
        IntStream.concat(Arrays.stream(guards), Arrays.stream(more)).toArray());
  }

  private static Access access(Analysis analysis) {
    var task = analysis.task();
    return AccessChoice.of(
        task, analysis.source(), StatementHints.of(task.scan(), task.scope().charset()));
  }
}
