package io.anabranch.rules.routing.key;

import io.anabranch.rules.sql.ColumnName;
import io.anabranch.rules.sql.QueryBlock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which table of a query block a column name means. */
public final class BlockColumns {

  private final QueryBlock block;
  private final List<Map<String, KeyType>> types;

  /**
   * @param types one per table of the block, in their order: lower-case column to its type
   */
  public BlockColumns(QueryBlock block, List<Map<String, KeyType>> types) {
    this.block = block;
    this.types = List.copyOf(types);
  }

  /**
   * Null where no table, or more than one, has such a column, and where it may be one of a derived
   * table or of a block around.
   */
  public @Nullable ColumnKey resolve(ColumnName name) {
    if (name.table() == null && block.merges(name.column())) {
      return null;
    }
    String column = name.column().toLowerCase(Locale.ROOT);
    int found = -1;
    for (int i = 0; i < types.size(); i++) {
      boolean fits =
          (name.table() == null || name.table().equalsIgnoreCase(block.tables().get(i).alias()))
              && types.get(i).containsKey(column);
      if (fits && found >= 0) {
        return null;
      }
      if (fits) {
        found = i;
      }
    }
    boolean isKnown = found >= 0 && (name.operands() == null || name.operands().get(found));
    return isKnown ? new ColumnKey(found, column) : null;
  }

  /** Whether one table has a column of that name, whatever qualifies it. */
  public boolean has(int table, ColumnName name) {
    return types.get(table).containsKey(name.column().toLowerCase(Locale.ROOT));
  }

  /** The type of a resolved column. */
  public KeyType type(ColumnKey key) {
    return types.get(key.table()).getOrDefault(key.column(), KeyType.OTHER);
  }
}
