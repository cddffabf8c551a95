package io.anabranch.rules.algorithm.mask;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Values that can be compared, but not read. */
final class Digests {

  private Digests() {}

  /** Of the value, followed by the salt. */
  static Masker md5(AlgorithmProperties properties) {
    String salt = properties.text("salt", "");
    properties.check();
    return value ->
        HexFormat.of().formatHex(digest().digest((value + salt).getBytes(StandardCharsets.UTF_8)));
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has MD5", e);
    }
  }
}
