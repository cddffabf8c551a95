package io.anabranch.frontend.statistics;

import static io.anabranch.frontend.table.VirtualColumn.moment;
import static io.anabranch.frontend.table.VirtualColumn.number;
import static io.anabranch.frontend.table.VirtualColumn.text;

import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.table.VirtualTable;
import io.anabranch.rules.digest.DigestText;
import io.anabranch.rules.planner.Planner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tables of what is in force: plans, and versions of the configuration. */
final class ConfigurationTables {

  private static final int LONGEST_CHANGES = 65_536;

  private final Supplier<Deployment> deployment;

  ConfigurationTables(Supplier<Deployment> deployment) {
    this.deployment = deployment;
  }

  VirtualTable plans() {
    return new ListedTable(
        "plans",
        List.of(
            text("database_name", 64),
            text("digest_text", DigestText.LONGEST),
            text("kind", 32),
            text("access", 8),
            number("guarded_literals")),
        () -> deployment.get().planner().plans().stream().map(ConfigurationTables::plan).toList(),
        () -> deployment.get().planner().invalidate());
  }

  private static List<@Nullable String> plan(Planner.CachedPlan cached) {
    return Arrays.asList(
        cached.scope().database().name(),
        DigestText.digest(
            cached.normalForm(), cached.scope().charset(), cached.scope().ansiQuotes()),
        cached.plan().kind().name().toLowerCase(Locale.ROOT),
        cached.plan().access().name().toLowerCase(Locale.ROOT),
        Cells.number(cached.guards()));
  }

  VirtualTable versions() {
    return new ListedTable(
        "configuration_versions",
        List.of(
            number("version"),
            moment("since"),
            text("author", 255),
            number("is_current"),
            text("changes", LONGEST_CHANGES)),
        this::versionRows);
  }

  private List<List<@Nullable String>> versionRows() {
    var rows = new ArrayList<List<@Nullable String>>();
    for (ConfigurationControl.Version version : deployment.get().control().history()) {
      rows.add(
          Arrays.asList(
              Cells.number(version.number()),
              Cells.moment(version.since()),
              version.author(),
              rows.isEmpty() ? "1" : "0",
              String.join("\n", version.changes())));
    }
    return rows;
  }
}
