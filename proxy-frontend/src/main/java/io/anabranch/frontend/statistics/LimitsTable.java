package io.anabranch.frontend.statistics;

import io.anabranch.frontend.limit.LimitUse;
import io.anabranch.frontend.limit.Limits;
import io.anabranch.frontend.table.VirtualColumn;
import io.anabranch.frontend.table.VirtualTable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code anabranch.limits}: what everybody has of each limit, and how often it was too much. */
final class LimitsTable {

  private LimitsTable() {}

  static VirtualTable of(Limits limits) {
    return new ListedTable(
        "limits",
        List.of(
            VirtualColumn.text("limit_name", 64),
            VirtualColumn.text("kind", 32),
            VirtualColumn.text("subject", 255),
            VirtualColumn.number("allowed"),
            VirtualColumn.number("in_use"),
            VirtualColumn.number("waiting"),
            VirtualColumn.number("reached")),
        () -> limits.uses().stream().map(LimitsTable::row).toList(),
        limits::forgetReached);
  }

  private static List<@Nullable String> row(LimitUse use) {
    return Arrays.asList(
        use.limit(),
        use.kind().word(),
        use.subject(),
        Cells.number(use.allowed()),
        use.inUse() < 0 ? null : Cells.number(use.inUse()),
        use.waiting() < 0 ? null : Cells.number(use.waiting()),
        Cells.number(use.reached()));
  }
}
