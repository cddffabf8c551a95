package io.anabranch.frontend.auth;

import io.anabranch.frontend.table.VirtualSchema;
import io.anabranch.protocol.handshake.CachingSha2;
import io.anabranch.protocol.handshake.NativePassword;
import io.anabranch.rules.account.StoredAccounts;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.Authority.AuthenticationMethod;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.PermittedDatabases;
import io.anabranch.rules.model.RuleSet;
import java.net.InetAddress;
import java.security.KeyPair;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The users of one rule set and what they may use. Immutable, thread-safe. */
public final class AuthenticationRealm {

  /** Exists for everybody. */
  private static final String INFORMATION_SCHEMA = "information_schema";

  private final Authority authority;
  private final Set<String> databases;

  /** Those of them that are not alike for all users. */
  private final Map<String, VisibleDatabase> special;

  private final ServerKey serverKey;
  private final List<Account> accounts;

  /** As whom accounts of the store may act: all users, those with the most precise hosts first. */
  private final List<Authority.User> actors;

  private final String defaultPlugin;
  private final boolean isTlsRequired;
  private final UUID secret;

  public AuthenticationRealm(RuleSet rules, ServerKey serverKey) {
    this(
        rules.authority(),
        visibles(rules.databases()),
        serverKey,
        rules.properties().clients().tls().required());
  }

  /**
   * @param authority with at least one user
   * @param databases by their names in lower case
   * @param isTlsRequired of everybody
   */
  AuthenticationRealm(
      Authority authority,
      Map<String, VisibleDatabase> databases,
      ServerKey serverKey,
      boolean isTlsRequired) {
    this(authority, databases, serverKey, isTlsRequired, UUID.randomUUID());
  }

  private AuthenticationRealm(
      Authority authority,
      Map<String, VisibleDatabase> databases,
      ServerKey serverKey,
      boolean isTlsRequired,
      UUID secret) {
    this.secret = secret;
    this.isTlsRequired = isTlsRequired;
    this.authority = authority;
    this.databases = Set.copyOf(databases.keySet());
    this.special = new HashMap<>(databases);
    special.values().removeIf(VisibleDatabase.PLAIN::equals);
    this.serverKey = serverKey;
    List<Authority.User> own = authority.users().stream().filter(user -> !user.isRole()).toList();
    this.accounts =
        own.stream().map(Account::of).sorted(Comparator.comparing(Account::host)).toList();
    this.actors =
        authority.users().stream()
            .sorted(Comparator.comparing(user -> HostPattern.of(user.host())))
            .toList();
    this.defaultPlugin = defaultPlugin(own);
  }

  private static Map<String, VisibleDatabase> visibles(Map<String, LogicalDatabase> databases) {
    var visible = new HashMap<String, VisibleDatabase>();
    databases.forEach((name, database) -> visible.put(name, VisibleDatabase.of(database)));
    return visible;
  }

  /**
   * The same users, where there are other databases.
   *
   * @param present by their names in lower case
   */
  public AuthenticationRealm withDatabases(Map<String, LogicalDatabase> present) {
    return new AuthenticationRealm(authority, visibles(present), serverKey, isTlsRequired, secret);
  }

  /**
   * Other users of the same server: whoever is no user is answered alike.
   *
   * @param rules with at least one user
   */
  public AuthenticationRealm with(RuleSet rules) {
    return new AuthenticationRealm(
        rules.authority(),
        visibles(rules.databases()),
        serverKey,
        rules.properties().clients().tls().required(),
        secret);
  }

  /** The user as it is here; null if it is none any more. */
  public Authority.@Nullable User present(Authority.User before) {
    for (Authority.User user : authority.users()) {
      if (user.name().equalsIgnoreCase(before.name())
          && user.host().equalsIgnoreCase(before.host())) {
        return user;
      }
    }
    return null;
  }

  /**
   * The plugin that greetings announce: mysql_native_password, which every client knows, unless all
   * users want caching_sha2_password. Others are switched over.
   */
  public String defaultPlugin() {
    return defaultPlugin;
  }

  /**
   * Whether the user may use the database.
   *
   * @param name of the user as the client wrote it, for the message
   * @param address of the client, for the message
   * @throws RefusedException 1044 if it may not, 1049 if there is no such database
   */
  public void checkDatabase(Authority.User user, String name, String address, String database) {
    if (!permits(user, database)) {
      throw ErrorCatalogue.DATABASE_ACCESS_DENIED.refuse(name, address, database);
    }
    if (!exists(database)) {
      throw ErrorCatalogue.UNKNOWN_DATABASE.refuse(database);
    }
  }

  /** Whether the user may use the database, if it exists: what SHOW DATABASES lists. */
  public boolean permits(Authority.User user, String database) {
    String lower = database.toLowerCase(Locale.ROOT);
    if (lower.equals(VirtualSchema.NAME) && isSchema(lower)) {
      return user.admin();
    }
    if (user.admin() || lower.equals(INFORMATION_SCHEMA)) {
      return true;
    }
    if (!user.grants().isUnlimited()) {
      return user.grants().reach(lower);
    }
    if (authority.allPermitted()) {
      return true;
    }
    Set<String> granted = authority.databaseGrants().get(grantKey(user));
    return granted != null
        && (granted.contains("*") || granted.stream().anyMatch(lower::equalsIgnoreCase));
  }

