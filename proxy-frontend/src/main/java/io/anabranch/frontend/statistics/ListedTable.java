package io.anabranch.frontend.statistics;

import io.anabranch.frontend.table.VirtualColumn;
import io.anabranch.frontend.table.VirtualTable;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A table that is its rows and no more.
 *
 * @param listing makes all rows; any thread, may block
 * @param forgetting what TRUNCATE does; null: it does nothing
 */
record ListedTable(
    String name,
    List<VirtualColumn> columns,
    Supplier<List<List<@Nullable String>>> listing,
    @Nullable Runnable forgetting)
    implements VirtualTable {

  /** One that tells what is there now. */
  ListedTable(
      String name, List<VirtualColumn> columns, Supplier<List<List<@Nullable String>>> listing) {
    this(name, columns, listing, null);
  }

  @Override
  public boolean clear() {
    if (forgetting == null) {
      return false;
    }
    forgetting.run();
    return true;
  }

  @Override
  public List<List<@Nullable String>> rows() {
    return listing.get();
  }
}
