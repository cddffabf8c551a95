package io.anabranch.frontend.administration.definition;

import io.anabranch.rules.right.Privilege;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A statement of MySQL about accounts, as far as the proxy has such things. */
public sealed interface AccountStatement {

  /**
   * CREATE USER and ALTER USER.
   *
   * @param creates else it alters
   * @param isLenient those that are there already, or are not there, are passed over
   * @param requirement what REQUIRE is followed by; null: left out
   * @param maxConnections at the same time; null: left out
   * @param lifetime days from now until the passwords are to be changed; 0: never; null: left out
   */
  record Logins(
      boolean creates,
      boolean isLenient,
      List<Login> logins,
      @Nullable String requirement,
      @Nullable String maxConnections,
      @Nullable Integer lifetime)
      implements AccountStatement {}

  /** DROP USER. */
  record Removal(boolean isLenient, List<Account> accounts) implements AccountStatement {}

  /**
   * GRANT and REVOKE.
   *
   * @param gives else it takes away
   * @param privileges empty: USAGE, which is none
   * @param level on what; null: on everything, whatever it is granted on
   */
  record Rights(
      boolean gives, Set<Privilege> privileges, @Nullable Level level, List<Account> accounts)
      implements AccountStatement {}

  /**
   * What privileges are granted on.
   *
   * @param database logical, or {@code *}
   * @param table or {@code *}
   */
  record Level(String database, String table) {}

  /**
   * How an account logs in.
   *
   * @param plugin that is asked for; null: what it has, or the file's default
   * @param password in clear or as a hash; null: left out
   * @param isHash whether the password is one
   * @param retains the password before stays good beside it
   * @param discards the password before is not good any more
   */
  record Login(
      Account account,
      @Nullable String plugin,
      @Nullable String password,
      boolean isHash,
      boolean retains,
      boolean discards) {

    /** Without the password. */
    @Override
    public String toString() {
      return account.toString();
    }
  }
}
