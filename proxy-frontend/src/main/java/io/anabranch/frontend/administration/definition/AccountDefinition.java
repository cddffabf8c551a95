package io.anabranch.frontend.administration.definition;

import io.anabranch.frontend.administration.definition.AccountStatement.Login;
import io.anabranch.frontend.administration.definition.AccountStatement.Logins;
import io.anabranch.frontend.administration.definition.AccountStatement.Removal;
import io.anabranch.frontend.administration.definition.AccountStatement.Rights;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Listing;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.Password;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code authority.users} of the global file, changed by MySQL's statements on accounts. */
public final class AccountDefinition {

  private static final String PASSWORD = "password";
  private static final String RETAINED = "retainedPassword";
  private static final String EXPIRES = "passwordExpires";
  private static final String METHOD = "authenticationMethodName";

  private AccountDefinition() {}

  /**
   * The same file with other accounts.
   *
   * @throws RefusedException with MySQL's error, where it has one
   */
  public static ConfigurationDocument changed(
      ConfigurationDocument document, AccountStatement statement) {
    return switch (statement) {
      case Logins logins -> logins(document, logins);
      case Removal removal -> removed(document, removal);
      case Rights rights -> GrantDefinition.changed(document, rights);
    };
  }

  /** Those that IF EXISTS or IF NOT EXISTS pass over, as names in quotes. */
  public static List<String> passedOver(
      ConfigurationDocument document, AccountStatement statement) {
    return switch (statement) {
      case Logins logins when logins.isLenient() ->
          logins.logins().stream()
              .map(Login::account)
              .filter(account -> logins.creates() != (entry(document, account) == null))
              .map(Account::quoted)
              .toList();
      case Removal removal when removal.isLenient() ->
          removal.accounts().stream()
              .filter(account -> entry(document, account) == null)
              .map(Account::quoted)
              .toList();
      default -> List.of();
    };
  }

  // ---------------------------------------------------------------- where accounts stand

  /** The old list form of the rules has the same keys. */
  private static String[] authority(ConfigurationDocument document) {
    boolean isOld =
        !document.root().has("authority") && !document.rule("AUTHORITY").entries().isEmpty();
    return isOld ? new String[] {"rules", "!AUTHORITY"} : new String[] {"authority"};
  }

  /** Null: there is none. */
  static @Nullable Mapping entry(ConfigurationDocument document, Account account) {
    if (document.at(path(authority(document), "users")) instanceof Listing users) {
      for (DocumentPart item : users.items()) {
        if (item instanceof Mapping user && account.equals(Account.of(user.shown("user")))) {
          return user;
        }
        if (item instanceof Scalar old && account.equals(Account.of(shortAccount(old.text())))) {
          throw Clause.refused(
              account
                  + " is written in the old form name@host:password; write { user: …, password: … }"
                  + " in the file, then RELOAD CONFIGURATION");
        }
      }
    }
    return null;
  }

  /** The account of {@code name@host:password}. */
  private static String shortAccount(String text) {
    int colon = text.indexOf(':', text.indexOf('@'));
    return colon < 0 ? text : text.substring(0, colon);
  }

  /** The place of a key of an account's entry. */
  static String[] place(ConfigurationDocument document, Mapping entry, String... keys) {
    String[] users = path(authority(document), "users", "[" + entry.shown("user") + "]");
    return path(users, keys);
  }

  private static String[] path(String[] first, String... more) {
    var path = new String[first.length + more.length];
    System.arraycopy(first, 0, path, 0, first.length);
    System.arraycopy(more, 0, path, first.length, more.length);
    return path;
  }

  static RefusedException failed(String operation, Account account) {
    return ErrorCatalogue.ACCOUNT_OPERATION_FAILED.refuse(operation, account.quoted());
  }

  // ---------------------------------------------------------------- DROP USER

  private static ConfigurationDocument removed(ConfigurationDocument document, Removal removal) {
    ConfigurationDocument changed = document;
    for (Account account : removal.accounts()) {
      Mapping entry = entry(changed, account);
      if (entry != null) {
        changed = changed.without(place(changed, entry));
      } else if (!removal.isLenient()) {
        throw failed("DROP USER", account);
      }
    }
    return changed;
  }

  // ---------------------------------------------------------------- CREATE and ALTER USER

  private static ConfigurationDocument logins(ConfigurationDocument document, Logins logins) {
    ConfigurationDocument changed = document;
    for (Login login : logins.logins()) {
      Mapping entry = entry(changed, login.account());
      if (logins.creates() == (entry == null)) {
        changed = entry == null ? created(changed, login) : altered(changed, entry, login);
        Mapping made = entry(changed, login.account());
        if (made != null) {
          changed = limited(changed, made, logins);
        }
      } else if (!logins.isLenient()) {
        throw failed(logins.creates() ? "CREATE USER" : "ALTER USER", login.account());
      }
    }
    return changed;
  }

