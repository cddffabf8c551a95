package io.anabranch.rules.guard;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.SchemaCatalog.DescribeException;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.function.Trait;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.need.NeededRights;
import io.anabranch.rules.need.TableEngines;
import io.anabranch.rules.need.TableUse;
import io.anabranch.rules.plan.PlanRules.Keeping;
import io.anabranch.rules.right.Need;
import io.anabranch.rules.right.Privilege;
import io.anabranch.rules.syntax.PlainReads;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.PlanTask;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether others may get a statement's answer, and whose answers it may put out of date. What is
 * not known to be a repeatable read of tables is none, and what is not known to change some tables
 * alone may have changed any: programs, views, triggers and references write where no text says so.
 */
final class StatementKeeping {

  /** Tables to which servers write what statements on others say. */
  private static final String WRITING =
      "SELECT EVENT_OBJECT_TABLE FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE()"
          + " UNION "
          + SchemaCatalog.FOLLOWED;

  /**
   * What can be read like tables and may change without a statement that names it: MariaDB's
   * sequences, and tables of engines that show others' rows.
   */
  private static final String UNUSUAL =
      """
      SELECT TABLE_NAME, ENGINE, TABLE_TYPE FROM information_schema.TABLES
      WHERE TABLE_SCHEMA = DATABASE() AND (ENGINE <> 'InnoDB' OR TABLE_TYPE = 'SEQUENCE')\
      """;

  private static final int DEEPEST_VIEW = 8;

  private final PlanTask task;
  private final LogicalDatabase database;
  private final SqlTokens tokens;

  private StatementKeeping(PlanTask task) {
    this.task = task;
    this.database = task.database();
    this.tokens = task.source().tokens();
  }

  /** Blocks: asks data sources what their tables are. */
  static Keeping of(PlanTask task) {
    var statement = new StatementKeeping(task);
    try {
      return statement.keeping(task.scan().kind());
    } catch (RefusedException | DescribeException unknown) {
      return new Keeping.ChangeOfAny();
    }
  }

  private Keeping keeping(StatementKind kind) {
    return switch (kind) {
      case SELECT -> query(kind);
      case QUERY_EXPRESSION -> runsPrograms(kind) ? any() : nothing();
      // ANALYZE runs what it is about
      case DESCRIBE -> tokens.mention("ANALYZE") || runsPrograms(kind) ? any() : nothing();
      // nobody looks at the statement behind SET STATEMENT
      case SET -> tokens.isWord(1, "STATEMENT") || runsPrograms(kind) ? any() : nothing();
      case SHOW, HANDLER -> mayCall(tokens) ? any() : nothing();
      case INSERT, REPLACE, UPDATE, DELETE -> change(kind);
      case FLUSH,
          USE,
          COMMIT,
          ROLLBACK,
          SAVEPOINT,
          LOCK_TABLES,
          UNLOCK_TABLES,
          KILL,
          EXPLAIN_ROUTE,
          EMPTY ->
          nothing();
      case CREATE,
          ALTER,
          DROP,
          RENAME,
          TRUNCATE,
          CALL,
          DO,
          LOAD_DATA,
          TABLE_MAINTENANCE,
          BEGIN,
          XA,
          PREPARE,
          EXECUTE,
          DEALLOCATE,
          ALTER_GROUP,
          ACCOUNT,
          OTHER ->
          any();
    };
  }

  private static Keeping nothing() {
    return new Keeping.Nothing();
  }

  private static Keeping any() {
    return new Keeping.ChangeOfAny();
  }

  // ---------------------------------------------------------------- reads

  private Keeping query(StatementKind kind) {
    Set<String> names = PlainReads.areRepeatable(tokens) ? tablesOnly(kind) : Set.of();
    if (!names.isEmpty()) {
      return new Keeping.Answer(names);
    }
    return runsPrograms(kind) ? any() : nothing();
  }

  /** Empty if something else than tables is read, too. */
  private Set<String> tablesOnly(StatementKind kind) {
    var names = new HashSet<String>();
    var uses = NeededRights.tables(kind, tokens);
    for (TableUse use : uses) {
      String name = use.name().toLowerCase(Locale.ROOT);
      if (!isTable(use.schema(), use.name()) || isPartOfAnother(name)) {
        return Set.of();
      }
      names.add(name);
    }
    return areUnusual(names) ? Set.of() : names;
  }

