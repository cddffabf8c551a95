package io.anabranch.protocol.handshake;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The slow hash in which MySQL keeps passwords of caching_sha2_password: <a
 * href="https://www.akkadia.org/drepper/SHA-crypt.txt">SHA-crypt</a> with SHA-256, over salts of 20
 * bytes.
 */
public final class Sha256Crypt {

  private static final int LENGTH = 32;
  private static final int TEXT_LENGTH = 43;

  private static final String ALPHABET =
      "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private Sha256Crypt() {}

  /**
   * Some milliseconds of computing.
   *
   * @return 43 characters
   */
  public static byte[] hash(byte[] password, byte[] salt, int rounds) {
    MessageDigest sha256 = sha256();
    byte[] digest = start(sha256, password, salt);
    byte[] p = repeated(digestOf(sha256, password, password.length), password.length);
    byte[] s = repeated(digestOf(sha256, salt, 16 + (digest[0] & 0xFF)), salt.length);
    for (int round = 0; round < rounds; round++) {
      boolean odd = (round & 1) != 0;
      sha256.update(odd ? p : digest);
      if (round % 3 != 0) {
        sha256.update(s);
      }
      if (round % 7 != 0) {
        sha256.update(p);
      }
      sha256.update(odd ? digest : p);
      digest = sha256.digest();
    }
    return text(digest);
  }

  private static byte[] start(MessageDigest sha256, byte[] password, byte[] salt) {
    sha256.update(password);
    sha256.update(salt);
    byte[] alternate = sha256.digest(password);
    sha256.update(password);
    sha256.update(salt);
    sha256.update(repeated(alternate, password.length));
    for (int bits = password.length; bits > 0; bits >>= 1) {
      sha256.update((bits & 1) != 0 ? alternate : password);
    }
    return sha256.digest();
  }

  private static byte[] digestOf(MessageDigest sha256, byte[] input, int times) {
    for (int i = 0; i < times; i++) {
      sha256.update(input);
    }
    return sha256.digest();
  }

  private static byte[] repeated(byte[] pattern, int length) {
    byte[] result = new byte[length];
    for (int at = 0; at < length; at += pattern.length) {
      System.arraycopy(pattern, 0, result, at, Math.min(pattern.length, length - at));
    }
    return result;
  }

  /** Base 64 of its own kind, over bytes in an order of its own. */
  private static byte[] text(byte[] digest) {
    byte[] text = new byte[TEXT_LENGTH];
    int a = 0;
    int b = 10;
    int c = 20;
    int at = 0;
    for (int i = 0; i < 10; i++) {
      at = append(text, at, digest[a], digest[b], digest[c], 4);
      int first = a;
      a = (c + 1) % 30;
      c = (b + 1) % 30;
      b = (first + 1) % 30;
    }
    append(text, at, (byte) 0, digest[LENGTH - 1], digest[LENGTH - 2], 3);
    return text;
  }

  private static int append(byte[] text, int at, byte high, byte middle, byte low, int count) {
    int value = (high & 0xFF) << 16 | (middle & 0xFF) << 8 | (low & 0xFF);
    for (int i = 0; i < count; i++) {
      text[at + i] = (byte) ALPHABET.charAt(value & 0x3F);
      value >>>= 6;
    }
    return at + count;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
