package io.anabranch.rules.model;

import io.anabranch.rules.model.protection.Protection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration, validated and immutable: what {@code conf/} says.
 *
 * @param version grows with each load
 * @param databases by name in lower case
 * @param properties typed values of {@code props}
 * @param transactions how transactions over several data sources are committed, and their limits
 * @param protection from what clients may do
 */
public record RuleSet(
    long version,
    Map<String, LogicalDatabase> databases,
    Authority authority,
    ProxyProperties properties,
    TransactionSettings transactions,
    Protection protection) {

  public RuleSet {
    databases = Collections.unmodifiableMap(new LinkedHashMap<>(databases));
  }

  /** Without protection. */
  public RuleSet(
      long version,
      Map<String, LogicalDatabase> databases,
      Authority authority,
      ProxyProperties properties,
      TransactionSettings transactions) {
    this(version, databases, authority, properties, transactions, Protection.NONE);
  }

  /** The database of that name, in whatever case it is written; null: there is none. */
  public @Nullable LogicalDatabase database(String name) {
    return databases.get(name.toLowerCase(Locale.ROOT));
  }

  /** Whether columns of some database are encrypted. */
  public boolean encrypts() {
    return databases.values().stream().anyMatch(database -> !database.encryption().isEmpty());
  }

  /** The same with other databases; the next version. */
  public RuleSet withDatabases(Map<String, LogicalDatabase> changed) {
    return new RuleSet(version + 1, changed, authority, properties, transactions, protection);
  }
}
