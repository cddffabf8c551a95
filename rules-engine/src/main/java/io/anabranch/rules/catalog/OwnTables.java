package io.anabranch.rules.catalog;

import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.RuleSet;
import java.util.Locale;
import java.util.Set;

/**
 * Tables of the proxies' own that stand beside those of a logical database: the log of two-phase
 * commits. Clients of sharded databases neither see nor reach them.
 */
public final class OwnTables {

  private static final Set<String> LOG =
      Set.of("anabranch_xa_cluster", "anabranch_xa_log", "anabranch_xa_node");

  private OwnTables() {}

  /** Their names in lower case. */
  public static Set<String> names(RuleSet rules) {
    return rules.transactions().offersXa() ? LOG : Set.of();
  }

  /**
   * Whether a table of that name on an endpoint is the node. A table that has a sharded one's name
   * and is none of its nodes is reached by no statement.
   */
  public static boolean isNode(DataNode node, String endpoint, String name) {
    return node.dataSource().equals(endpoint) && node.table().equals(name);
  }

  public static boolean has(RuleSet rules, String table) {
    return names(rules).contains(table.toLowerCase(Locale.ROOT));
  }
}
