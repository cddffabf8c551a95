package io.anabranch.rules.planner.stage;

import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.scatter.LegSql;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.rewrite.SqlRendering;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What reads the rows of one reference.
 *
 * @param sharded number among the statement's sharded table references; -1 if it is none of them
 * @param legs of a sharded table; null for others
 * @param dataSource of a single table; empty for sharded and broadcast ones
 * @param pieces the query over a table that is not sharded
 */
record StagedSelect(
    int sharded, @Nullable LegSql legs, String dataSource, List<Piece> pieces, ShardedNames names) {

  StagedSelect {
    pieces = List.copyOf(pieces);
  }

  boolean isBroadcast() {
    return legs == null && dataSource.isEmpty();
  }

  /**
   * @param nodes of a sharded table
   * @param anywhere where broadcast tables are read
   */
  List<ShardQuery> queries(BitSet nodes, String anywhere, SlotValues values) {
    if (legs != null) {
      return legs.queries(nodes, -1, values);
    }
    var rendering = new SqlRendering(values, names, 256);
    rendering.append(pieces, new int[0]);
    return List.of(rendering.query(dataSource.isEmpty() ? anywhere : dataSource));
  }
}
