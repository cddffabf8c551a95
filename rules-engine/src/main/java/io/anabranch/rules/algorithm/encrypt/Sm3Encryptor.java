package io.anabranch.rules.algorithm.encrypt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.util.HexFormat;
import org.bouncycastle.crypto.digests.SM3Digest;

/**
 * {@code SM3} as ShardingSphere stores it: the digest of a value followed by a salt, in hexadecimal
 * digits (GB/T 32905).
 */
final class Sm3Encryptor implements Encryptor {

  static final String TYPE = "SM3";

  private static final String SALT = "sm3-salt";
  private static final int SALT_CHARACTERS = 8;

  private final String salt;

  private Sm3Encryptor(String salt) {
    this.salt = salt;
  }

  static Encryptor create(AlgorithmProperties properties) {
    String salt = properties.text(SALT, "");
    if (!salt.isEmpty() && salt.length() != SALT_CHARACTERS) {
      properties.problem(SALT, "must be empty, or 8 characters long");
    }
    properties.check();
    return new Sm3Encryptor(salt);
  }

  @Override
  public String encrypt(String plain) {
    byte[] salted = (plain + salt).getBytes(UTF_8);
    var digest = new SM3Digest();
    digest.update(salted, 0, salted.length);
    byte[] result = new byte[digest.getDigestSize()];
    digest.doFinal(result, 0);
    return HexFormat.of().formatHex(result);
  }
}