  /** Nobody is let in without a password. */
  static ConfigurationRefusedException passwordless(Account account) {
    return Clause.refused(account + " needs a password: IDENTIFIED BY '…'");
  }

  /** As in MySQL a new account may do nothing. */
  private static ConfigurationDocument created(ConfigurationDocument document, Login login) {
    String password = password(login);
    if (password == null) {
      throw passwordless(login.account());
    }
    var entries = new LinkedHashMap<String, DocumentPart>();
    entries.put("user", new Scalar("", login.account().toString()));
    entries.put(PASSWORD, new Scalar("", password));
    entries.put("grants", new Listing("", List.of()));
    Mapping made = new Mapping("", entries);
    return withMethod(document.with(made, place(document, made)), made, login);
  }

  private static ConfigurationDocument altered(
      ConfigurationDocument document, Mapping entry, Login login) {
    ConfigurationDocument changed = document;
    if (login.discards()) {
      return changed.without(place(changed, entry, RETAINED));
    }
    String password = password(login);
    if (password == null) {
      return changed;
    }
    String former = entry.text(PASSWORD);
    if (login.retains()) {
      if (former == null || former.isEmpty()) {
        throw Clause.refused(login.account() + " has no password that could be retained");
      }
      changed = changed.with(former, place(changed, entry, RETAINED));
    }
    return withMethod(changed.with(password, place(changed, entry, PASSWORD)), entry, login);
  }

  /** Null: left out. */
  private static @Nullable String password(Login login) {
    String text = login.password();
    if (text == null) {
      return null;
    }
    Password parsed = Password.parse(text);
    boolean isHash = !(parsed instanceof Password.Plain);
    if (isHash && !login.isHash()) {
      throw Clause.refused(
          "a password that files would take for a hash: write AS '…' if it is one");
    }
    if (login.isHash()) {
      String method =
          switch (parsed) {
            case Password.NativeHash _ -> "mysql_native_password";
            case Password.Sha2Hash _ -> "caching_sha2_password";
            case null, default -> throw Clause.refused("what AS is followed by is no hash");
          };
      String plugin = login.plugin();
      if (plugin != null && !plugin.equals(method)) {
        throw Clause.refused("a hash of " + method + " for " + plugin);
      }
    }
    return text;
  }

  /** A hash says its method itself. */
  private static ConfigurationDocument withMethod(
      ConfigurationDocument document, Mapping entry, Login login) {
    if (login.isHash()) {
      return document.without(place(document, entry, METHOD));
    }
    String plugin = login.plugin();
    if (plugin == null) {
      return document;
    }
    String type = method(plugin);
    String[] authority = authority(document);
    String name = null;
    if (document.at(path(authority, "authenticators")) instanceof Mapping known) {
      for (Map.Entry<String, Mapping> each : known.mappings().entrySet()) {
        if (method(each.getValue().shown("type")).equals(type)) {
          name = each.getKey();
        }
      }
    }
    ConfigurationDocument changed = document;
    if (name == null) {
      name = type.toLowerCase(Locale.ROOT);
      changed = changed.with(type, path(authority, "authenticators", name, "type"));
    }
    return changed.with(name, place(changed, entry, METHOD));
  }

  private static String method(String plugin) {
    String upper = plugin.toUpperCase(Locale.ROOT);
    return switch (upper) {
      case "NATIVE", "" -> "MYSQL_NATIVE_PASSWORD";
      case "CACHING_SHA2" -> "CACHING_SHA2_PASSWORD";
      case "CLIENT_ED25519" -> "ED25519";
      default -> upper;
    };
  }

  private static ConfigurationDocument limited(
      ConfigurationDocument document, Mapping entry, Logins logins) {
    ConfigurationDocument changed = document;
    String requirement = logins.requirement();
    if (requirement != null) {
      changed =
          requirement.equals("NONE")
              ? changed.without(place(changed, entry, "require"))
              : changed.with(requirement, place(changed, entry, "require"));
    }
    String most = logins.maxConnections();
    if (most != null) {
      changed =
          most.equals("0")
              ? changed.without(place(changed, entry, "maxConnections"))
              : changed.with(most, place(changed, entry, "maxConnections"));
    }
    Integer lifetime = logins.lifetime();
    if (lifetime != null) {
      LocalDate day = LocalDate.now(ZoneOffset.UTC).plusDays(lifetime);
      changed =
          lifetime == 0
              ? changed.without(place(changed, entry, EXPIRES))
              : changed.with(day.toString(), place(changed, entry, EXPIRES));
    }
    return changed;
  }
}
