package io.anabranch.rules.sql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outermost SELECT, where it is a plain one: no set operation, no CTE.
 *
 * @param aliases one per item; null where there is none
 * @param having in conjunctions; empty if there is no HAVING
 * @param limit null: no LIMIT
 */
public record SelectFacts(
    List<SelectItem> items,
    List<@Nullable String> aliases,
    boolean distinct,
    List<SelectItem> groupBy,
    boolean rollup,
    List<HavingTerm> having,
    List<OrderItem> orderBy,
    @Nullable LimitFacts limit,
    boolean calculatesFoundRows) {

  public SelectFacts {
    items = List.copyOf(items);
    aliases = Collections.unmodifiableList(new ArrayList<>(aliases));
    groupBy = List.copyOf(groupBy);
    having = List.copyOf(having);
    orderBy = List.copyOf(orderBy);
  }

  /** Whether rows are put together to groups: those of GROUP BY, or one by aggregate functions. */
  public boolean isGrouped() {
    return !groupBy.isEmpty()
        || items.stream().anyMatch(SelectItem::hasAggregates)
        || orderBy.stream().anyMatch(order -> order.item().hasAggregates())
        || having.stream().anyMatch(HavingTerm::hasAggregates);
  }

  public record OrderItem(SelectItem item, boolean descending) {}

  /**
   * @param offset null: from the first row
   */
  public record LimitFacts(Operand count, @Nullable Operand offset) {}

  /** One part of a HAVING that is a conjunction. */
  public sealed interface HavingTerm {

    boolean hasAggregates();

    /**
     * @param operator as {@code PlanNode.Comparison.Operator} names it
     * @param text how the compared expression is written, in Druid's normal form
     */
    record Compare(SelectItem item, String text, String operator, Operand value)
        implements HavingTerm {

      @Override
      public boolean hasAggregates() {
        return item.hasAggregates();
      }
    }

    /** Another one. */
    record Opaque(boolean hasAggregates) implements HavingTerm {}
  }
}
