package io.anabranch.frontend.statistics;

import static io.anabranch.frontend.table.VirtualColumn.moment;
import static io.anabranch.frontend.table.VirtualColumn.number;
import static io.anabranch.frontend.table.VirtualColumn.text;

import io.anabranch.frontend.rule.RuleCounts;
import io.anabranch.frontend.rule.RuleHit;
import io.anabranch.frontend.table.VirtualColumn;
import io.anabranch.frontend.table.VirtualTable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code anabranch.rule_hits}: how often statements have met each query rule, and the last one. */
final class RuleHitsTable implements VirtualTable {

  private static final List<VirtualColumn> COLUMNS =
      List.of(
          text("rule", 64),
          number("position"),
          text("action", 255),
          number("log_only"),
          number("hits"),
          moment("last_hit"),
          text("last_user", 128),
          text("last_client", 255),
          text("last_database", 64),
          text("last_digest", 32),
          number("cached"),
          number("merged"),
          number("mirrored"),
          number("mirror_errors"),
          number("mirror_dropped"));

  private final RuleCounts counts;

  RuleHitsTable(RuleCounts counts) {
    this.counts = counts;
  }

  @Override
  public String name() {
    return "rule_hits";
  }

  @Override
  public List<VirtualColumn> columns() {
    return COLUMNS;
  }

  @Override
  public List<List<@Nullable String>> rows() {
    return counts.all().stream().map(RuleHitsTable::row).toList();
  }

  private static List<@Nullable String> row(RuleCounts.Counted each) {
    RuleHit last = each.count().last();
    return Arrays.asList(
        each.rule().name(),
        Cells.number(each.position()),
        String.join(",", each.rule().actions().keys()),
        Cells.number(each.rule().logOnly() ? 1 : 0),
        Cells.number(each.count().hits()),
        last == null ? null : Cells.moment(last.when()),
        last == null ? null : last.user(),
        last == null ? null : last.client(),
        last == null ? null : last.database(),
        last == null ? null : last.digest(),
        Cells.number(each.count().caches()),
        Cells.number(each.count().merges()),
        Cells.number(each.count().mirrored()),
        Cells.number(each.count().mirrorErrors()),
        Cells.number(each.count().mirrorsDropped()));
  }

  @Override
  public boolean clear() {
    counts.clear();
    return true;
  }
}
