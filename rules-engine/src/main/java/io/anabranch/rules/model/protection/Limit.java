package io.anabranch.rules.model.protection;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How much some clients may take at most, alone or together.
 *
 * @param name what it is called in errors and statistics
 * @param each who has a share of its own
 * @param users whom it concerns, by account name; all if empty
 * @param exceptUsers whom it does not concern, by account name
 * @param databases the current databases in which it concerns them, in lower case; all if empty
 * @param digests the statements that it concerns, see {@link
 *     io.anabranch.rules.digest.DigestText#hash}; all if empty
 * @param scope who counts
 */
public record Limit(
    String name,
    Each each,
    Set<String> users,
    Set<String> exceptUsers,
    Set<String> databases,
    Set<String> digests,
    Connections connections,
    Statements statements,
    Transactions transactions,
    Scope scope) {

  /** Who counts. */
  public enum Scope {
    /** Each proxy for itself. */
    PROXY,
    /** The proxies of a cluster have it together: each takes an equal part. */
    CLUSTER
  }

  /** Who has a share of its own. */
  public enum Each {
    /** Nobody: all whom the limit concerns have one together. */
    NONE,
    USER,
    DATABASE,
    /** Of those that it names. */
    DIGEST
  }

  /**
   * @param perSecond 0 where there is no limit
   * @param burst how many may come at once after a rest, at least 1
   */
  public record Rate(int perSecond, int burst) {

    public static final Rate UNLIMITED = new Rate(0, 1);

    public boolean isLimited() {
      return perSecond > 0;
    }

    Rate part(int proxies) {
      return new Rate(Math.ceilDiv(perSecond, proxies), Math.ceilDiv(burst, proxies));
    }
  }

  /**
   * @param most connections at a time; 0 where there is no limit
   * @param rate of logins
   */
  public record Connections(int most, Rate rate) {

    public static final Connections UNLIMITED = new Connections(0, Rate.UNLIMITED);
  }

  /**
   * @param most statements at a time; 0 where there is no limit
   * @param queue how many others may wait
   * @param queueMilliseconds how long one waits at most
   */
  public record Statements(int most, int queue, long queueMilliseconds, Rate rate) {

    public static final Statements UNLIMITED = new Statements(0, 0, 0, Rate.UNLIMITED);
  }

  /**
   * @param milliseconds how old a transaction may become; 0 where there is no limit
   * @param idleMilliseconds how long one may wait for its next statement; 0 where there is no limit
   */
  public record Transactions(long milliseconds, long idleMilliseconds) {

    public static final Transactions UNLIMITED = new Transactions(0, 0);
  }

  public Limit {
    users = Set.copyOf(users);
    exceptUsers = Set.copyOf(exceptUsers);
    databases =
        databases.stream()
            .map(database -> database.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    digests = Set.copyOf(digests);
  }

  /** The same that allows everything. */
  public Limit lifted() {
    return new Limit(
        name,
        each,
        users,
        exceptUsers,
        databases,
        digests,
        Connections.UNLIMITED,
        Statements.UNLIMITED,
        Transactions.UNLIMITED,
        scope);
  }

  /**
   * What one of so many proxies allows: all of it, unless they have it together.
   *
   * @param proxies at least 1
   */
  public Limit part(int proxies) {
    if (scope == Scope.PROXY || proxies == 1) {
      return this;
    }
    return new Limit(
        name,
        each,
        users,
        exceptUsers,
        databases,
        digests,
        new Connections(
            Math.ceilDiv(connections.most(), proxies), connections.rate().part(proxies)),
        new Statements(
            Math.ceilDiv(statements.most(), proxies),
            Math.ceilDiv(statements.queue(), proxies),
            statements.queueMilliseconds(),
            statements.rate().part(proxies)),
        transactions,
        scope);
  }

  /**
   * Whether it concerns a statement of the user there.
   *
   * @param database the current one; null where there is none
   * @param digest of the statement; null: none that limits name
   */
  public boolean concerns(String user, @Nullable String database, @Nullable String digest) {
    return concerns(user)
        && (digests.isEmpty() || (digest != null && digests.contains(digest)))
        && (each != Each.DATABASE || database != null)
        && (databases.isEmpty()
            || (database != null && databases.contains(database.toLowerCase(Locale.ROOT))));
  }

  /** Whether it concerns the user in some database. */
  public boolean concerns(String user) {
    return (users.isEmpty() || users.contains(user)) && !exceptUsers.contains(user);
  }

  /** Whether it is about users whatever their databases are: connections have none of their own. */
  public boolean countsConnections() {
    return databases.isEmpty() && digests.isEmpty() && each != Each.DATABASE;
  }

  /** Whose share is taken from; empty for that of all. */
  public String subject(String user, @Nullable String database, @Nullable String digest) {
    return switch (each) {
      case DIGEST -> digest == null ? "" : digest;
      case NONE -> "";
      case USER -> user;
      case DATABASE -> database == null ? "" : database.toLowerCase(Locale.ROOT);
    };
  }
}
