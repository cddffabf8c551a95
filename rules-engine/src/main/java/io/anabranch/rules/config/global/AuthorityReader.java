package io.anabranch.rules.config.global;

import io.anabranch.rules.account.StoredAccounts;
import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.type.AlgorithmReader;
import io.anabranch.rules.config.yaml.Names;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.Authority.AuthenticationMethod;
import io.anabranch.rules.model.Authority.Requirement;
import io.anabranch.rules.model.Authority.User;
import io.anabranch.rules.model.ClientProperties;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.right.Grant;
import io.anabranch.rules.secret.Secrets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code authority}: users, what they may see, how they prove who they are. */
final class AuthorityReader {

  private static final String MAPPINGS = "user-database-mappings";

  private final Section section;
  private final Secrets secrets;
  private final AccountStoreReader stores;
  private final Map<String, AuthenticationMethod> authenticators = new HashMap<>();
  private final Map<String, Authority.User> users = new HashMap<>();
  private final List<Authority.User> inOrder = new ArrayList<>();
  private final Map<String, Set<String>> grants = new HashMap<>();
  private final List<MappedDatabase> mapped = new ArrayList<>();
  private final Map<Authority.User, Value> places = new HashMap<>();

  AuthorityReader(Section section, Secrets secrets, AlgorithmReader algorithms) {
    this.stores = new AccountStoreReader(algorithms);
    this.secrets = secrets;
    this.section = section;
  }

  Authority read() {
    section.named("authenticators").forEach(this::readAuthenticator);
    AuthenticationMethod method = method(section.value("defaultAuthenticator"));
    AuthenticationMethod standard =
        method == null ? AuthenticationMethod.MYSQL_NATIVE_PASSWORD : method;
    UserReader reader = new UserReader(this::method, standard, secrets);
    for (Value item : section.items("users")) {
      add(item, reader.read(item));
    }
    if (users.isEmpty()) {
      section
          .problems()
          .error(section.keyPlace("users"), "there is no user, nobody could log in", "add one");
    }
    boolean allPermitted = readPrivilege(privilege());
    StoredAccounts stored = stores.read(section.section("accountStore"), inOrder);
    if (stored == null && !inOrder.isEmpty() && inOrder.stream().allMatch(User::isRole)) {
      section
          .problems()
          .error(
              section.keyPlace("users"),
              "there are roles only, nobody could log in",
              "add a user, or an accountStore");
    }
    section.close();
    return new Authority(inOrder, allPermitted, grants, stored);
  }

  /** Grants on databases that do not exist are told once all databases are known. */
  void checkGrants(Map<String, LogicalDatabase> databases) {
    mapped.forEach(grant -> requireDatabase(grant.database(), grant.value(), databases));
    for (Authority.User user : inOrder) {
      for (Grant grant : user.grants().list()) {
        Value place = places.get(user);
        if (place != null && !grant.database().equals(Grant.ANY)) {
          requireDatabase(grant.database(), place, databases);
        }
      }
    }
  }

  private static void requireDatabase(
      String name, Value place, Map<String, LogicalDatabase> databases) {
    if (!databases.containsKey(name.toLowerCase(Locale.ROOT))
        && databases.values().stream().noneMatch(database -> database.creation().takes(name))) {
      place.notice(
          "there is no database `" + name + "`", NearestName.suggestion(name, databases.keySet()));
    }
  }

  private void readAuthenticator(String name, Section authenticator) {
    String type = authenticator.required("type");
    authenticator.properties("props");
    switch (type.toUpperCase(Locale.ROOT)) {
      case "NATIVE", "MYSQL_NATIVE_PASSWORD" ->
          authenticators.put(name, AuthenticationMethod.MYSQL_NATIVE_PASSWORD);
      case "CACHING_SHA2", "CACHING_SHA2_PASSWORD" ->
          authenticators.put(name, AuthenticationMethod.CACHING_SHA2_PASSWORD);
      case "ED25519", "CLIENT_ED25519" -> authenticators.put(name, AuthenticationMethod.ED25519);
      case "" -> authenticators.put(name, AuthenticationMethod.MYSQL_NATIVE_PASSWORD);
      default -> {
        authenticators.put(name, AuthenticationMethod.MYSQL_NATIVE_PASSWORD);
        authenticator
            .problems()
            .error(
                authenticator.keyPlace("type"),
                "the authentication method " + type + " is not supported",
                "there are MYSQL_NATIVE_PASSWORD, CACHING_SHA2_PASSWORD and ED25519");
      }
    }
    authenticator.close();
  }

