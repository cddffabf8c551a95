package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.sql.StatementFacts;
import java.util.List;

/**
 * What is known of a statement once it is parsed and its tables are found.
 *
 * @param edits the source with names replaced
 * @param tables of all blocks, in the order of {@code facts}
 * @param sharded those of them that are sharded, in the same order: numbers of {@link Piece.Table}
 * @param namedSlots slots whose literals are in the names of select items
 */
record Analysis(
    PlanTask task,
    SourceEdits edits,
    StatementFacts facts,
    List<PlacedTable> tables,
    List<PlacedTable.Sharded> sharded,
    int[] namedSlots) {

  SourceText source() {
    return edits.source();
  }

  /** Tables of one query block, in their order. */
  List<PlacedTable> tablesOf(int block) {
    int from = firstOf(block);
    return tables.subList(from, firstOf(block + 1));
  }

  /** The first table of this block or one behind it: tables stand in the order of their blocks. */
  private int firstOf(int block) {
    int low = 0;
    int high = tables.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (tables.get(middle).ref().block() < block) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
