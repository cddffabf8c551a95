package io.anabranch.rules.account;

import java.util.List;
import java.util.Map;

/**
 * {@code authority.accountStore}: who is asked about names that are not among the users, and as
 * which user its accounts act. Equal to another one that is written alike, whatever store was made
 * of it.
 *
 * @param properties of the store, secrets in their places
 * @param timeoutMilliseconds for a login, time in the line included
 * @param maxConcurrent logins that it is asked about at a time
 * @param roles in their order: the first one decides of whose group an account is a member
 */
public record StoredAccounts(
    AccountStore store,
    String type,
    Map<String, String> properties,
    int timeoutMilliseconds,
    int maxConcurrent,
    List<Role> roles) {

  /** The group that every account of the store is a member of. */
  public static final String EVERYBODY = "*";

  /**
   * @param group of the store, without regard to case; {@link #EVERYBODY}
   * @param user whose rights its members have, without host
   */
  public record Role(String group, String user) {

    /** Whether an account of these groups is a member. */
    public boolean has(List<String> groups) {
      return group.equals(EVERYBODY) || groups.stream().anyMatch(group::equalsIgnoreCase);
    }
  }

  public StoredAccounts {
    properties = Map.copyOf(properties);
    roles = List.copyOf(roles);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoredAccounts that
        && type.equals(that.type)
        && properties.equals(that.properties)
        && timeoutMilliseconds == that.timeoutMilliseconds
        && maxConcurrent == that.maxConcurrent
        && roles.equals(that.roles);
  }

  @Override
  public int hashCode() {
    return type.hashCode() * 31 + properties.hashCode();
  }

  /** Without properties, some of which are secrets. */
  @Override
  public String toString() {
    return "account store " + type;
  }
}
