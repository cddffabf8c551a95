package io.anabranch.app.differential;

import java.util.ArrayList;
import java.util.List;

/**
 * A statement in parts that can be left out. Literals between {@link Draw#OPEN} and {@link
 * Draw#CLOSE} may be given as parameters.
 *
 * @param before WITH, or nothing
 * @param head SELECT, SELECT DISTINCT, or the whole statement where it has no parts
 * @param order its last items make the order total where {@code total} says so
 * @param after UNION … or FOR UPDATE
 * @param total whether rows come in one order only: they are compared in order
 * @param tied whether items belong to other parts: none is left out
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
    boolean total,
    boolean tied) {

  /** A statement that is not taken apart. */
  static Query whole(String sql) {
    return of(sql, false);
  }

  /** The same, whose rows come in one order only. */
  static Query of(String sql, boolean total) {
    return select(List.of(), "").headed(sql).ordered(List.of(), total);
  }

  /** A query of nothing else yet, whose rows come in any order. */
  static Query select(List<String> items, String from) {
    return new Query(
        "",
        "SELECT",
        List.copyOf(items),
        from,
        List.of(),
        List.of(),
        false,
        List.of(),
        List.of(),
        "",
        "",
        false,
        false);
  }

  Query headed(String changed) {
    return new Query(
        before, changed, items, from, where, group, rollup, having, order, limit, after, total,
        tied);
  }

  Query preceded(String changed) {
    return new Query(
        changed, head, items, from, where, group, rollup, having, order, limit, after, total, tied);
  }

  Query items(List<String> changed) {
    return new Query(
        before, head, changed, from, where, group, rollup, having, order, limit, after, total,
        tied);
  }

  Query where(List<String> changed) {
    return new Query(
        before, head, items, from, changed, group, rollup, having, order, limit, after, total,
        tied);
  }

  Query grouped(List<String> changed, boolean withRollup) {
    return new Query(
        before,
        head,
        items,
        from,
        where,
        changed,
        withRollup,
        having,
        order,
        limit,
        after,
        total,
        tied);
  }

  Query having(List<String> changed) {
    return new Query(
        before, head, items, from, where, group, rollup, changed, order, limit, after, total, tied);
  }

  /**
   * @param isTotal whether rows come in one order only
   */
  Query ordered(List<String> changed, boolean isTotal) {
    return new Query(
        before,
        head,
        items,
        from,
        where,
        group,
        rollup,
        having,
        List.copyOf(changed),
        limit,
        after,
        isTotal,
        tied);
  }

  Query limited(String changed) {
    return new Query(
        before, head, items, from, where, group, rollup, having, order, changed, after, total,
        tied);
  }

  Query followedBy(String changed) {
    return new Query(
        before, head, items, from, where, group, rollup, having, order, limit, changed, total,
        tied);
  }

  /** The same, none of whose items can be left out. */
  Query whole() {
    return new Query(
        before, head, items, from, where, group, rollup, having, order, limit, after, total, true);
  }

  /** Whether it changes nothing. */
  boolean isQuery() {
    return !items.isEmpty();
  }

  /** As a text statement. */
  String sql() {
    return text().replace(String.valueOf(Draw.OPEN), "").replace(String.valueOf(Draw.CLOSE), "");
  }

  /** With the marks of what may be parameters. */
  String text() {
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
      smaller.add(followedBy(""));
    }
    if (!limit.isEmpty()) {
      smaller.add(limited(""));
    } else if (!order.isEmpty()) {
      smaller.add(ordered(List.of(), false));
    }
    if (rollup) {
      smaller.add(grouped(group, false));
    }
    for (int i = 0; i < where.size(); i++) {
      smaller.add(where(without(where, i)));
    }
    for (int i = 0; i < having.size(); i++) {
      smaller.add(having(without(having, i)));
    }
    for (int i = 0; i < items.size() && items.size() > 1 && !tied; i++) {
      smaller.add(items(without(items, i)));
    }
    return smaller;
  }

  private static List<String> without(List<String> list, int i) {
    var rest = new ArrayList<>(list);
    rest.remove(i);
    return rest;
  }
}
