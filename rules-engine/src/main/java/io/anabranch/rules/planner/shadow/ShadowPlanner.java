package io.anabranch.rules.planner.shadow;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.SchemaCatalog.DescribeException;
import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.shadow.ShadowAlgorithm;
import io.anabranch.rules.model.shadow.ShadowAlgorithm.Operation;
import io.anabranch.rules.model.shadow.ShadowRule;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.StatementHints;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * In front of the planners of a database whose tables have shadows. Blocks on the catalogue.
 * Stateless.
 */
public final class ShadowPlanner {

  private final ShadowDatabases databases;
  private final KindPlanner planner;

  /**
   * @param planner of the statement as it is
   */
  public ShadowPlanner(ShadowDatabases databases, KindPlanner planner) {
    this.databases = databases;
    this.planner = planner;
  }

  /** Whether a hint would have no effect: the database has no shadows. */
  public static void refuseHint(LogicalDatabase database, StatementHints hints) {
    if (hints.shadow() && !database.shadow().isPresent()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "the hint SHADOW in a database without the rule !SHADOW", "take it away");
    }
  }

  /**
   * The statement's plan in production, in the shadow, or in the one that its values say.
   *
   * @throws RefusedException if the hint SHADOW has no effect, and as planners do
   */
  public StatementPlan plan(PlanTask task) {
    ShadowRule rule = task.database().shadow();
    SqlTokens tokens = task.source().tokens();
    TemporaryTables temporaries = task.scope().temporaries();
    Set<String> tables = new TreeSet<>();
    for (String table : rule.tables().keySet()) {
      if (tokens.mention(table) && temporaries.find(table) == null) {
        tables.add(table);
      }
    }
    if (isWhole(task, rule, tables)) {
      return planner.plan(on(task, databases.shadow()));
    }
    if (tables.isEmpty()) {
      boolean isShadow = namesOwn(temporaries, tokens);
      return planner.plan(isShadow ? on(task, databases.shadow()) : task);
    }
    if (isDefinition(task.scan().kind())) {
      var defined = new DefinedTables(task);
      return planner.plan(
          defined.areShadowed() ? on(task, databases.both(defined.placed())) : task);
    }
    List<ShadowMatch> matches = matches(task, rule, tables);
    StatementPlan plan = planner.plan(task);
    return matches.isEmpty() ? plan : beside(task, plan, matches);
  }

  /** Whether it names a temporary table that a statement of the test has made. */
  private boolean namesOwn(TemporaryTables temporaries, SqlTokens tokens) {
    return temporaries.byName().entrySet().stream()
        .anyMatch(
            own ->
                databases.shadow().endpoints().contains(own.getValue().endpoint())
                    && tokens.mention(own.getKey()));
  }

  private StatementPlan beside(PlanTask task, StatementPlan plan, List<ShadowMatch> matches) {
    SchemaCatalog catalog = task.catalog();
    for (String endpoint : databases.shadow().endpoints()) {
      if (!catalog.isReachable(endpoint)) {
        // whoever waits for it to answer keeps production waiting
        var away =
            new ShadowPlan.Away(
                ErrorCatalogue.DATA_SOURCE_DOWN.refuse(endpoint, "it is down"),
                () -> catalog.isReachable(endpoint));
        return new ShadowPlan(plan, away, matches);
      }
    }
    try {
      StatementPlan shadow = planner.plan(on(task, databases.shadow()));
      return new ShadowPlan(plan, new ShadowPlan.Planned(shadow), matches);
    } catch (RefusedException | DescribeException refused) {
      return new ShadowPlan(plan, new ShadowPlan.Refused(refused), matches);
    }
  }

  private static PlanTask on(PlanTask task, LogicalDatabase database) {
    return task.of(task.scan(), task.scope().on(database), task.catalog());
  }

  /** By its hint, or by its user. */
  private static boolean isWhole(PlanTask task, ShadowRule rule, Set<String> tables) {
    boolean isHinted = StatementHints.of(task.scan(), task.scope().charset()).shadow();
    String user = task.scope().permitted().shadowUser();
    boolean isHintTaken = rule.standard() instanceof ShadowAlgorithm.Hint;
    boolean isWhole = isHinted && isHintTaken;
    for (String table : tables) {
      for (ShadowAlgorithm algorithm : rule.algorithms(table)) {
        isWhole |=
            switch (algorithm) {
              case ShadowAlgorithm.Hint _ -> isHinted;
              case ShadowAlgorithm.User users -> users.isOf(user);
              case ShadowAlgorithm.Column _ -> false;
            };
      }
    }
    if (isHinted && !isWhole) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "the hint SHADOW for tables without the algorithm SQL_HINT",
          "take it away, or give them the algorithm");
    }
    return isWhole;
  }

  private static boolean isDefinition(StatementKind kind) {
    return switch (kind) {
      case TRUNCATE, RENAME, CREATE, ALTER, DROP -> true;
      default -> false;
    };
  }

  private static List<ShadowMatch> matches(PlanTask task, ShadowRule rule, Set<String> tables) {
    Operation operation = operation(task.scan().kind());
    var matches = new ArrayList<ShadowMatch>();
    if (operation == null) {
      return matches;
    }
    StatementValues statement = null;
    for (String table : tables) {
      for (ShadowAlgorithm each : rule.algorithms(table)) {
        if (each instanceof ShadowAlgorithm.Column column && column.operation() == operation) {
          statement = statement == null ? new StatementValues(task, operation) : statement;
          List<ColumnValues> values = statement.of(table, column.column());
          if (!values.isEmpty()) {
            matches.add(new ShadowMatch(table, column, values));
          }
        }
      }
    }
    return matches;
  }

  private static @Nullable Operation operation(StatementKind kind) {
    return switch (kind) {
      case INSERT, REPLACE -> Operation.INSERT;
      case UPDATE -> Operation.UPDATE;
      case DELETE -> Operation.DELETE;
      case SELECT -> Operation.SELECT;
      default -> null;
    };
  }
}
