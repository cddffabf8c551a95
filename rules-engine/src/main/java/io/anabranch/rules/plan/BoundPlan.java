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
   *
   * @param generatedKey first key that the proxy made for the rows: the client's last insert id;
   *     unsigned, 0 if none was made
   */
  record Single(ShardQuery query, long generatedKey) implements BoundPlan {
    public Single(ShardQuery query) {
      this(query, 0);
    }
  }

  /**
   * Merge lane: {@code root} is walked on a virtual thread.
   *
   * @param generatedKey as in {@link Single}
   */
  record Merged(PlanNode root, long generatedKey) implements BoundPlan {
    public Merged(PlanNode root) {
      this(root, 0);
    }
  }
}
