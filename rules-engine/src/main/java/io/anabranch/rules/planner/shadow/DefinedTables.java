package io.anabranch.rules.planner.shadow;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.syntax.CreateQuery;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.PlanTask;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The tables that a definition makes, changes, drops or renames; none where it is of a view, a
 * program or a temporary table. May block on the catalogue.
 */
final class DefinedTables {

  private final PlanTask task;
  private final LogicalDatabase database;
  private final List<TableMention> tables;
  private final List<TableMention> renamed;

  /**
   * @throws io.anabranch.rules.error.RefusedException 1064
   */
  DefinedTables(PlanTask task) {
    this.task = task;
    this.database = task.database();
    SqlTokens tokens = task.source().tokens();
    boolean isTemporary = tokens.isWord(1, "TEMPORARY") || tokens.isWord(3, "TEMPORARY");
    DdlSyntax syntax = DdlSyntax.read(task.source());
    this.tables = isTemporary ? List.of() : syntax.tables();
    this.renamed = isTemporary ? List.of() : syntax.renamed();
    List<TableMention> together = isTemporary ? syntax.joined() : syntax.together();
    if (together.stream().anyMatch(this::isShadowed)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a table with a shadow that gets rows of another table, or gives it some,",
          "use INSERT … SELECT");
    }
    if (areShadowed() && CreateQuery.of(tokens, syntax) != null) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "CREATE TABLE … SELECT of a table with a shadow",
          "create the table first, and INSERT … SELECT then");
    }
  }

  /** Whether one of them has a shadow. */
  boolean areShadowed() {
    return Stream.concat(tables.stream(), renamed.stream()).anyMatch(this::isShadowed);
  }

  private boolean isShadowed(TableMention table) {
    String qualifier = table.qualifier();
    boolean isOwn = qualifier == null || qualifier.equalsIgnoreCase(database.name());
    return isOwn && database.shadow().tables().containsKey(key(table));
  }

  /**
   * Those that are on production and on its shadows, but for sharded ones, by lower-case name, with
   * their nodes on production: tables with shadows, and what becomes of them.
   *
   * @throws io.anabranch.rules.error.RefusedException if a table is where there is no shadow
   */
  Map<String, ShardedTable> placed() {
    var placed = new HashMap<String, ShardedTable>();
    for (int i = 0; i < tables.size(); i++) {
      TableMention table = tables.get(i);
      // of several new names in an ALTER TABLE the last one counts
      TableMention other =
          renamed.isEmpty() ? table : renamed.get(tables.size() == 1 ? renamed.size() - 1 : i);
      boolean isDue = isShadowed(table) || isShadowed(other) || placed.containsKey(key(table));
      if (isDue && !database.shardedTables().containsKey(key(table))) {
        ShardedTable known = placed.get(key(table));
        ShardedTable here = known == null ? onProduction(table) : known;
        placed.put(key(table), here);
        placed.putIfAbsent(key(other), at(other.name(), sources(here)));
      }
    }
    return placed;
  }

  private ShardedTable onProduction(TableMention table) {
    List<String> sources = home(table);
    for (String source : sources) {
      if (!database.shadow().has(source)) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "table '" + table.name() + "' on data source '" + source + "', which has no shadow",
            "give it one in !SHADOW, or take the table out of that rule");
      }
    }
    return at(table.name(), sources);
  }

  private List<String> home(TableMention table) {
    boolean isEverywhere = database.broadcastTables().containsKey(key(table));
    if (isEverywhere || database.endpoints().size() == 1) {
      return database.endpoints();
    }
    return switch (new TableDirectory(task).find(table.qualifier(), table.name())) {
      case TablePlace.Single single -> List.of(single.endpoint());
      case TablePlace.Absent absent -> List.of(absent.endpoint());
      case TablePlace.Broadcast _, TablePlace.Sharded _ ->
          throw new IllegalStateException("no single table: " + table);
    };
  }

  private static List<String> sources(ShardedTable table) {
    return table.nodes().stream().map(DataNode::dataSource).toList();
  }

  private static ShardedTable at(String name, List<String> sources) {
    return new ShardedTable(
        name,
        sources.stream().map(source -> new DataNode(source, name)).toList(),
        ShardingStrategy.None.NONE,
        ShardingStrategy.None.NONE,
        null,
        -1);
  }

  private static String key(TableMention table) {
    return table.name().toLowerCase(Locale.ROOT);
  }
}
