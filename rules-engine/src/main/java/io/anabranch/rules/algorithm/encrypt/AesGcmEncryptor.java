package io.anabranch.rules.algorithm.encrypt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * {@code AES_GCM}: AES of 256 bits with a nonce for each value, and proof that nobody has changed
 * it. What is stored is {@code keyId:Base64(nonce ‖ ciphertext ‖ tag)}, so that keys can be
 * changed: new rows are encrypted with the key that {@code key-id} names, old ones are read with
 * theirs, which stays among the properties. A key is the SHA-256 of its text. The same text is
 * never stored alike: to be compared, the column needs an assisted query column.
 */
final class AesGcmEncryptor implements Encryptor {

  static final String TYPE = "AES_GCM";

  private static final String TRANSFORMATION = "AES/GCM/NoPadding";
  private static final String KEY = "key-value-";
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.-]{1,32}");
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final String current;
  private final SecretKeySpec currentKey;
  private final Map<String, SecretKeySpec> keys;
  private final IdleCiphers idle = new IdleCiphers(() -> Cipher.getInstance(TRANSFORMATION));
  private final Nonces nonces = new Nonces(NONCE_BYTES);

  private AesGcmEncryptor(
      String current, SecretKeySpec currentKey, Map<String, SecretKeySpec> keys) {
    this.current = current;
    this.currentKey = currentKey;
    this.keys = Map.copyOf(keys);
  }

  static Encryptor create(AlgorithmProperties properties) {
    String current = properties.requiredText("key-id");
    var keys = new HashMap<String, SecretKeySpec>();
    for (String name : properties.names(KEY)) {
      String id = name.substring(KEY.length());
      if (!ID.matcher(id).matches()) {
        properties.problem(name, "must end with an id of letters, digits and _.-");
      }
      keys.put(id, key(properties.requiredText(name)));
    }
    SecretKeySpec currentKey = keys.get(current);
    if (currentKey == null) {
      properties.problem("key-id", "names no key: there is no " + KEY + current);
    }
    properties.check();
    return new AesGcmEncryptor(current, currentKey == null ? key("") : currentKey, keys);
  }

  private static SecretKeySpec key(String text) {
    try {
      return new SecretKeySpec(
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)), "AES");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("SHA-256 is not at hand", e);
    }
  }

  @Override
  public boolean isDeterministic() {
    return false;
  }

  @Override
  public String encrypt(String plain) {
    byte[] nonce = nonces.next();
    byte[] text = plain.getBytes(UTF_8);
    try {
      Cipher cipher = idle.take();
      cipher.init(Cipher.ENCRYPT_MODE, currentKey, new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(current.getBytes(UTF_8));
      byte[] stored = Arrays.copyOf(nonce, NONCE_BYTES + cipher.getOutputSize(text.length));
      cipher.doFinal(text, 0, text.length, stored, NONCE_BYTES);
      idle.give(cipher);
      return current + ":" + Base64.getEncoder().encodeToString(stored);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES does not encrypt", e);
    }
  }

  @Override
  public Decryptor decryptor() {
    Cipher cipher;
    try {
      cipher = Cipher.getInstance(TRANSFORMATION);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES is not at hand", e);
    }
    return stored -> decrypt(cipher, stored);
  }

  private String decrypt(Cipher cipher, String stored) {
    int colon = stored.indexOf(':');
    SecretKeySpec key = colon < 0 ? null : keys.get(stored.substring(0, colon));
    if (key == null) {
      throw new IllegalArgumentException("it names none of the keys that are configured");
    }
    byte[] bytes = StoredBytes.of(stored.substring(colon + 1));
    if (bytes.length < NONCE_BYTES) {
      throw new IllegalArgumentException("it is too short");
    }
    try {
      cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, bytes, 0, NONCE_BYTES));
      cipher.updateAAD(stored.substring(0, colon).getBytes(UTF_8));
      return new String(cipher.doFinal(bytes, NONCE_BYTES, bytes.length - NONCE_BYTES), UTF_8);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("it was encrypted with another key, or is damaged", e);
    }
  }
}
