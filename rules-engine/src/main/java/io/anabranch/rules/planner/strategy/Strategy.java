package io.anabranch.rules.planner.strategy;

/**
 * A way to answer a query whose rows are on several nodes, such as to merge sorted streams. A query
 * has an ordered list of them, from the cheapest on: the first that takes it answers it. Used once.
 */
public interface Strategy {

  /** As {@code EXPLAIN ROUTE} tells it. */
  String name();

  /** Whether it answers tables that are nowhere together, too. */
  boolean bringsTogether();

  /**
   * What it makes of the query; asked at most once.
   *
   * @throws io.anabranch.rules.error.RefusedException if a data source cannot be asked what it
   *     needs to know, or no strategy can answer the statement
   * @throws io.anabranch.rules.catalog.SchemaCatalog.DescribeException if a database does not take
   *     the statement
   */
  Attempt attempt();
}
