package io.anabranch.protocol.handshake;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;

/**
 * {@code caching_sha2_password}: fast with a digest that the server has in memory, full with the
 * password itself, over TLS or encrypted with the server's RSA key.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_caching_sha2_authentication_exchanges.html">Caching_sha2_password
 * information</a>.
 */
public final class CachingSha2 {

  public static final String PLUGIN = "caching_sha2_password";

  /** Client: send me your public key. */
  public static final int REQUEST_PUBLIC_KEY = 2;

  /** Server, in AuthMoreData: the scramble was right, OK follows. */
  public static final int FAST_AUTH_SUCCESS = 3;

  /** Server, in AuthMoreData: the password itself, please. */
  public static final int PERFORM_FULL_AUTHENTICATION = 4;

  /**
   * Bytes of the longest password that servers look at: what its hash costs grows with the square
   * of its length.
   *
   * @see <a
   *     href="https://dev.mysql.com/doc/refman/8.4/en/caching-sha2-pluggable-authentication.html">Caching
   *     SHA-2</a>
   */
  private static final int LONGEST_PASSWORD = 256;

  private static final int KEY_BITS = 2048;
  private static final String PADDING = "RSA/ECB/OAEPWithSHA-1AndMGF1Padding";
  private static final byte[] NOTHING = {};

  private CachingSha2() {}

  /** What the server keeps in memory: SHA256(SHA256(password)). */
  public static byte[] digest(byte[] password) {
    MessageDigest sha256 = sha256();
    return sha256.digest(sha256.digest(password));
  }

  /** What the client answers first; nothing for an empty password. */
  public static byte[] scramble(byte[] password, byte[] nonce) {
    if (password.length == 0) {
      return NOTHING;
    }
    MessageDigest sha256 = sha256();
    byte[] once = sha256.digest(password);
    sha256.update(sha256.digest(once));
    byte[] mask = sha256.digest(nonce);
    return xor(once, mask);
  }

  /**
   * Whether {@code response} proves the password of {@code digest}, in time that does not depend on
   * where they differ. An empty response never does.
   */
  public static boolean verify(byte[] response, byte[] nonce, byte[] digest) {
    MessageDigest sha256 = sha256();
    sha256.update(digest);
    byte[] mask = sha256.digest(nonce);
    if (response.length != mask.length) {
      return false;
    }
    byte[] once = xor(response, mask);
    return MessageDigest.isEqual(sha256.digest(once), digest);
  }

  /** A fresh key pair; takes tens of milliseconds, so once per server. */
  public static KeyPair generateKeyPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(KEY_BITS);
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has RSA", e);
    }
  }

  /** The key as the server sends it in AuthMoreData. */
  public static String pem(PublicKey key) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
    return "-----BEGIN PUBLIC KEY-----\n" + lines + "\n-----END PUBLIC KEY-----\n";
  }

  /** The client's side of {@link #decrypt}. */
  public static byte[] encrypt(byte[] password, byte[] nonce, PublicKey key)
      throws GeneralSecurityException {
    byte[] terminated = Arrays.copyOf(password, password.length + 1);
    Cipher cipher = Cipher.getInstance(PADDING);
    cipher.init(Cipher.ENCRYPT_MODE, key);
    return cipher.doFinal(xorRepeated(terminated, nonce));
  }

  /** The password of an encrypted answer; null when it was not made with this key and nonce. */
  public static byte @Nullable [] decrypt(byte[] encrypted, byte[] nonce, PrivateKey key) {
    byte[] masked;
    try {
      Cipher cipher = Cipher.getInstance(PADDING);
      cipher.init(Cipher.DECRYPT_MODE, key);
      masked = cipher.doFinal(encrypted);
    } catch (GeneralSecurityException e) {
      return null;
    }
    return withoutNul(xorRepeated(masked, nonce));
  }

  /**
   * The password of an answer in clear, which ends with NUL; null when it does not, or is longer
   * than servers take.
   */
  public static byte @Nullable [] withoutNul(byte[] password) {
    int last = password.length - 1;
    boolean isOne = last >= 0 && last <= LONGEST_PASSWORD && password[last] == 0;
    return isOne ? Arrays.copyOf(password, last) : null;
  }

  private static byte[] xorRepeated(byte[] bytes, byte[] mask) {
    byte[] result = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      result[i] = (byte) (bytes[i] ^ mask[i % mask.length]);
    }
    return result;
  }

  private static byte[] xor(byte[] left, byte[] right) {
    byte[] result = new byte[left.length];
    for (int i = 0; i < left.length; i++) {
      result[i] = (byte) (left[i] ^ right[i]);
    }
    return result;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
