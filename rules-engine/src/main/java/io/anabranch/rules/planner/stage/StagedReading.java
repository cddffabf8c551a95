package io.anabranch.rules.planner.stage;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.planner.scatter.LegSql;
import io.anabranch.rules.resolve.Placement;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the queries that read the rows of a reference: its needed columns, under the conditions
 * that may be asked there, from the table under the alias that the conditions use.
 */
final class StagedReading {

  private final PlanTask task;
  private final ShardedNames names;
  private final Placement placement;
  private final int shardedReferences;
  private final SourceEdits edits;

  StagedReading(
      PlanTask task,
      ShardedNames names,
      Placement placement,
      int shardedReferences,
      StageText text) {
    this.task = task;
    this.names = names;
    this.placement = placement;
    this.shardedReferences = shardedReferences;
    this.edits = text.edits();
  }

  /**
   * @param number among the sharded references; -1 if it is none of them
   * @param keys a condition on the reference's keys, asked first; empty: none
   * @param locks FOR UPDATE and the like
   */
  StagedSelect of(
      StagedReference reference,
      int number,
      List<Column> columns,
      List<StagedCells> cells,
      byte[] keys,
      List<Span> conditions,
      Span locks) {
    String alias = TableNames.quoted(reference.ref().alias());
    var list = new StringBuilder("SELECT ");
    for (int i = 0; i < columns.size(); i++) {
      String column = alias + "." + TableNames.quoted(columns.get(i).name());
      list.append(i == 0 ? "" : ", ").append(cells.get(i).select(column));
    }
    var pieces = new ArrayList<Piece>();
    boolean isLocked = number >= 0 && !task.scope().locks().isEmpty();
    // what is locked has no alias
    pieces.add(edits.text(list + (isLocked ? " FROM (SELECT * FROM " : " FROM ")));
    pieces.add(
        number >= 0 ? new Piece.Table(number) : edits.text(TableNames.quoted(stored(reference))));
    pieces.add(edits.text((isLocked ? ") AS " : " AS ") + alias));
    String word = " WHERE (";
    if (keys.length > 0) {
      pieces.add(edits.text(word));
      pieces.add(new Piece.Text(keys));
      pieces.add(edits.text(")"));
      word = " AND (";
    }
    for (Span condition : conditions) {
      pieces.add(edits.text(word));
      pieces.addAll(edits.copyTokens(condition.first(), condition.behind()));
      pieces.add(edits.text(")"));
      word = " AND (";
    }
    var tail = new ArrayList<Piece>();
    if (!locks.isEmpty()) {
      tail.add(edits.text(" "));
      tail.addAll(edits.copyTokens(locks.first(), locks.behind()));
    }
    if (number >= 0) {
      return new StagedSelect(number, legs(number, pieces, tail), "", List.of(), names);
    }
    pieces.addAll(tail);
    String dataSource = reference.table() instanceof PlacedTable.Single one ? one.dataSource() : "";
    return new StagedSelect(-1, null, dataSource, pieces, names);
  }

  private LegSql legs(int number, List<Piece> leg, List<Piece> tail) {
    int most = task.mostLegs();
    return new LegSql(
        placement.layout(number),
        names,
        shardedReferences,
        placement.split(leg, number),
        "",
        "",
        tail,
        tail.isEmpty() ? most : 1,
        null,
        edits.source().charset());
  }

  private static String stored(StagedReference reference) {
    return reference.schema().name();
  }
}
