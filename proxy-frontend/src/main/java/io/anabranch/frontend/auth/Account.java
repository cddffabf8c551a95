package io.anabranch.frontend.auth;

import io.anabranch.protocol.handshake.CachingSha2;
import io.anabranch.protocol.handshake.NativePassword;
import io.anabranch.rules.model.Authority;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * A user with what its password is checked against. The digests are made once, when the rules are
 * loaded: the cache that gives caching_sha2_password its name is always warm.
 *
 * @param isKnown false for the stand-in of users that do not exist
 */
record Account(
    Authority.User user,
    HostPattern host,
    byte[] nativeDigest,
    byte[] sha2Digest,
    boolean isKnown) {

  static Account of(Authority.User user) {
    return of(user, true);
  }

  /** Takes the place of a user who does not exist; no password is right. */
  static Account standIn(Authority.User user) {
    return of(user, false);
  }

  private static Account of(Authority.User user, boolean isKnown) {
    byte[] password = user.password().getBytes(StandardCharsets.UTF_8);
    return new Account(
        user,
        HostPattern.of(user.host()),
        NativePassword.digest(password),
        CachingSha2.digest(password),
        isKnown);
  }

  String plugin() {
    return switch (user.authenticationMethod()) {
      case MYSQL_NATIVE_PASSWORD -> NativePassword.PLUGIN;
      case CACHING_SHA2_PASSWORD -> CachingSha2.PLUGIN;
    };
  }

  /** Whether a response of mysql_native_password is right. */
  boolean verifyNative(byte[] response, byte[] nonce) {
    if (response.length == 0 || user.password().isEmpty()) {
      return isKnown && response.length == 0 && user.password().isEmpty();
    }
    // Verified for stand-ins too: the time must not tell which users exist.
    return NativePassword.verify(response, nonce, nativeDigest) && isKnown;
  }

  /** Whether the first response of caching_sha2_password is right. */
  boolean verifySha2(byte[] response, byte[] nonce) {
    if (isEmptySha2(response) || user.password().isEmpty()) {
      return isKnown && isEmptySha2(response) && user.password().isEmpty();
    }
    return CachingSha2.verify(response, nonce, sha2Digest) && isKnown;
  }

  /** Whether this is the password itself. */
  boolean verifyPlain(byte[] password) {
    boolean equal = MessageDigest.isEqual(CachingSha2.digest(password), sha2Digest);
    return equal && isKnown;
  }

  /** Clients without a password answer nothing, or a NUL. */
  static boolean isEmptySha2(byte[] response) {
    return response.length == 0 || (response.length == 1 && response[0] == 0);
  }

  /** Without the digests. */
  @Override
  public String toString() {
    return user.toString();
  }
}
