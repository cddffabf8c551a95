package io.anabranch.app.differential;

import java.util.ArrayList;
import java.util.List;

/**
 * A statement in parts that can be left out.
 *
 * @param before WITH, or nothing
 * @param head SELECT, SELECT DISTINCT, or the whole statement where it has no parts
 * @param order its last items make the order total where {@code total} says so
 * @param after UNION … or FOR UPDATE
 * @param total whether rows come in one order only: they are compared in order
 */
record Query(
    String before,
    String head,
    List<String> items,
    String from,
    List<String> where,
    List<String> group,
    boolean rollup,
    List<String> having,
    List<String> order,
    String limit,
    String after,
    boolean total) {

  /** A statement that is not taken apart. */
  static Query whole(String sql) {
    return of(sql, false);
  }

  /** The same, whose rows come in one order only. */
  static Query of(String sql, boolean total) {
    return new Query(
        "", sql, List.of(), "", List.of(), List.of(), false, List.of(), List.of(), "", "", total);
  }

  /** Whether it changes nothing. */
  boolean isQuery() {
    return !items.isEmpty();
  }

  String sql() {
    var sql = new StringBuilder(before).append(head);
    if (!items.isEmpty()) {
      sql.append(' ').append(String.join(", ", items)).append(" FROM ").append(from);
    }
    clause(sql, " WHERE ", where, " AND ");
    clause(sql, " GROUP BY ", group, ", ");
    sql.append(rollup && !group.isEmpty() ? " WITH ROLLUP" : "");
    clause(sql, " HAVING ", having, " AND ");
    clause(sql, " ORDER BY ", order, ", ");
    return sql.append(limit).append(after).toString();
  }

  private static void clause(StringBuilder sql, String word, List<String> parts, String between) {
    if (!parts.isEmpty()) {
      sql.append(word).append(String.join(between, parts));
    }
  }

  /** Smaller statements, the much smaller ones first. */
  List<Query> smaller() {
    var smaller = new ArrayList<Query>();
    if (!after.isEmpty()) {
      smaller.add(with(items, where, group, rollup, having, order, limit, ""));
    }
    if (!limit.isEmpty()) {
      smaller.add(with(items, where, group, rollup, having, order, "", after));
    } else if (!order.isEmpty()) {
      smaller.add(
          new Query(
              before, head, items, from, where, group, rollup, having, List.of(), "", after,
              false));
    }
    if (rollup) {
      smaller.add(with(items, where, group, false, having, order, limit, after));
    }
    for (int i = 0; i < where.size(); i++) {
      smaller.add(with(items, without(where, i), group, rollup, having, order, limit, after));
    }
    for (int i = 0; i < having.size(); i++) {
      smaller.add(with(items, where, group, rollup, without(having, i), order, limit, after));
    }
    for (int i = 0; i < items.size() && items.size() > 1; i++) {
      smaller.add(with(without(items, i), where, group, rollup, having, order, limit, after));
    }
    return smaller;
  }

  private Query with(
      List<String> items,
      List<String> where,
      List<String> group,
      boolean rollup,
      List<String> having,
      List<String> order,
      String limit,
      String after) {
    return new Query(
        before, head, items, from, where, group, rollup, having, order, limit, after, total);
  }

  private static List<String> without(List<String> list, int i) {
    var rest = new ArrayList<>(list);
    rest.remove(i);
    return rest;
  }
}
