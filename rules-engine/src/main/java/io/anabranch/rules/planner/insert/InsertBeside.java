package io.anabranch.rules.planner.insert;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.placement.CheckedKeys;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.Auditing;
import io.anabranch.rules.resolve.Colocation;
import io.anabranch.rules.resolve.PlacedStatement;
import io.anabranch.rules.resolve.ViewSplitter;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.routing.key.BlockColumns;
import io.anabranch.rules.routing.key.ColumnKey;
import io.anabranch.rules.routing.key.Equalities;
import io.anabranch.rules.sql.ColumnName;
import io.anabranch.rules.sql.QueryBlock;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.sql.SelectItem;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An INSERT or REPLACE … SELECT whose rows stay on their nodes: the query gives each row's sharding
 * columns to the table as they are, and that table is sharded like the one that they come from.
 * Each node then runs the statement over its own tables. Used once.
 */
final class InsertBeside {

  private final PlanTask task;
  private final SourceText source;
  private final InsertSyntax syntax;
  private final ShardedTable target;
  private final Substatement query;
  private final Analysis analysis;

  /**
   * @param analysis of the query
   */
  InsertBeside(
      PlanTask task,
      SourceText source,
      InsertSyntax syntax,
      ShardedTable target,
      Substatement query,
      Analysis analysis) {
    this.task = task;
    this.source = source;
    this.syntax = syntax;
    this.target = target;
    this.query = query;
    this.analysis = analysis;
  }

  /** Null if rows may belong elsewhere, or are not the nodes' own. */
  @Nullable StatementPlan plan() {
    PlacedTable.Sharded leader = ViewSplitter.leader(analysis);
    boolean simple =
        leader != null
            && analysis.sharded().stream().allMatch(table -> table.view() == null)
            && task.scope().locks().isEmpty()
            && !syntax.returns()
            && !updatesKeysOrItself();
    if (leader == null || !simple) {
      return null;
    }
    Optional<TableSchema> into = task.catalog().table(target.nodes());
    Optional<TableSchema> from = task.catalog().table(leader.table().nodes());
    if (into.isEmpty()
        || from.isEmpty()
        || CheckedKeys.of(task, target, into.get(), true) != null) {
      return null;
    }
    Map<String, String> given = given(leader, into.get(), from.get());
    boolean stays =
        Colocation.isProven(leader.table(), target, (left, right) -> left.equals(given.get(right)));
    if (!stays
        || mayMakeKeys(given, into.get(), from.get())
        || !fit(given, into.get(), from.get())) {
      return null;
    }
    return plan(analysis.sharded().indexOf(leader));
  }

  /**
   * ON DUPLICATE KEY UPDATE of sharding columns and insert ids, and where it is not plain which
   * table it names.
   */
  private boolean updatesKeysOrItself() {
    var updates = new DuplicateUpdates(source.tokens(), syntax, target, Map.of());
    boolean found = updates.together() != null;
    for (InsertSyntax.Assignment update : syntax.updates()) {
      found |= RowPlacement.columns(target).contains(update.column().toLowerCase(Locale.ROOT));
    }
    for (PlacedTable table : analysis.tables()) {
      found |=
          !syntax.updates().isEmpty()
              && table.ref().alias().equalsIgnoreCase(syntax.table().name());
    }
    return found;
  }

  /** Lower-case columns of the target to those of the leader that they get, unchanged. */
  private Map<String, String> given(
      PlacedTable.Sharded leader, TableSchema into, TableSchema from) {
    List<String> columns =
        syntax.columnsEnd() >= 0
            ? syntax.columns()
            : into.columns().stream().filter(c -> !c.hidden()).map(Column::name).toList();
    List<ColumnName> items = items(leader, from);
    var given = new HashMap<String, String>();
    if (items.size() != columns.size()) {
      return given;
    }
    QueryBlock block = analysis.facts().blocks().getFirst();
    var tables = analysis.tablesOf(0);
    var resolver = new BlockColumns(block, tables.stream().map(PlacedTable::columns).toList());
    var equalities = new Equalities(block, resolver);
    int position = tables.indexOf(leader);
    for (int i = 0; i < items.size(); i++) {
      ColumnKey item = items.get(i).column().isEmpty() ? null : resolver.resolve(items.get(i));
      for (Column column : from.columns()) {
        var own = new ColumnKey(position, column.name().toLowerCase(Locale.ROOT));
        if (own.equals(item) || (item != null && equalities.tied(own, item))) {
          given.put(columns.get(i).toLowerCase(Locale.ROOT), own.column());
          break;
        }
      }
    }
    return given;
  }

