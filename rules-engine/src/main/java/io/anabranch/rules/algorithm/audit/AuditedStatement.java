package io.anabranch.rules.algorithm.audit;

import java.util.List;

/**
 * What an auditor is told of a statement, for each audited table in it. Each SELECT of a UNION, of
 * a view and of an INSERT … SELECT is one of its own.
 *
 * @param kind what it does with the table
 * @param database logical name
 * @param table logical name, as configured
 * @param shardingColumns of the table, in lower case; none where all rows are on one node, or a
 *     hint says where they are
 * @param hasShardingCondition whether values of these columns, or of a table's that it is bound to,
 *     say on which nodes it runs; always true for rows that are written by their values
 * @param text as in digests: one way of setting blanks, {@code ?} for each literal and marker,
 *     {@code (...)} for lists of them
 */
public record AuditedStatement(
    Kind kind,
    String database,
    String table,
    List<String> shardingColumns,
    boolean hasShardingCondition,
    String text) {

  public AuditedStatement {
    shardingColumns = List.copyOf(shardingColumns);
  }

  /** What a statement does with a table. */
  public enum Kind {
    SELECT,
    INSERT,
    REPLACE,
    UPDATE,
    DELETE,
    LOAD_DATA
  }
}
