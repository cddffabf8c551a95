package io.anabranch.frontend.auth;

import io.anabranch.protocol.handshake.CachingSha2;
import io.anabranch.protocol.handshake.NativePassword;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.Authority.AuthenticationMethod;

/**
 * A user with what its password is checked against. Thread-safe.
 *
 * <p>Also the stand-in of users that do not exist: then all is computed as for another user, so
 * that neither the conversation nor its time tells, but nothing is right.
 */
final class Account {

  private final Authority.User user;
  private final HostPattern host;
  private final Credential credential;
  private final boolean isKnown;

  private Account(Authority.User user, HostPattern host, Credential credential, boolean isKnown) {
    this.user = user;
    this.host = host;
    this.credential = credential;
    this.isKnown = isKnown;
  }

  static Account of(Authority.User user) {
    return new Account(user, HostPattern.of(user.host()), Credential.of(user.password()), true);
  }

  /** Behaves as this account, but nobody can log in. */
  Account asStandIn() {
    return new Account(user, host, credential, false);
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
    boolean isSha2 = plugin.equals(CachingSha2.PLUGIN) && credential.sha2Digest() != null;
    return isSha2 ? AuthenticationMethod.CACHING_SHA2_PASSWORD : user.authenticationMethod();
  }

  /** Whether a response of mysql_native_password is right. */
  boolean verifyNative(byte[] response, byte[] nonce) {
    if (response.length == 0 || user.password().isEmpty()) {
      return isKnown && response.length == 0 && user.password().isEmpty();
    }
    return NativePassword.verify(response, nonce, credential.nativeDigest()) && isKnown;
  }

  /** Whether the first response of caching_sha2_password is right. */
  boolean verifySha2(byte[] response, byte[] nonce) {
    if (isEmptySha2(response) || user.password().isEmpty()) {
      return isKnown && isEmptySha2(response) && user.password().isEmpty();
    }
    byte[] digest = credential.sha2Digest();
    return digest != null && CachingSha2.verify(response, nonce, digest) && isKnown;
  }

  /** Whether this is the password itself; computes for some milliseconds. */
  boolean verifyPlain(byte[] password) {
    return credential.verifyPlain(password) && isKnown;
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
