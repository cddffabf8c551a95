package io.anabranch.frontend.statistics;

import io.anabranch.backend.xa.InDoubt;
import io.anabranch.frontend.table.VirtualColumn;
import io.anabranch.frontend.table.VirtualTable;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code anabranch.xa_branches}: prepared branches that the last look at the databases found. */
final class XaTable {

  private XaTable() {}

  static VirtualTable of(Supplier<Collection<InDoubt>> branches) {
    return new ListedTable(
        "xa_branches",
        List.of(
            VirtualColumn.text("data_source", 128),
            VirtualColumn.text("transaction_name", 64),
            VirtualColumn.text("branch", 64),
            VirtualColumn.text("state", 16),
            VirtualColumn.milliseconds("age_ms")),
        () -> branches.get().stream().map(XaTable::row).toList());
  }

  private static List<@Nullable String> row(InDoubt branch) {
    return Arrays.asList(
        branch.source(),
        branch.transaction(),
        branch.branch(),
        branch.kind().name().toLowerCase(Locale.ROOT),
        Cells.milliseconds(branch.ageMilliseconds() * 1_000_000));
  }
}
