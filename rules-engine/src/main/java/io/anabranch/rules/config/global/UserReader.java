package io.anabranch.rules.config.global;

import io.anabranch.rules.config.yaml.Names;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.Authority.AuthenticationMethod;
import io.anabranch.rules.model.Authority.Requirement;
import io.anabranch.rules.model.Network;
import io.anabranch.rules.model.Password;
import io.anabranch.rules.right.Grant;
import io.anabranch.rules.right.GrantSyntaxException;
import io.anabranch.rules.right.GrantText;
import io.anabranch.rules.right.Grants;
import io.anabranch.rules.secret.Secrets;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One entry of {@code authority.users}. */
final class UserReader {

  /** Hosts that cannot be names. */
  private static final Pattern NUMERIC = Pattern.compile("[0-9]+([.][0-9]+)*(/.*)?");

  private final Function<@Nullable Value, @Nullable AuthenticationMethod> methods;
  private final AuthenticationMethod standard;
  private final Secrets secrets;

  /**
   * @param methods what a name of an authenticator stands for; null and reported if nothing
   * @param standard of users that name none
   */
  UserReader(
      Function<@Nullable Value, @Nullable AuthenticationMethod> methods,
      AuthenticationMethod standard,
      Secrets secrets) {
    this.secrets = secrets;
    this.methods = methods;
    this.standard = standard;
  }

  /** Null, and reported, if it is none. */
  Authority.@Nullable User read(Value item) {
    if (item.isScalar()) {
      return readShort(item);
    }
    Section user = item.section();
    if (user == null) {
      return null;
    }
    String account = user.required("user");
    boolean isRole = user.flag("role", false);
    if (isRole) {
      refuseKeysOfRole(user);
    }
    Password password = isRole ? new Password.OfNobody() : password(user.value("password"));
    Password retained = retained(user.value("retainedPassword"), password);
    LocalDate expires = day(user.value("passwordExpires"));
    boolean admin = user.flag("admin", false);
    AuthenticationMethod named = methods.apply(user.value("authenticationMethodName"));
    Requirement requirement = requirement(user.value("require"));
    int maxConnections = user.integer("maxConnections", 0, 0, Integer.MAX_VALUE);
    Grants grants = grants(user.value("grants"));
    Set<String> hints = hints(user.value("hints"));
    if (admin && !grants.isUnlimited()) {
      item.error("grants of an administrator, who has all rights", "remove `grants` or `admin`");
    }
    user.close();
    AuthenticationMethod method = fitting(item, password, named);
    return of(
        item,
        account,
        password,
        admin,
        method,
        requirement,
        maxConnections,
        grants,
        hints,
        retained,
        expires);
  }

  /** Nobody logs in by the name of a role, so there is nothing to prove. */
  private static void refuseKeysOfRole(Section user) {
    for (String key : List.of("password", "retainedPassword", "authenticationMethodName")) {
      if (user.has(key)) {
        user.problems()
            .error(
                user.keyPlace(key),
                "of a role, by whose name nobody logs in",
                "remove `" + key + "` or `role`");
      }
    }
  }

  /** {@code - name@host:password}, the form before 5.2. */
  private Authority.@Nullable User readShort(Value item) {
    String text = item.text();
    int colon = text == null ? -1 : text.indexOf(':', text.indexOf('@'));
    if (text == null || text.indexOf('@') < 0 || colon < 0) {
      item.error("must have the keys `user` and `password`", null);
      return null;
    }
    // the account is as written: what a secret holds decides nothing but the password
    Secrets.Resolved secret = secrets.resolve(text.substring(colon + 1));
    secret.missing().forEach(missing -> item.error(missing.reason(), missing.cure()));
    if (secret.missing().isEmpty()) {
      refuseNothing(item, text.substring(colon + 1), secret.text());
    }
    Password password = new Password.Plain(secret.text());
    return of(
        item,
        text.substring(0, colon),
        password,
        false,
        standard,
        Requirement.NONE,
        0,
        Grants.UNLIMITED,
        Set.of(),
        null,
        null);
  }

  private static Authority.@Nullable User of(
      Value item,
      String account,
      Password password,
      boolean admin,
      AuthenticationMethod method,
      Requirement requirement,
      int maxConnections,
      Grants grants,
      Set<String> hints,
      @Nullable Password retained,
      @Nullable LocalDate expires) {
    if (account.isEmpty()) {
      return null;
    }
    if (name(account).isEmpty()) {
      item.error("the user has no name", "write name@host");
      return null;
    }
    if (NUMERIC.matcher(host(account)).matches() && Network.parse(host(account)) == null) {
      item.error(
          "`" + host(account) + "` is no address and no network",
          "write 10.1.2.3, 10.1.0.0/16 or 10.1.%");
    }
    return new Authority.User(
        name(account),
        host(account),
        password,
        admin,
        method,
        requirement,
        maxConnections,
        grants,
        hints,
        retained,
        expires);
  }

