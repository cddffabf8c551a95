package io.anabranch.rules.algorithm.encrypt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * {@code RC4} as ShardingSphere stores it, to read what lies there: the cipher is broken, and has
 * no place in new tables.
 */
final class Rc4Encryptor implements Encryptor {

  static final String TYPE = "RC4";

  private static final String ALGORITHM = "ARCFOUR";
  private static final int SHORTEST = 5;
  private static final int LONGEST = 128;

  private final SecretKeySpec key;

  private Rc4Encryptor(SecretKeySpec key) {
    this.key = key;
  }

  static Encryptor create(AlgorithmProperties properties) {
    byte[] key = properties.requiredText("rc4-key-value").getBytes(UTF_8);
    if (key.length < SHORTEST || key.length > LONGEST) {
      properties.problem("rc4-key-value", "must have from 5 to 128 bytes");
    }
    properties.check();
    return new Rc4Encryptor(new SecretKeySpec(key, ALGORITHM));
  }

  /** The same in both directions; begins anew with each value. */
  private byte[] apply(byte[] bytes) {
    try {
      Cipher cipher = Cipher.getInstance(ALGORITHM);
      cipher.init(Cipher.ENCRYPT_MODE, key);
      return cipher.doFinal(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("RC4 is not at hand", e);
    }
  }

  @Override
  public String encrypt(String plain) {
    return Base64.getEncoder().encodeToString(apply(plain.getBytes(UTF_8)));
  }

  @Override
  public Decryptor decryptor() {
    return stored -> new String(apply(StoredBytes.of(stored)), UTF_8);
  }
}
