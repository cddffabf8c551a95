package io.anabranch.app.cli;

import io.anabranch.app.cli.OfflineCatalog.DatabaseNeededException;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.planner.StatementPlanner;
import io.anabranch.rules.task.PlanScope;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code route}: which way a statement would take, by the configuration alone. */
@Command(
    name = "route",
    versionProvider = VersionCommand.Provider.class,
    mixinStandardHelpOptions = true,
    description = {
      "Says which way a statement would take, as EXPLAIN ROUTE does, without proxy and databases.",
      "Tables are taken to have the columns that rules and statement name, integers unless compared with",
      "a string, without triggers and foreign keys. What the tables are like a running proxy knows:",
      "  anabranch sql \"EXPLAIN ROUTE ...\""
    })
final class RouteCommand implements Callable<Integer> {

  private final Surroundings surroundings;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = {"-c", "--conf"},
      paramLabel = "CONF",
      description = "directory of the configuration (conf/ beside bin/)")
  private @Nullable Path directory;

  @Option(
      names = {"-D", "--database"},
      paramLabel = "NAME",
      description = "logical database; not needed if there is only one")
  private @Nullable String database;

  @Parameters(paramLabel = "SQL", description = "the statement, one argument")
  private String sql = "";

  RouteCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    RuleSet rules = Configurations.load(surroundings.configuration(directory)).ruleSet();
    LogicalDatabase chosen = Configurations.database(rules, database);
    PrintWriter out = Output.of(spec);
    try {
      Scan scan = scan();
      var scope = new PlanScope(chosen, StandardCharsets.UTF_8, false, false);
      StatementPlan plan =
          new StatementPlanner(rules, of -> new OfflineCatalog(of, sql)).plan(scan, scope);
      var slots = new TextSlotValues().over(scan, StandardCharsets.UTF_8, LexerMode.DEFAULT);
      print(out, plan, plan.bind(slots));
    } catch (RefusedException refused) {
      throw new CommandFailure(Anabranch.FAILED, String.valueOf(refused.getMessage()));
    } catch (DatabaseNeededException needed) {
      throw new CommandFailure(
          Anabranch.FAILED,
          "the plan of this statement depends on %s, which the files do not tell;%nask a running proxy: anabranch sql -D %s \"EXPLAIN ROUTE ...\""
              .formatted(needed.getMessage(), chosen.name()));
    }
    return 0;
  }

  private Scan scan() {
    byte[] bytes = sql.strip().getBytes(StandardCharsets.UTF_8);
    Scan scan = new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
    if (isAnsweredByTheProxy(scan.kind())) {
      throw new CommandFailure(
          Anabranch.FAILED,
          "%s is answered by the proxy itself, or goes where the session's connections are"
              .formatted(scan.kind()));
    }
    return scan;
  }

  private static boolean isAnsweredByTheProxy(StatementKind kind) {
    return switch (kind) {
      case EXPLAIN_ROUTE,
          ALTER_GROUP,
          USE,
          BEGIN,
          COMMIT,
          ROLLBACK,
          SAVEPOINT,
          XA,
          UNLOCK_TABLES,
          PREPARE,
          EXECUTE,
          DEALLOCATE,
          KILL,
          ACCOUNT,
          EMPTY ->
          true;
      default -> false;
    };
  }

  private void print(PrintWriter out, StatementPlan plan, BoundPlan bound) {
    switch (bound) {
      case BoundPlan.AsIs asIs -> query(out, "relay", asIs.dataSource(), sql.strip());
      case BoundPlan.Single single -> query(out, "relay", single.query());
      case BoundPlan.Merged merged -> {
        for (ShardQuery query : PlanPrinter.queries(merged.root())) {
          query(out, "merge", query);
        }
      }
    }
    out.println();
    out.println(PlanPrinter.print(plan, bound).stripTrailing());
    out.println();
    out.println("by the files alone: types, keys and triggers of the tables are assumed");
  }

  private static void query(PrintWriter out, String lane, ShardQuery query) {
    query(out, lane, query.dataSource(), new String(query.sql(), StandardCharsets.UTF_8));
  }

  private static void query(PrintWriter out, String lane, String target, String text) {
    out.printf("%s  %s  %s%n", lane, target, text);
  }
}
