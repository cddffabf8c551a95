package io.anabranch.rules.sql;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A column as a statement names it.
 *
 * @param table alias or table that qualifies it; null if nothing does
 * @param operands positions of the block's tables that it may mean, in ON those of the join; null:
 *     all
 */
public record ColumnName(@Nullable String table, String column, @Nullable BitSet operands) {

  /** One that may mean a column of all of the block's tables. */
  public ColumnName(@Nullable String table, String column) {
    this(table, column, null);
  }
}
