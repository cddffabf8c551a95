package io.anabranch.rules.model;

import io.anabranch.rules.account.StoredAccounts;
import io.anabranch.rules.right.Grants;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Users and what they may see.
 *
 * @param databaseGrants key {@code user@host} in lower case to the logical databases that {@code
 *     DATABASE_PERMITTED} names; {@code *} is all; ignored when {@code allPermitted}
 * @param stored who is asked about names that are not among the users; null: they are unknown
 */
public record Authority(
    List<User> users,
    boolean allPermitted,
    Map<String, Set<String>> databaseGrants,
    @Nullable StoredAccounts stored) {

  public Authority {
    users = List.copyOf(users);
    databaseGrants = Map.copyOf(databaseGrants);
  }

  /** Users alone. */
  public Authority(
      List<User> users, boolean allPermitted, Map<String, Set<String>> databaseGrants) {
    this(users, allPermitted, databaseGrants, null);
  }

  /**
   * @param host pattern; {@code %} any
   * @param admin all rights
   * @param authenticationMethod which plugin the server asks this user for
   * @param requirement how this user's connections must be secured
   * @param maxConnections at the same time; 0: no limit of its own
   * @param grants what the user may do; unlimited: what {@code privilege} says
   * @param hints of {@link #GUARDED_HINTS}, those that the user may use
   * @param retained the password before, which is still good; null: none is
   * @param passwordExpires the day by which the password is to be changed, UTC; null: never. It is
   *     told, and nobody is turned away for it
   */
  public record User(
      String name,
      String host,
      Password password,
      boolean admin,
      AuthenticationMethod authenticationMethod,
      Requirement requirement,
      int maxConnections,
      Grants grants,
      Set<String> hints,
      @Nullable Password retained,
      @Nullable LocalDate passwordExpires) {

    /** Keys of hints that leave the rules, without underscores: administrators may use them. */
    public static final Set<String> GUARDED_HINTS = Set.of("datasourcename");

    public User {
      hints = Set.copyOf(hints);
    }

    /** A user with a password in clear, without further demands. */
    public User(
        String name,
        String host,
        String password,
        boolean admin,
        AuthenticationMethod authenticationMethod) {
      this(
          name,
          host,
          new Password.Plain(password),
          admin,
          authenticationMethod,
          Requirement.NONE,
          0,
          Grants.UNLIMITED,
          Set.of(),
          null,
          null);
    }

    /** The password that the shipped {@code global.yaml} gives its user. */
    public static final String SAMPLE_PASSWORD = "anabranch";

    /** Whether nobody logs in by this name: accounts of a store act as it. */
    public boolean isRole() {
      return password instanceof Password.OfNobody;
    }

    /** Whether the shipped password was never changed: refused where others can connect. */
    public boolean hasSamplePassword() {
      return isSample(password) || (retained != null && isSample(retained));
    }

    private static boolean isSample(Password password) {
      return password instanceof Password.Plain(String text) && text.equals(SAMPLE_PASSWORD);
    }

    /** Without the password. */
    @Override
    public String toString() {
      return name + "@" + host;
    }
  }

  /** Authentication plugins of the MySQL protocol that clients may be asked for. */
  public enum AuthenticationMethod {
    MYSQL_NATIVE_PASSWORD,
    CACHING_SHA2_PASSWORD,
    /** MariaDB's. */
    ED25519,
    /** The password itself, over TLS: for those whom an account store is asked about, only. */
    MYSQL_CLEAR_PASSWORD
  }

  /** {@code REQUIRE} of MySQL's accounts. */
  public enum Requirement {
    NONE,
    /** TLS. */
    SSL,
    /** TLS and a certificate of the client that is vouched for. */
    X509
  }
}
