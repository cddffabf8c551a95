package io.anabranch.rules.planner.query;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A query as one data source can take it: over the nodes of sharded tables that it has there. Its
 * rows are some of them, its columns are right.
 */
public record HomeQuery(Analysis analysis) {

  /**
   * A data source that has a part of all tables, the default one if it does.
   *
   * @param what is refused where there is none, and the way out
   */
  public String home(String what, String hint) {
    return home(new TableDirectory(analysis.task()).defaultEndpoint(), what, hint);
  }

  /** The same, preferably {@code usual}. */
  public String home(String usual, String what, String hint) {
    return find(usual)
        .orElseThrow(
            () ->
                ErrorCatalogue.NOT_SUPPORTED.refuse(
                    what + " over tables that no data source has together", hint));
  }

  /** The same; empty where there is none. */
  public Optional<String> find() {
    return find(new TableDirectory(analysis.task()).defaultEndpoint());
  }

  private Optional<String> find(String usual) {
    PlanTask task = analysis.task();
    var endpoints = new ArrayList<String>();
    endpoints.add(usual);
    endpoints.addAll(task.database().endpoints());
    List<String> homes =
        endpoints.stream()
            .filter(one -> analysis.tables().stream().allMatch(table -> isAt(table, one)))
            .toList();
    return homes.isEmpty() ? Optional.empty() : Optional.of(task.nearest(homes));
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

  /** The query's text from its start to a byte offset, for {@code home}. */
  public void appendTo(SqlBuffer sql, String home, int end) {
    SourceText text = analysis.source();
    var values = analysis.task().written();
    for (Piece piece : analysis.edits().copy(0, end)) {
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
}
