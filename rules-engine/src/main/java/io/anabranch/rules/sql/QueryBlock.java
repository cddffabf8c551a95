package io.anabranch.rules.sql;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * One SELECT with what it reads directly; subqueries are blocks of their own.
 *
 * @param number position in {@link StatementFacts#blocks}; 0 is the outermost or first one
 * @param parent number of the block whose columns it may name, too; -1: there is none
 * @param tables in the order of the text
 * @param hasDerivedTables whether a subquery, a CTE or a table function stands in its FROM
 * @param mergedColumns lower-case names that USING gives a column of one of those and another one:
 *     an unqualified name may mean either
 * @param mergesAll whether NATURAL may do so with any name
 * @param restrictions WHERE and ON
 * @param outerJoins in no particular order
 */
public record QueryBlock(
    int number,
    int parent,
    List<TableRef> tables,
    boolean hasDerivedTables,
    Set<String> mergedColumns,
    boolean mergesAll,
    List<Restriction> restrictions,
    List<OuterJoin> outerJoins) {

  /** Of a block that stands for itself. */
  public static final int NO_PARENT = -1;

  public QueryBlock {
    tables = List.copyOf(tables);
    mergedColumns = Set.copyOf(mergedColumns);
    restrictions = List.copyOf(restrictions);
    outerJoins = List.copyOf(outerJoins);
  }

  /** Whether a name without a table may mean a column of a derived table's. */
  public boolean merges(String column) {
    return mergesAll || mergedColumns.contains(column.toLowerCase(Locale.ROOT));
  }

  /**
   * A condition and the tables whose rows matter only where it holds.
   *
   * @param tables positions in {@link QueryBlock#tables}
   */
  public record Restriction(Condition condition, BitSet tables) {}

  /**
   * @param preserved positions of the tables whose rows stay without a partner
   * @param nullable positions of the others
   */
  public record OuterJoin(BitSet preserved, BitSet nullable) {}
}
