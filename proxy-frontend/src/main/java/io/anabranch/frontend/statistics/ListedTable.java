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
 */
record ListedTable(
    String name, List<VirtualColumn> columns, Supplier<List<List<@Nullable String>>> listing)
    implements VirtualTable {

  @Override
  public List<List<@Nullable String>> rows() {
    return listing.get();
  }
}
