package io.anabranch.rules.algorithm.encrypt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * {@code MD5} as ShardingSphere stores it, and {@code SHA256} alike: the digest of value and salt
 * in hexadecimal digits. There is no way back, but whoever knows the salt can try out values:
 * {@code HMAC_SHA256} has a key.
 */
final class DigestEncryptor implements Encryptor {

  static final String MD5 = "MD5";
  static final String SHA256 = "SHA256";

  private final String algorithm;
  private final String salt;

  private DigestEncryptor(String algorithm, String salt) {
    this.algorithm = algorithm;
    this.salt = salt;
  }

  static Encryptor md5(AlgorithmProperties properties) {
    return create("MD5", properties);
  }

  static Encryptor sha256(AlgorithmProperties properties) {
    return create("SHA-256", properties);
  }

  private static Encryptor create(String algorithm, AlgorithmProperties properties) {
    String salt = properties.text("salt", "");
    properties.check();
    return new DigestEncryptor(algorithm, salt);
  }

  @Override
  public String encrypt(String plain) {
    try {
      byte[] digest = MessageDigest.getInstance(algorithm).digest((plain + salt).getBytes(UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(algorithm + " is not at hand", e);
    }
  }
}
