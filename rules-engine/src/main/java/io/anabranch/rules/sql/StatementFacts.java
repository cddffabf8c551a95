package io.anabranch.rules.sql;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a query, UPDATE or DELETE reads and writes.
 *
 * @param blocks all query blocks, nested ones included
 * @param columnQualifierTokens tokens of database names in front of column references: they are
 *     dropped when the statement is rewritten
 * @param tableQualifiers tokens of known table names that qualify columns, to nothing: alias rules
 *     keep them valid
 * @param select the outermost SELECT; null for set operations, CTEs and writes
 * @param setColumns columns that UPDATE sets, with their values; empty otherwise
 * @param windows whether a window function is used anywhere
 * @param writesTables how many tables an UPDATE or DELETE may change; 0 for queries
 * @param limited whether an UPDATE or DELETE has ORDER BY or LIMIT
 */
public record StatementFacts(
    List<QueryBlock> blocks,
    List<Integer> columnQualifierTokens,
    List<Integer> tableQualifiers,
    @Nullable SelectFacts select,
    Map<ColumnName, Operand> setColumns,
    boolean windows,
    int writesTables,
    boolean limited) {

  public StatementFacts {
    blocks = List.copyOf(blocks);
    columnQualifierTokens = List.copyOf(columnQualifierTokens);
    tableQualifiers = List.copyOf(tableQualifiers);
    setColumns = Map.copyOf(setColumns);
  }
}
