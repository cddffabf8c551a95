package io.anabranch.rules.sql;

import org.jspecify.annotations.Nullable;

/** What stands between two commas of a select list, an ORDER BY or a GROUP BY. */
public sealed interface SelectItem {

  /** Whether it is, or contains, an aggregate function. */
  default boolean hasAggregates() {
    return this instanceof Aggregate
        || (this instanceof Expression expression && expression.aggregates());
  }

  /** {@code *} or {@code t.*}. */
  record Star(@Nullable String table) implements SelectItem {}

  record Column(ColumnName column) implements SelectItem {}

  /**
   * Nothing but one call of an aggregate function.
   *
   * @param function upper case
   * @param arguments 0 for {@code COUNT(*)}
   */
  record Aggregate(String function, boolean distinct, int arguments) implements SelectItem {}

  /**
   * @param aggregates whether it contains aggregate functions
   * @param subquery whether it contains a subquery
   */
  record Expression(boolean aggregates, boolean subquery) implements SelectItem {}

  /** A literal or parameter alone: a position where it orders or groups. */
  record Literal(Operand value) implements SelectItem {}
}
