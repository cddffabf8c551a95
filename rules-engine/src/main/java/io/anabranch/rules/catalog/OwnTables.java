package io.anabranch.rules.catalog;

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

  public static boolean has(RuleSet rules, String table) {
    return names(rules).contains(table.toLowerCase(Locale.ROOT));
  }
}
