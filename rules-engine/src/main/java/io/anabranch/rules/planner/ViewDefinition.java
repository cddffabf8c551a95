package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.SqlBuffer;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.TextSlotValues;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * CREATE or ALTER VIEW over sharded tables: made in one data source over nodes that it has. Used
 * once.
 *
 * @param view how the statement names it
 * @param query token where its query starts
 * @param analysis of the query
 */
record ViewDefinition(
    PlanTask task, SourceText source, TableMention view, int query, Analysis analysis) {

  boolean isSharded() {
    return !analysis.sharded().isEmpty() || ViewExpansion.isNeeded(analysis);
  }

  StatementPlan plan() {
    String home = home();
    requireFreeElsewhere(home);
    var sql = new SqlBuffer(source.bytes().length + 64);
    var rewriting = new TableRewriting(source, task.database().name(), List.of(view));
    sql.append(rewriting.template(0, query).aimedAt(home, List.of(view.name())).constant().sql());
    sql.append((byte) ' ');
    appendQuery(sql, home);
    NameMapping names = QueryPlanner.mapping(analysis);
    return FixedPlan.of(
        task,
        StatementPlan.Access.WRITE,
        names,
        new BoundPlan.Single(ShardQuery.text(home, sql.toByteArray())));
  }

  private void appendQuery(SqlBuffer sql, String home) {
    SourceText text = analysis.source();
    var scope = task.scope();
    var mode = LexerMode.of(scope.charset(), scope.ansiQuotes(), scope.noBackslashEscapes());
    var values = new TextSlotValues().over(analysis.task().scan(), text.charset(), mode);
    for (Piece piece : analysis.edits().copy(0, text.bytes().length)) {
      switch (piece) {
        case Piece.Text part -> sql.append(part.bytes());
        case Piece.Slot slot -> values.appendTo(slot.slot(), sql);
        case Piece.Table table ->
            sql.append(text.encode(nameAt(analysis.sharded().get(table.table()), home)));
        case Piece.Keys _ -> throw new IllegalStateException("a list is split for legs only");
      }
    }
  }

  private static String nameAt(PlacedTable.Sharded sharded, String home) {
    if (sharded.view() != null) {
      return TableNames.quoted(sharded.ref().name());
    }
    for (DataNode node : sharded.table().nodes()) {
      if (node.dataSource().equals(home)) {
        return TableNames.quoted(node.table());
      }
    }
    throw new IllegalStateException("no node of " + sharded.table().name() + " in " + home);
  }

  /** A data source that has a part of all tables, the default one if it does. */
  private String home() {
    var endpoints = new ArrayList<String>();
    endpoints.add(new TableDirectory(task).defaultEndpoint());
    endpoints.addAll(task.database().endpoints());
    for (String endpoint : endpoints) {
      if (analysis.tables().stream().allMatch(table -> isAt(table, endpoint))) {
        return endpoint;
      }
    }
    throw ErrorCatalogue.NOT_SUPPORTED.refuse(
        "a view over tables that no data source has together",
        "write its query where it is needed");
  }

  private static boolean isAt(PlacedTable table, String endpoint) {
    return switch (table) {
      case PlacedTable.Sharded sharded when sharded.view() != null ->
          sharded.view().endpoint().equals(endpoint);
      case PlacedTable.Sharded sharded ->
          sharded.table().nodes().stream().anyMatch(node -> node.dataSource().equals(endpoint));
      case PlacedTable.View other -> other.endpoint().equals(endpoint);
      case PlacedTable.Single single -> single.dataSource().equals(endpoint);
      case PlacedTable.Broadcast ignored -> true;
      case PlacedTable.Catalogue ignored -> false;
    };
  }

  /** A name stands for one thing in all data sources. */
  void requireFreeElsewhere(String home) {
    String elsewhere =
        switch (new TableDirectory(task).find(view.qualifier(), view.name())) {
          case TablePlace.Single single when single.endpoint().equals(home) -> null;
          case TablePlace.Absent ignored -> null;
          case TablePlace.Single single -> single.name();
          case TablePlace.Sharded sharded -> sharded.table().name();
          case TablePlace.Broadcast broadcast -> broadcast.name();
        };
    refuse(elsewhere);
  }

  private static void refuse(@Nullable String existing) {
    if (existing != null) {
      throw ErrorCatalogue.TABLE_EXISTS.refuse(existing);
    }
  }
}
