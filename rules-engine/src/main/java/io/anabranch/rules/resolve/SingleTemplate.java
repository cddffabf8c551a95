package io.anabranch.rules.resolve;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.rewrite.SqlRendering;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The client's statement with names replaced, for one data source. */
public final class SingleTemplate {

  private static final int MOST_KEPT = 1024;

  private final List<Piece> pieces;
  private final List<Piece> split;
  private final ShardedNames names;
  private final int capacity;

  /** Queries by node, kept where the text depends on nothing else; empty otherwise. */
  private final AtomicReferenceArray<BoundPlan.Single> kept;

  public SingleTemplate(Analysis analysis, Placement placement, ShardedNames names) {
    int length = analysis.source().bytes().length;
    this.pieces = List.copyOf(analysis.edits().copy(0, length));
    this.split = List.copyOf(placement.split(pieces));
    this.names = names;
    this.capacity = length + 64;
    boolean keeps =
        placement.layouts().size() == 1
            && placement.layout(0).size() <= MOST_KEPT
            && !hasLiterals(analysis.source().tokens());
    this.kept = new AtomicReferenceArray<>(keeps ? placement.layout(0).size() : 0);
  }

  private static boolean hasLiterals(SqlTokens tokens) {
    return tokens
        .all()
        .has(token -> tokens.slot(token) >= 0 && tokens.kind(token) != TokenKind.MARKER);
  }

  public BoundPlan.Single bind(Targets.One target, SlotValues values) {
    boolean keeps = kept.length() > 0;
    BoundPlan.Single bound = keeps ? kept.get(target.nodes()[0]) : null;
    if (bound == null) {
      bound = new BoundPlan.Single(query(target.dataSource(), target.nodes(), values));
      if (keeps) {
        kept.set(target.nodes()[0], bound);
      }
    }
    return bound;
  }

  /** The same, one of several: lists of sharding keys without those of other nodes. */
  public ShardQuery part(String dataSource, int[] nodes, SlotValues values) {
    var rendering = new SqlRendering(values, names, capacity);
    rendering.append(split, nodes);
    return rendering.query(dataSource);
  }

  /** The statement for the node of each sharded table. */
  public ShardQuery query(String dataSource, int[] nodes, SlotValues values) {
    var rendering = new SqlRendering(values, names, capacity);
    rendering.append(pieces, nodes);
    return rendering.query(dataSource);
  }
}