  private @Nullable AuthenticationMethod method(@Nullable Value reference) {
    String name = reference == null ? null : reference.text();
    if (reference == null || name == null) {
      return null;
    }
    AuthenticationMethod method = authenticators.get(name);
    if (method == null) {
      reference.error(
          "there is no authenticator `" + name + "`",
          NearestName.suggestion(name, authenticators.keySet()));
    }
    return method;
  }

  private void add(Value item, Authority.@Nullable User user) {
    if (user == null) {
      return;
    }
    if (users.putIfAbsent(UserReader.key(user.toString()), user) != null) {
      item.error("the user " + user + " is there twice", "remove one of them");
      return;
    }
    inOrder.add(user);
    places.put(user, item);
  }

  /** Reported once all properties are known: without TLS such a user could never log in. */
  void checkRequirements(ClientProperties clients) {
    ClientProperties.Tls tls = clients.tls();
    stores.check(clients);
    for (Authority.User user : inOrder) {
      if (user.requirement() != Requirement.NONE && !tls.enabled()) {
        section.error(user + " requires TLS, which is off", "set proxy-frontend-ssl-enabled: true");
      } else if (user.requirement() == Requirement.X509 && tls.caFile().isEmpty()) {
        section.error(
            user + " requires a client certificate, but none is asked for",
            "name the authority's file in proxy-frontend-ssl-ca-file");
      }
    }
  }

  private @Nullable Section privilege() {
    if (section.has("privilege") || !section.has("provider")) {
      section.refused("provider", "`provider` beside `privilege`", "remove it");
      return section.section("privilege");
    }
    section.problems().notice(section.keyPlace("provider"), "is an old form", "use `privilege`");
    return section.section("provider");
  }

  private boolean readPrivilege(@Nullable Section privilege) {
    if (privilege == null) {
      return true;
    }
    boolean isChosen = privilege.value("type") != null;
    String type = privilege.text("type", "ALL_PERMITTED");
    boolean all =
        type.equalsIgnoreCase("ALL_PERMITTED") || type.equalsIgnoreCase("ALL_PRIVILEGES_PERMITTED");
    boolean some =
        type.equalsIgnoreCase("DATABASE_PERMITTED")
            || type.equalsIgnoreCase("DATABASE_PRIVILEGES_PERMITTED");
    if (!all && !some) {
      privilege
          .problems()
          .error(
              privilege.keyPlace("type"),
              "unknown privilege type " + type,
              NearestName.suggestion(type, List.of("ALL_PERMITTED", "DATABASE_PERMITTED")));
    }
    Section props = privilege.section("props");
    Value mappings = props == null ? null : props.value(MAPPINGS);
    if (mappings != null) {
      if (all && isChosen) {
        mappings.notice(
            "has no effect beside " + type + ", which permits all databases to all users",
            "write `type: DATABASE_PERMITTED`, or remove it");
      } else if (all) {
        // who writes it believes that users are kept to their databases
        mappings.error(
            "has no effect without a type, which permits all databases to all users",
            "write `type: DATABASE_PERMITTED`, or remove it");
      }
      readMappings(mappings);
    } else if (!all) {
      privilege.error("the property `" + MAPPINGS + "` is missing", "write user@host=database");
    }
    if (props != null) {
      props.close();
    }
    privilege.close();
    return all;
  }

  private void readMappings(Value mappings) {
    for (String entry : Names.list(mappings)) {
      int equals = entry.indexOf('=');
      String account = equals < 0 ? entry : entry.substring(0, equals).strip();
      String database = equals < 0 ? "" : entry.substring(equals + 1).strip();
      if (account.isEmpty() || database.isEmpty()) {
        mappings.error("`" + entry + "` has not the form user@host=database", null);
        continue;
      }
      Authority.User user = users.get(UserReader.key(account));
      if (user != null && !user.grants().isUnlimited()) {
        mappings.error(
            "`" + account + "` has grants of its own", "say it in one of the two places");
        continue;
      }
      if (user == null) {
        mappings.error(
            "there is no user `" + account + "`",
            NearestName.suggestion(UserReader.key(account), users.keySet()));
        continue;
      }
      grants
          .computeIfAbsent(UserReader.key(account), _ -> new HashSet<>())
          .add(database.toLowerCase(Locale.ROOT));
      if (!database.equals("*")) {
        mapped.add(new MappedDatabase(database, mappings));
      }
    }
  }

  private record MappedDatabase(String database, Value value) {}
}
