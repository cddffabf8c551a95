package io.anabranch.rules.planner.mask;

import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.definition.TableDefinition;
import io.anabranch.rules.function.Subqueries;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.syntax.qualifier.DisguisedNames;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.MomentaryPlan;
import io.anabranch.rules.task.PlanTask;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks at each statement of a user for whom columns are masked before it is planned: it goes on as
 * it is, its rows are masked, or it is refused. Blocks on the catalogue.
 */
public final class MaskGuard {

  private final PlanTask task;
  private final SqlTokens tokens;
  private final MaskedTables tables;

  /**
   * What is done to a statement that goes on.
   *
   * @param maskers by the names of result columns, in lower case
   * @param compared slots of what masked columns are compared with: texts alone
   */
  private record MaskedShape(Map<String, Masker> maskers, int[] compared) {}

  private MaskGuard(PlanTask task) {
    this.task = task;
    this.tokens = task.source().tokens().withoutHints();
    this.tables = new MaskedTables(task, tokens);
  }

  /** Whether something is masked for the user at all. */
  public static boolean concerns(PlanTask task) {
    return !task.scope().permitted().masked().isEmpty();
  }

  /**
   * The plan of a statement of such a user: masked, or as it is.
   *
   * @param planner of the statement as it is
   * @throws io.anabranch.rules.error.RefusedException if the statement might show a masked value
   */
  public static StatementPlan plan(PlanTask task, KindPlanner planner) {
    var guard = new MaskGuard(task);
    MaskedShape shape = guard.check();
    StatementPlan plan = planner.plan(task);
    StatementPlan masked =
        shape == null ? plan : MaskedPlan.of(task, plan, shape.maskers(), shape.compared());
    return guard.tables.dependOnViews() ? new MomentaryPlan(masked) : masked;
  }

  /**
   * A statement that no planner sees, but a server computes what is in it.
   *
   * @param end of the tokens that are looked at
   * @throws io.anabranch.rules.error.RefusedException if it might read a table
   */
  public static void refuseReading(SqlTokens tokens, int end, StatementKind kind) {
    if (Subqueries.are(tokens, end)) {
      throw MaskedQuery.refusal("a query within " + kind);
    }
    MaskedQuery.refuseUnknownFunctions(tokens, 0, end, kind);
    if (tokens.mention("LOAD_FILE")) {
      throw MaskedQuery.refusal("LOAD_FILE");
    }
    if (tokens
        .between(0, end)
        .has(
            token ->
                tokens.kind(token) == TokenKind.OPTIMIZER_HINT
                    || tokens.kind(token) == TokenKind.EXECUTABLE_START)) {
      throw MaskedQuery.refusal("a comment in the middle of " + kind);
    }
  }

  private @Nullable MaskedShape check() {
    refuse(DisguisedNames.first(tokens));
    MaskedText.check(tokens, task.source().text());
    tables.refuseOtherDatabases();
    if (tables.masks().columns().isEmpty() && !tables.areBeside()) {
      return null;
    }
    StatementKind kind = task.scan().kind();
    new TellingStatements(tokens, kind).check();
    tables.readViews(isQuery(kind));
    Set<String> mentioned = tables.mentioned();
    return mentioned.isEmpty() && !tables.nameViews() ? null : check(kind, mentioned);
  }

  private static boolean isQuery(StatementKind kind) {
    return kind == StatementKind.SELECT || kind == StatementKind.QUERY_EXPRESSION;
  }

  private static void refuse(@Nullable String disguised) {
    if (disguised != null) {
      throw MaskedQuery.refusal("the name '" + disguised + "', which servers may read as another,");
    }
  }

  /** A statement that names tables with masked columns. */
  private @Nullable MaskedShape check(StatementKind kind, Set<String> mentioned) {
    MaskedText.refuseExecuted(tokens);
    MaskedText.refuseIndexHints(task.source().tokens());
    MaskedNames names = tables.names(tokens);
    refuse(DisguisedNames.alike(tokens, names.all().keySet()));
    var comparison = new MaskedComparison(tokens);
    new MaskedChange(tokens, names, comparison, kind).check();
    Set<String> assigned = MaskedKeys.assigned(tokens, kind);
    for (String table : assigned.isEmpty() ? Set.<String>of() : mentioned) {
      for (TableDefinition definition : tables.definitions(table)) {
        new MaskedKeys(definition, tables.withStored(table, tables.masks().of(table).keySet()))
            .check(tables.withStored(table, assigned));
      }
    }
    if (isQuery(kind)) {
      new MaskedQuery(tokens, names, comparison, tables).check();
      refuse(DisguisedNames.alike(tokens, names.all().keySet()));
      if (names.areBeyondAscii() && !ResultNames.areWhole(task.scope())) {
        throw MaskedQuery.refusal("a character set of results that is not UTF-8");
      }
      return new MaskedShape(names.all(), comparison.slots());
    }
    return comparison.slots().length == 0 ? null : new MaskedShape(Map.of(), comparison.slots());
  }
}
