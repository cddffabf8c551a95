package io.anabranch.rules.algorithm.encrypt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * {@code AES} as ShardingSphere stores it: the key is the first 16 bytes of a digest of the key's
 * text, the mode ECB with PKCS #5 padding, what is stored Base64. The same text is always stored
 * alike.
 */
final class AesEncryptor implements Encryptor {

  static final String TYPE = "AES";

  private static final String TRANSFORMATION = "AES/ECB/PKCS5Padding";
  private static final int KEY_BYTES = 16;

  private final SecretKeySpec key;

  private final IdleCiphers idle = new IdleCiphers(() -> cipher(Cipher.ENCRYPT_MODE));

  private AesEncryptor(SecretKeySpec key) {
    this.key = key;
  }

  static Encryptor create(AlgorithmProperties properties) {
    String text = properties.requiredText("aes-key-value");
    String algorithm = properties.text("digest-algorithm-name", "SHA-1");
    byte[] digest = new byte[KEY_BYTES];
    try {
      digest = MessageDigest.getInstance(algorithm).digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException _) {
      properties.problem("digest-algorithm-name", "is no digest of this Java: " + algorithm);
    }
    properties.check();
    return new AesEncryptor(new SecretKeySpec(Arrays.copyOf(digest, KEY_BYTES), "AES"));
  }

  private Cipher cipher(int mode) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(TRANSFORMATION);
    cipher.init(mode, key);
    return cipher;
  }

  @Override
  public String encrypt(String plain) {
    try {
      Cipher cipher = idle.take();
      String stored = Base64.getEncoder().encodeToString(cipher.doFinal(plain.getBytes(UTF_8)));
      idle.give(cipher);
      return stored;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES does not encrypt", e);
    }
  }

  @Override
  public Decryptor decryptor() {
    Cipher cipher;
    try {
      cipher = cipher(Cipher.DECRYPT_MODE);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES is not at hand", e);
    }
    return stored -> {
      byte[] bytes = StoredBytes.of(stored);
      try {
        return new String(cipher.doFinal(bytes), UTF_8);
      } catch (GeneralSecurityException e) {
        throw new IllegalArgumentException("it was encrypted with another key, or is damaged", e);
      }
    };
  }
}
