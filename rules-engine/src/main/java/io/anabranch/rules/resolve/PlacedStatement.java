package io.anabranch.rules.resolve;

import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.rewrite.ShardedNames;

/**
 * A statement whose tables are found and placed: what each way to answer it starts from.
 *
 * @param names actual names of its sharded tables, node by node
 * @param mapping those names to logical ones
 * @param single its text for one node
 */
public record PlacedStatement(
    Analysis analysis,
    Placement placement,
    ShardedNames names,
    NameMapping mapping,
    SingleTemplate single) {

  public static PlacedStatement of(Analysis analysis) {
    Placement placement = Placement.of(analysis);
    ShardedNames names = analysis.names(placement.layouts());
    var single = new SingleTemplate(analysis, placement, names);
    return new PlacedStatement(analysis, placement, names, analysis.mapping(), single);
  }

  /** The client's text on a node of the first table, and on the first of all others. */
  public ShardQuery onFirst() {
    return single.query(
        placement.layout(0).node(0).dataSource(),
        new int[analysis.sharded().size()],
        analysis.task().written());
  }
}