  /** Unlimited if the key is not there; what is wrong is reported and left out. */
  private static Grants grants(@Nullable Value value) {
    if (value == null) {
      return Grants.UNLIMITED;
    }
    var list = new ArrayList<Grant>();
    for (Value item : value.isScalar() ? List.of(value) : value.items()) {
      String text = item.text();
      try {
        if (text != null) {
          list.add(GrantText.parse(text));
        }
      } catch (GrantSyntaxException e) {
        item.error(String.valueOf(e.getMessage()), e.cure());
      }
    }
    return Grants.of(list);
  }

  /** Keys of hints that are for administrators otherwise. */
  private static Set<String> hints(@Nullable Value value) {
    var hints = new HashSet<String>();
    if (value == null) {
      return hints;
    }
    for (String name : Names.list(value)) {
      String key = name.toLowerCase(Locale.ROOT).replace("_", "");
      if (Authority.User.GUARDED_HINTS.contains(key)) {
        hints.add(key);
      } else {
        value.error("`" + name + "` is no hint that is granted", "there is DATA_SOURCE_NAME");
      }
    }
    return hints;
  }

  private Password password(@Nullable Value value) {
    String text = value == null ? null : value.givenSecret(secrets);
    if (value == null || text == null) {
      return new Password.Plain("");
    }
    Password password = Password.parse(text);
    if (password == null) {
      value.error(
          "is no hash of caching_sha2_password",
          "copy what SHOW CREATE USER prints with print_identified_with_as_hex=ON");
      return new Password.Plain("");
    }
    return password;
  }

  /**
   * A variable that is set to nothing, or a file that is just being written, is no wish for an
   * account without a password.
   */
  private static void refuseNothing(Value at, @Nullable String written, String found) {
    if (found.isEmpty() && written != null && !written.isEmpty()) {
      at.error(
          "what the password refers to is empty",
          "give it a value; a user without a password has `password: \"\"`");
    }
  }

  private static @Nullable LocalDate day(@Nullable Value value) {
    String text = value == null ? null : value.text();
    if (value == null || text == null || value.isNull()) {
      return null;
    }
    try {
      return LocalDate.parse(text.strip());
    } catch (DateTimeParseException e) {
      value.error("`" + text + "` is no day", "write YYYY-MM-DD");
      return null;
    }
  }

  /** The one before: of the same method, because a client is asked once. */
  private @Nullable Password retained(@Nullable Value value, Password password) {
    if (value == null || value.isNull()) {
      return null;
    }
    Password retained = password(value);
    if (retained.isEmpty() || password.isEmpty()) {
      value.error("an empty password beside another", "remove `retainedPassword`");
      return null;
    }
    boolean isHash = !(retained instanceof Password.Plain);
    if (isHash && !retained.getClass().equals(password.getClass())) {
      value.error(
          "a hash of another kind than `password`", "write both in clear, or as hashes alike");
      return null;
    }
    return retained;
  }

  /** A hash serves its own method only, so it decides where nothing else was said. */
  private AuthenticationMethod fitting(
      Value item, Password password, @Nullable AuthenticationMethod named) {
    AuthenticationMethod needed =
        switch (password) {
          case Password.Plain _, Password.OfNobody _ -> null;
          case Password.NativeHash _ -> AuthenticationMethod.MYSQL_NATIVE_PASSWORD;
          case Password.Sha2Hash _ -> AuthenticationMethod.CACHING_SHA2_PASSWORD;
        };
    if (needed == null) {
      return named == null ? standard : named;
    }
    if (named != null && named != needed) {
      item.error(
          "the password is a hash of " + needed + ", the authenticator is " + named,
          "name an authenticator of that type, or give the password in clear");
    }
    return needed;
  }

  private static Requirement requirement(@Nullable Value value) {
    String text = value == null ? null : value.text();
    if (value == null || text == null) {
      return Requirement.NONE;
    }
    return switch (text.toUpperCase(Locale.ROOT)) {
      case "NONE" -> Requirement.NONE;
      case "SSL", "TLS" -> Requirement.SSL;
      case "X509" -> Requirement.X509;
      default -> {
        value.error("`" + text + "` cannot be required", "use NONE, SSL or X509");
        yield Requirement.NONE;
      }
    };
  }

  /** Accounts are compared without regard to case, and no host is any. */
  static String key(String account) {
    return (name(account) + "@" + host(account)).toLowerCase(Locale.ROOT);
  }

  private static String name(String account) {
    int at = account.lastIndexOf('@');
    return at < 0 ? account : account.substring(0, at);
  }

  private static String host(String account) {
    int at = account.lastIndexOf('@');
    String host = at < 0 ? "" : account.substring(at + 1).strip();
    return host.isEmpty() ? "%" : host;
  }
}