  /** The databases that the user's statements may name, and what it sees there. */
  public PermittedDatabases permitted(Authority.User user) {
    PermittedDatabases named = user.admin() ? PermittedDatabases.ALL : named(user);
    return special.isEmpty()
        ? named
        : named.masking(maskedFor(user)).shadowing(shadowUser(user.name()));
  }

  /**
   * All that is decided by who the user is.
   *
   * @param masked columns that it sees masked, by database and table, all in lower case
   */
  public record Allowance(
      boolean isAdmin, PermittedDatabases permitted, Map<String, Map<String, Set<String>>> masked) {
    public Allowance {
      masked = Map.copyOf(masked);
    }
  }

  /** What the user may and what it sees. */
  public Allowance allows(Authority.User user) {
    var masked = new HashMap<String, Map<String, Set<String>>>();
    for (String database : maskedFor(user)) {
      VisibleDatabase visible = special.get(database);
      if (visible != null) {
        masked.put(database, visible.masks().names());
      }
    }
    return new Allowance(user.admin(), permitted(user), masked);
  }

  private PermittedDatabases named(Authority.User user) {
    Set<String> granted =
        restricts(user) && user.grants().isUnlimited()
            ? authority.databaseGrants().getOrDefault(grantKey(user), Set.of())
            : Set.of();
    return new PermittedDatabases(
        !restricts(user),
        granted.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet()),
        user.grants(),
        user.hints(),
        Set.of(),
        "");
  }

  private String shadowUser(String user) {
    boolean is = special.values().stream().anyMatch(each -> each.shadows(user));
    return is ? user.toLowerCase(Locale.ROOT) : "";
  }

  private Set<String> maskedFor(Authority.User user) {
    return special.entrySet().stream()
        .filter(each -> each.getValue().masks().concern(user.name()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Whether the user is kept to its databases. An administrator is not, nor one to whom everything
   * is granted: by ALL_PERMITTED, or by {@code *} among its databases. Who has grants has nothing
   * else.
   */
  public boolean restricts(Authority.User user) {
    if (!user.grants().isUnlimited()) {
      return !user.admin();
    }
    if (authority.allPermitted() || user.admin()) {
      return false;
    }
    Set<String> granted = authority.databaseGrants().get(grantKey(user));
    return granted == null || !granted.contains("*");
  }

  private boolean exists(String database) {
    String lower = database.toLowerCase(Locale.ROOT);
    return isSchema(lower) || databases.contains(lower);
  }

  /**
   * Whether that is a schema of the servers or the proxy's own, and none of the logical databases:
   * it can be selected, and statements then name it.
   */
  public boolean isSchema(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return (lower.equals(VirtualSchema.NAME) || LogicalDatabase.isSystemSchema(lower))
        && !databases.contains(lower);
  }

  /** Who is asked about names that are not among the users; null: nobody. */
  @Nullable StoredAccounts stored() {
    return authority.stored();
  }

  /**
   * As whom an account of the store acts here; null: it may not log in.
   *
   * @param groups of the account
   */
  Authority.@Nullable User actor(List<String> groups, InetAddress address) {
    StoredAccounts stored = authority.stored();
    if (stored == null) {
      return null;
    }
    for (StoredAccounts.Role role : stored.roles()) {
      if (role.has(groups)) {
        return actor(role.user(), address);
      }
    }
    return null;
  }

  private Authority.@Nullable User actor(String name, InetAddress address) {
    for (Authority.User user : actors) {
      if (user.name().equalsIgnoreCase(name) && HostPattern.of(user.host()).matches(address)) {
        return user;
      }
    }
    return null;
  }

  /** Whether clients without TLS are refused. */
  boolean isTlsRequired() {
    return isTlsRequired;
  }

  /**
   * The account for a client: the most precise host decides; a stand-in if there is none. Which
   * account stands in depends on the name alone, so that asking twice tells nothing. Where there is
   * a store it is asked about all names that no user has, at whatever host.
   */
  Account account(String name, InetAddress address) {
    boolean isConfigured = false;
    for (Account account : accounts) {
      if (account.user().name().equalsIgnoreCase(name)) {
        isConfigured = true;
        if (account.host().matches(address)) {
          return account;
        }
      }
    }
    if (!isConfigured && authority.stored() != null) {
      return Account.STORED;
    }
    int hash = Objects.hash(secret, name.toLowerCase(Locale.ROOT));
    return accounts.get(Math.floorMod(hash, accounts.size())).asStandIn();
  }

  KeyPair serverKey() {
    return serverKey.pair();
  }

  private static String grantKey(Authority.User user) {
    String host = user.host().isEmpty() ? "%" : user.host();
    return (user.name() + "@" + host).toLowerCase(Locale.ROOT);
  }

  private static String defaultPlugin(List<Authority.User> users) {
    return users.stream()
            .allMatch(u -> u.authenticationMethod() == AuthenticationMethod.CACHING_SHA2_PASSWORD)
        ? CachingSha2.PLUGIN
        : NativePassword.PLUGIN;
  }
}
