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
   * @param key that the proxy made for the rows
   */
  record Single(ShardQuery query, GeneratedKey key) implements BoundPlan {
    public Single(ShardQuery query) {
      this(query, GeneratedKey.NONE);
    }
  }

  /**
   * Merge lane: {@code root} is walked on a virtual thread.
   *
   * @param key that the proxy made for the rows
   */
  record Merged(PlanNode root, GeneratedKey key) implements BoundPlan {
    public Merged(PlanNode root) {
      this(root, GeneratedKey.NONE);
    }
  }

  /**
   * The first key that the proxy made for the rows of an INSERT: the client's last insert id.
   *
   * @param first unsigned; 0: none was made
   * @param mayUpdate whether the one row may be found to be there, and be updated, instead
   * @param isNumbered whether databases tell the key of a row that is new, as they number its
   *     column
   */
  record GeneratedKey(long first, boolean mayUpdate, boolean isNumbered) {

    public static final GeneratedKey NONE = new GeneratedKey(0, false, false);

    /**
     * What the client's OK packet tells.
     *
     * @param affectedRows of the databases' answer; -1: rows came
     * @param insertId of the databases' answer, unsigned: they tell a key that a row was given, and
     *     that of a row that was updated
     */
    public long told(long affectedRows, long insertId) {
      if (first == 0 || affectedRows <= 0) {
        return insertId;
      }
      boolean isOther = (insertId == 0 && !isNumbered) ? affectedRows > 1 : insertId != first;
      boolean isUpdated = mayUpdate && isOther;
      return isUpdated ? insertId : first;
    }
  }
}
