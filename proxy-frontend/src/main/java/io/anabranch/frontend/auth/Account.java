package io.anabranch.frontend.auth;

import io.anabranch.protocol.handshake.CachingSha2;
import io.anabranch.protocol.handshake.Ed25519Password;
import io.anabranch.protocol.handshake.NativePassword;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.Authority.AuthenticationMethod;
import io.anabranch.rules.model.Authority.Requirement;
import io.anabranch.rules.model.Password;
import io.anabranch.rules.right.Grants;
import java.security.PublicKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A user with what its password is checked against. Thread-safe.
 *
 * <p>Also the stand-in of users that do not exist: then all is computed as for another user, so
 * that neither the conversation nor its time tells, but nothing is right.
 */
final class Account {

  /** Whoever an account store is asked about, while it is not known whose rights it has. */
  static final Account STORED =
      of(new Authority.User(
              "",
              "",
              new Password.OfNobody(),
              false,
              AuthenticationMethod.MYSQL_CLEAR_PASSWORD,
              Requirement.NONE,
              0,
              Grants.UNLIMITED,
              Set.of(),
              null,
              null))
          .asStandIn();

  private final Authority.User user;
  private final HostPattern host;

  /** Of its password, and of the one before where that is still good. */
  private final List<Credential> credentials;

  private final boolean isKnown;

  private Account(
      Authority.User user, HostPattern host, List<Credential> credentials, boolean isKnown) {
    this.user = user;
    this.host = host;
    this.credentials = credentials;
    this.isKnown = isKnown;
  }

  static Account of(Authority.User user) {
    boolean signs = user.authenticationMethod() == AuthenticationMethod.ED25519;
    List<Credential> credentials =
        Stream.of(Optional.of(user.password()), Optional.ofNullable(user.retained()))
            .flatMap(Optional::stream)
            .map(password -> Credential.of(password, signs))
            .toList();
    return new Account(user, HostPattern.of(user.host()), credentials, true);
  }

  /** Behaves as this account, but nobody can log in. */
  Account asStandIn() {
    return new Account(user, host, credentials, false);
  }

  /** All are looked at, so that time does not tell which one it was. */
  private boolean isAny(Predicate<Credential> isRight) {
    boolean found = false;
    for (Credential credential : credentials) {
      found |= isRight.test(credential);
    }
    return found && isKnown;
  }

  Authority.User user() {
    return user;
  }

  HostPattern host() {
    return host;
  }

  boolean isKnown() {
    return isKnown;
  }

  /**
   * How a client proves itself that would like to use {@code plugin}. Where the password is known
   * caching_sha2_password is as good as what was configured: clients of MySQL 9 know no other.
   */
  AuthenticationMethod method(String plugin) {
    boolean isKnownInClear =
        credentials.stream().allMatch(credential -> credential.sha2Digest() != null);
    boolean isOther =
        switch (user.authenticationMethod()) {
          case ED25519, MYSQL_CLEAR_PASSWORD -> true;
          case MYSQL_NATIVE_PASSWORD, CACHING_SHA2_PASSWORD -> false;
        };
    boolean isSha2 = plugin.equals(CachingSha2.PLUGIN) && isKnownInClear && !isOther;
    return isSha2 ? AuthenticationMethod.CACHING_SHA2_PASSWORD : user.authenticationMethod();
  }

  /** Whether a response of mysql_native_password is right. */
  boolean verifyNative(byte[] response, byte[] nonce) {
    if (response.length == 0 || user.password().isEmpty()) {
      return isKnown && response.length == 0 && user.password().isEmpty();
    }
    return isAny(credential -> NativePassword.verify(response, nonce, credential.nativeDigest()));
  }

  /** Whether the first response of caching_sha2_password is right. */
  boolean verifySha2(byte[] response, byte[] nonce) {
    if (isEmptySha2(response) || user.password().isEmpty()) {
      return isKnown && isEmptySha2(response) && user.password().isEmpty();
    }
    return isAny(
        credential -> {
          byte[] digest = credential.sha2Digest();
          return digest != null && CachingSha2.verify(response, nonce, digest);
        });
  }

  /** Whether a response of client_ed25519 is right; without a password there is none. */
  boolean verifySigned(byte[] response, byte[] nonce) {
    if (response.length == 0 || user.password().isEmpty()) {
      return isKnown && response.length == 0 && user.password().isEmpty();
    }
    return isAny(
        credential -> {
          PublicKey key = credential.publicKey();
          return key != null && Ed25519Password.verify(response, nonce, key);
        });
  }

  /** Whether this is the password itself; computes for some milliseconds. */
  boolean verifyPlain(byte[] password) {
    return isAny(credential -> credential.verifyPlain(password));
  }

  /** Clients without a password answer nothing, or a NUL. */
  static boolean isEmptySha2(byte[] response) {
    return response.length == 0 || (response.length == 1 && response[0] == 0);
  }

  @Override
  public String toString() {
    return user.toString();
  }
}
