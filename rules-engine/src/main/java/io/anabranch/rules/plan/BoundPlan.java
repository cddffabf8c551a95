package io.anabranch.rules.plan;

/**
 * What one execution of a statement does, its values bound: the answer of {@link
 * StatementPlan#bind}.
 */
public sealed interface BoundPlan {

  /**
   * Relay lane, statement unchanged: the client's own packet goes to {@code dataSource}.
   *
   * @param dataSource name of the data source or read/write group
   */
  record AsIs(String dataSource) implements BoundPlan {}

  /**
   * Relay lane: {@code query} goes to its data source and the response to the client, nothing is
   * merged. Table names in column definitions are mapped back by {@link StatementPlan#names()}.
   */
  record Single(ShardQuery query) implements BoundPlan {}

  /** Merge lane: {@code root} is walked on a virtual thread. */
  record Merged(PlanNode root) implements BoundPlan {}
}