  private boolean runsPrograms(StatementKind kind) {
    if (mayCall(tokens)) {
      return true;
    }
    var needs = NeededRights.of(kind, tokens);
    for (Need need : needs) {
      if (need instanceof Need.OnTable on && viewRunsPrograms(on.schema(), on.table(), 0)) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayCall(SqlTokens text) {
    return FunctionUses.any(text, function -> function.traits().contains(Trait.UNKNOWN));
  }

  private boolean viewRunsPrograms(@Nullable String schema, String name, int depth) {
    if (schema != null && !isOwn(schema)) {
      return !LogicalDatabase.isSystemSchema(schema);
    }
    boolean isPart =
        depth > 0 && new TableDirectory(task).actualNames().contains(name.toLowerCase(Locale.ROOT));
    String view = isPart ? null : table(name).map(TableSchema::view).orElse(null);
    if (view == null) {
      return false;
    }
    if (view.isEmpty() || depth == DEEPEST_VIEW) {
      return true;
    }
    SqlTokens text = SqlTokens.of(view);
    if (mayCall(text)) {
      return true;
    }
    for (Need need : NeededRights.of(StatementKind.SELECT, text)) {
      if (need instanceof Need.OnTable on && viewRunsPrograms(null, on.table(), depth + 1)) {
        return true;
      }
    }
    return false;
  }

  // ---------------------------------------------------------------- changes

  private Keeping change(StatementKind kind) {
    if (runsPrograms(kind)) {
      return any();
    }
    var names = new HashSet<String>();
    var needs = NeededRights.of(kind, tokens);
    for (Need need : needs) {
      boolean isRead =
          need instanceof Need.Locked
              || (need instanceof Need.OnTable on && on.privilege() == Privilege.SELECT);
      if (!isRead) {
        if (!(need instanceof Need.OnTable on) || !isTable(on.schema(), on.table())) {
          return any();
        }
        names.add(on.table().toLowerCase(Locale.ROOT));
      }
    }
    boolean isOfOthers =
        names.stream().anyMatch(this::isPartOfAnother)
            || writeElsewhere(names)
            || areUnusual(names);
    return names.isEmpty() || isOfOthers ? any() : new Keeping.Change(names);
  }

  /** Whether some database knows the table as a part of one with another name. */
  private boolean isPartOfAnother(String name) {
    for (LogicalDatabase each : task.rules().databases().values()) {
      for (ShardedTable table : each.shardedTables().values()) {
        if (!table.name().equalsIgnoreCase(name)
            && table.nodes().stream().anyMatch(node -> node.table().equalsIgnoreCase(name))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a change of them may be one of another table, by triggers or references. */
  private boolean writeElsewhere(Set<String> names) {
    return areAmong(names, WRITING, _ -> true);
  }

  /** Whether one of them may show the rows of others. */
  private boolean areUnusual(Set<String> names) {
    return areAmong(
        names,
        UNUSUAL,
        row -> {
          String engine = row.get(1);
          return engine == null
              || !TableEngines.keepsOwnRows(engine)
              || "SEQUENCE".equals(row.get(2));
        });
  }

  /** Also where a data source does not answer: nobody waits for it. */
  private boolean areAmong(
      Set<String> names, String sql, Predicate<List<@Nullable String>> wanted) {
    for (String endpoint : database.endpoints()) {
      if (!task.catalog().isReachable(endpoint)) {
        return true;
      }
      for (List<@Nullable String> row : task.catalog().definitions(endpoint, sql)) {
        String actual = row.getFirst();
        boolean isOne = actual == null || names.stream().anyMatch(name -> isPartOf(actual, name));
        if (isOne && wanted.test(row)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isPartOf(String actual, String logical) {
    ShardedTable sharded = database.shardedTables().get(logical);
    return actual.equalsIgnoreCase(logical)
        || (sharded != null
            && sharded.nodes().stream().anyMatch(node -> node.table().equalsIgnoreCase(actual)));
  }

  // ---------------------------------------------------------------- tables

  private boolean isOwn(String schema) {
    return schema.equalsIgnoreCase(database.name());
  }

  /** A table whose rows change by statements alone that name it. */
  private boolean isTable(@Nullable String schema, String name) {
    boolean isKnown =
        (schema == null || isOwn(schema)) && task.scope().temporaries().find(name) == null;
    TableSchema table = isKnown ? table(name).orElse(null) : null;
    return table != null && table.view() == null;
  }

  private Optional<TableSchema> table(String name) {
    if (database.isPassThrough()) {
      return task.catalog().table(database.endpoints().getFirst(), name);
    }
    return switch (new TableDirectory(task).find(null, name)) {
      case TablePlace.Sharded sharded -> task.catalog().table(sharded.table().nodes());
      case TablePlace.Broadcast(String broadcast) ->
          task.catalog().table(database.endpoints().getFirst(), broadcast);
      case TablePlace.Single single -> task.catalog().table(single.endpoint(), single.name());
      case TablePlace.Absent _ -> Optional.empty();
    };
  }
}
