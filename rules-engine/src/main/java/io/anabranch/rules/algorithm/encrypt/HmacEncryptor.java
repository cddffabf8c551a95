package io.anabranch.rules.algorithm.encrypt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** {@code HMAC_SHA256}: a digest that nobody can compute without the key, in hexadecimal digits. */
final class HmacEncryptor implements Encryptor {

  static final String TYPE = "HMAC_SHA256";

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  private HmacEncryptor(SecretKeySpec key) {
    this.key = key;
  }

  static Encryptor create(AlgorithmProperties properties) {
    String text = properties.requiredText("hmac-key-value");
    properties.check();
    return new HmacEncryptor(new SecretKeySpec(text.getBytes(UTF_8), ALGORITHM));
  }

  @Override
  public String encrypt(String plain) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return HexFormat.of().formatHex(mac.doFinal(plain.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is not at hand", e);
    }
  }
}
