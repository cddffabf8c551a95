package io.anabranch.rules.model;

import java.util.Map;

/**
 * The whole configuration, validated and immutable: what {@code conf/} says.
 *
 * @param version grows with each load
 * @param databases by name in lower case
 * @param properties typed values of {@code props}
 * @param transactions how transactions over several data sources are committed, and their limits
 */
public record RuleSet(
    long version,
    Map<String, LogicalDatabase> databases,
    Authority authority,
    ProxyProperties properties,
    TransactionSettings transactions) {

  public RuleSet {
    databases = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(databases));
  }

  /** The same with other databases; the next version. */
  public RuleSet withDatabases(Map<String, LogicalDatabase> changed) {
    return new RuleSet(version + 1, changed, authority, properties, transactions);
  }
}
