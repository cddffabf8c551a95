package io.anabranch.rules.model.encrypt;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The encrypted tables of a logical database. Two are equal if they mean the same, keys included,
 * whenever they were read.
 */
public final class EncryptRule {

  /** No table is encrypted. */
  public static final EncryptRule NONE = new EncryptRule(Map.of(), "");

  private final Map<String, EncryptedTable> tables;
  private final String digest;

  /**
   * @param tables by logical name in lower case
   * @param digest of all that the rule says, keys included; they cannot be read from it
   */
  public EncryptRule(Map<String, EncryptedTable> tables, String digest) {
    this.tables = Map.copyOf(tables);
    this.digest = digest;
  }

  public boolean isEmpty() {
    return tables.isEmpty();
  }

  /** By logical name in lower case. */
  public Map<String, EncryptedTable> tables() {
    return tables;
  }

  /**
   * The rule for the other tables.
   *
   * @param keys lower-case names
   */
  public EncryptRule without(Set<String> keys) {
    if (keys.stream().noneMatch(tables::containsKey)) {
      return this;
    }
    var others = new HashMap<>(tables);
    others.keySet().removeAll(keys);
    return new EncryptRule(others, digest + "\nwithout " + new TreeSet<>(keys));
  }

  /** Null: the table has no encrypted columns. */
  public @Nullable EncryptedTable table(String logical) {
    return tables.get(logical.toLowerCase(Locale.ROOT));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EncryptRule rule && digest.equals(rule.digest);
  }

  @Override
  public int hashCode() {
    return digest.hashCode();
  }

  /** Names alone. */
  @Override
  public String toString() {
    return "EncryptRule" + tables.keySet();
  }
}
