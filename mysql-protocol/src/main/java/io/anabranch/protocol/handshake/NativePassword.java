package io.anabranch.protocol.handshake;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * {@code mysql_native_password}: the client proves that it knows SHA1(password), the server keeps
 * SHA1(SHA1(password)).
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_authentication_methods_native_password_authentication.html">Native
 * Authentication</a>.
 */
public final class NativePassword {

  public static final String PLUGIN = "mysql_native_password";

  private static final byte[] NOTHING = {};

  private NativePassword() {}

  /** What the server keeps: SHA1(SHA1(password)). */
  public static byte[] digest(byte[] password) {
    MessageDigest sha1 = sha1();
    return sha1.digest(sha1.digest(password));
  }

  /** What the client answers; nothing for an empty password. */
  public static byte[] scramble(byte[] password, byte[] nonce) {
    if (password.length == 0) {
      return NOTHING;
    }
    MessageDigest sha1 = sha1();
    byte[] once = sha1.digest(password);
    byte[] twice = sha1.digest(once);
    sha1.update(nonce);
    byte[] mask = sha1.digest(twice);
    return xor(once, mask);
  }

  /**
   * Whether {@code response} proves the password of {@code digest}, in time that does not depend on
   * where they differ. An empty response never does.
   */
  public static boolean verify(byte[] response, byte[] nonce, byte[] digest) {
    MessageDigest sha1 = sha1();
    sha1.update(nonce);
    byte[] mask = sha1.digest(digest);
    if (response.length != mask.length) {
      return false;
    }
    byte[] once = xor(response, mask);
    return MessageDigest.isEqual(sha1.digest(once), digest);
  }

  private static byte[] xor(byte[] left, byte[] right) {
    byte[] result = new byte[left.length];
    for (int i = 0; i < left.length; i++) {
      result[i] = (byte) (left[i] ^ right[i]);
    }
    return result;
  }

  private static MessageDigest sha1() {
    try {
      return MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-1", e);
    }
  }
}
