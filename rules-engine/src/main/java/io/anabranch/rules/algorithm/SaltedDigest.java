package io.anabranch.rules.algorithm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A value followed by a salt, as hexadecimal digits of their digest: {@code MD5} as ShardingSphere
 * makes it. Immutable.
 */
public final class SaltedDigest {

  private final String algorithm;
  private final String salt;

  /**
   * Reads {@code salt}, and checks that there is no other property.
   *
   * @param algorithm as Java calls it
   */
  public SaltedDigest(String algorithm, AlgorithmProperties properties) {
    this.algorithm = algorithm;
    this.salt = properties.text("salt", "");
    properties.check();
  }

  /** In lower case. */
  public String of(String value) {
    try {
      byte[] digest = MessageDigest.getInstance(algorithm).digest((value + salt).getBytes(UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(algorithm + " is not at hand", e);
    }
  }
}