  /** One per column of the result, nameless where it is no plain column. */
  private List<ColumnName> items(PlacedTable.Sharded leader, TableSchema from) {
    var names = new ArrayList<ColumnName>();
    SelectFacts select = analysis.facts().select();
    boolean alone = analysis.tablesOf(0).size() == 1;
    for (SelectItem item : select == null ? List.<SelectItem>of() : select.items()) {
      switch (item) {
        case SelectItem.Column column -> names.add(column.column());
        case SelectItem.Star ignored when alone -> {
          for (Column column : from.columns()) {
            if (!column.hidden()) {
              names.add(new ColumnName(leader.ref().alias(), column.name()));
            }
          }
        }
        case SelectItem.Star ignored -> {
          return List.of();
        }
        case SelectItem.Aggregate ignored -> names.add(new ColumnName(null, ""));
        case SelectItem.Expression ignored -> names.add(new ColumnName(null, ""));
        case SelectItem.Literal ignored -> names.add(new ColumnName(null, ""));
      }
    }
    return names;
  }

  /** Whether a key of a row may have to be made, by us or by its node alone. */
  private boolean mayMakeKeys(Map<String, String> given, TableSchema into, TableSchema from) {
    ShardedTable.KeyGeneration generation = target.keyGeneration();
    for (Column column : into.columns()) {
      String name = column.name().toLowerCase(Locale.ROOT);
      boolean generated = generation != null && generation.column().equalsIgnoreCase(column.name());
      if (column.autoIncrement() || (generated && mayBeNull(given.get(name), from))) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayBeNull(@Nullable String column, TableSchema from) {
    Column found = column == null ? null : find(from, column);
    return found == null || found.nullable();
  }

  /**
   * Whether the values of sharding columns are stored as they were: nothing is cut or converted.
   */
  private boolean fit(Map<String, String> given, TableSchema into, TableSchema from) {
    boolean fit = true;
    for (String name : RowPlacement.columns(target)) {
      String origin = given.get(name);
      Column to = find(into, name);
      Column own = origin == null ? null : find(from, origin);
      fit &=
          to != null
              && own != null
              && to.type().equals(own.type())
              && Objects.equals(to.collation(), own.collation());
    }
    return fit;
  }

  private static @Nullable Column find(TableSchema schema, String name) {
    for (Column column : schema.columns()) {
      if (column.name().equalsIgnoreCase(name)) {
        return column;
      }
    }
    return null;
  }

  private StatementPlan plan(int leader) {
    PlacedStatement placed = PlacedStatement.of(analysis);
    Auditing.check(analysis, placed.placement());
    var rewriting = new TableRewriting(source, task.database().name(), List.of(syntax.table()));
    SqlTokens tokens = source.tokens();
    SqlTemplate head = rewriting.template(0, syntax.body());
    SqlTemplate tail = rewriting.template(syntax.tail(), tokens.size());
    var around = new ArrayList<InsertBesidePlan.Text>();
    for (DataNode node : target.nodes()) {
      List<String> name = List.of(node.table());
      around.add(
          new InsertBesidePlan.Text(
              head.aimedAt(node.dataSource(), name), tail.aimedAt(node.dataSource(), name)));
    }
    var logical = new HashMap<>(placed.mapping().tables());
    target.nodes().forEach(node -> logical.put(node.table(), target.name()));
    return new InsertBesidePlan(
        task.scan().kind(),
        new NameMapping(task.database().name(), logical),
        query,
        placed.placement(),
        placed.single(),
        leader,
        around);
  }
}
