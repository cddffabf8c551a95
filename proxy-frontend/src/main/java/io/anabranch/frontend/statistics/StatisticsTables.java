package io.anabranch.frontend.statistics;

import io.anabranch.backend.xa.InDoubt;
import io.anabranch.frontend.limit.Limits;
import io.anabranch.frontend.rule.RuleCounts;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statementlog.RecentStatements;
import io.anabranch.frontend.table.VirtualTable;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** The tables of the schema {@code anabranch}. */
public final class StatisticsTables {

  private StatisticsTables() {}

  /**
   * @param slow the last slow statements
   * @param branches of distributed transactions that were found prepared
   * @param sessions all that there are
   * @param deployment the rules in force
   */
  public static List<VirtualTable> of(
      Digests digests,
      RecentStatements slow,
      Limits limits,
      RuleCounts rules,
      Supplier<Collection<InDoubt>> branches,
      Supplier<Collection<Session>> sessions,
      Supplier<Deployment> deployment) {
    var connections = new ConnectionTables(deployment);
    var configuration = new ConfigurationTables(deployment);
    return List.of(
        new DigestsTable(digests),
        new SlowStatementsTable(slow),
        new SessionsTable(sessions, deployment),
        connections.dataSources(),
        connections.leases(),
        connections.transactions(),
        XaTable.of(branches),
        LimitsTable.of(limits),
        new RuleHitsTable(rules),
        configuration.plans(),
        configuration.versions());
  }
}
