package io.anabranch.app.check;

import io.anabranch.backend.health.Asker;
import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Looks whether the servers of a logical database are as its rules want them: logs in, asks for the
 * columns of the tables that rules name, and has {@link TableChecks} judge. Changes nothing.
 */
public final class DryRun {

  private static final long ANSWER_MILLISECONDS = 5000;

  private static final String COLUMNS =
      "SELECT TABLE_NAME AS t, COLUMN_NAME AS c, COLUMN_TYPE AS ty, PRIVILEGES AS p"
          + " FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (";

  private final Configuration configuration;
  private final LogicalDatabase database;
  private final Set<String> required;

  /**
   * @param configuration tells where things stand
   * @param required data sources that must answer; what others do not tell is not looked at
   */
  public DryRun(Configuration configuration, LogicalDatabase database, Set<String> required) {
    this.configuration = configuration;
    this.database = database;
    this.required = Set.copyOf(required);
  }

  /**
   * @param problems with which it would not work
   * @param notices what the operator should know
   */
  public record Findings(List<String> problems, List<String> notices) {

    public Findings {
      problems = List.copyOf(problems);
      notices = List.copyOf(notices);
    }
  }

  /** What one data source told. */
  private record Told(String source, Map<String, FoundTable> tables, String problem, String gap) {}

  /**
   * Asks all data sources at the same time. Blocks for some seconds at most.
   *
   * @param openers by data source
   */
  public Findings run(Function<String, Asker.Opener> openers) {
    var checks = new TableChecks(configuration, database);
    var asked = new ArrayList<CompletableFuture<Told>>();
    for (String source : database.dataSources().keySet()) {
      Asker.Opener opener = openers.apply(source);
      Set<String> tables = checks.tablesOn(source);
      asked.add(
          CompletableFuture.supplyAsync(
              () -> told(source, tables, opener),
              task -> Thread.ofVirtual().name("try-out").start(task)));
    }
    var problems = new ArrayList<String>();
    var notices = new ArrayList<String>();
    var found = new LinkedHashMap<String, Map<String, FoundTable>>();
    for (CompletableFuture<Told> each : asked) {
      Told told = each.join();
      if (!told.problem.isEmpty()) {
        (required.contains(told.source) ? problems : notices).add(told.problem);
      } else if (!told.gap.isEmpty()) {
        notices.add(told.gap);
      } else {
        found.put(told.source, told.tables);
      }
    }
    checks.judge(found, problems, notices);
    return new Findings(problems, notices);
  }

  private Told told(String source, Set<String> tables, Asker.Opener opener) {
    String name = "data source " + database.name() + "." + source;
    DataSourceDefinition definition =
        Objects.requireNonNull(database.dataSources().get(source), source);
    try (Asker asker = opener.open(ANSWER_MILLISECONDS)) {
      asker.ask("SELECT 1");
      if (tables.isEmpty() || definition.schema().isEmpty()) {
        return new Told(source, Map.of(), "", "");
      }
      return columns(source, name, tables, asker);
    } catch (AskException down) {
      return new Told(source, Map.of(), name + " cannot be used: " + down.getMessage(), "");
    }
  }

  private static Told columns(String source, String name, Set<String> tables, Asker asker) {
    String names = TableNames.literals(tables);
    try {
      return new Told(source, FoundTable.of(asker.ask(COLUMNS + names + ")")), "", "");
    } catch (AskException unknown) {
      return new Told(
          source, Map.of(), "", name + " does not tell its tables: " + unknown.getMessage());
    }
  }
}
