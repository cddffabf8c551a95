package io.anabranch.rules.model;

import io.anabranch.rules.right.Grants;
import java.util.Locale;
import java.util.Set;

/**
 * The logical databases that a user may name in statements, and what it may do there: what plans
 * are made for. Immutable.
 *
 * @param isAll the user is not kept to any
 * @param names in lower case; empty where all are permitted, or where grants decide
 * @param grants what it may do
 * @param hints keys of hints that leave the rules and that it may use, in {@link
 *     Authority.User#hints}
 * @param masked databases, in lower case, some of whose columns it sees masked
 * @param shadowUser its name in lower case if a database has shadows for it; else empty
 */
public record PermittedDatabases(
    boolean isAll,
    Set<String> names,
    Grants grants,
    Set<String> hints,
    Set<String> masked,
    String shadowUser) {

  /** Of administrators, and of users to whom everything is granted. */
  public static final PermittedDatabases ALL =
      new PermittedDatabases(
          true, Set.of(), Grants.UNLIMITED, Authority.User.GUARDED_HINTS, Set.of(), "");

  public PermittedDatabases {
    names = Set.copyOf(names);
    hints = Set.copyOf(hints);
    masked = Set.copyOf(masked);
  }

  /** Only these, by their names in lower case. */
  public static PermittedDatabases of(Set<String> names) {
    return new PermittedDatabases(false, names, Grants.UNLIMITED, Set.of(), Set.of(), "");
  }

  /** The same for whom columns of these databases, in lower case, are masked. */
  public PermittedDatabases masking(Set<String> databases) {
    return new PermittedDatabases(isAll, names, grants, hints, databases, shadowUser);
  }

  /** The same whose statements go to shadows where this user's do. */
  public PermittedDatabases shadowing(String user) {
    return new PermittedDatabases(isAll, names, grants, hints, masked, user);
  }

  /**
   * @param database a name in any case
   */
  public boolean has(String database) {
    return grants.isUnlimited()
        ? isAll || names.contains(database.toLowerCase(Locale.ROOT))
        : grants.reach(database);
  }
}
