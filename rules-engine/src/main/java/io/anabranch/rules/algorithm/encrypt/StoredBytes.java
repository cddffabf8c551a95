package io.anabranch.rules.algorithm.encrypt;

import java.util.Base64;
import java.util.HexFormat;

/** Bytes as they are stored: in Base64, or in hexadecimal digits. */
final class StoredBytes {

  private StoredBytes() {}

  /**
   * @throws IllegalArgumentException without the text, which the decoder's own would quote
   */
  static byte[] of(String stored) {
    try {
      return Base64.getDecoder().decode(stored);
    } catch (IllegalArgumentException _) {
      throw new IllegalArgumentException("it is no ciphertext");
    }
  }

  /**
   * @throws IllegalArgumentException without the text
   */
  static byte[] ofDigits(String stored) {
    try {
      return HexFormat.of().parseHex(stored);
    } catch (IllegalArgumentException _) {
      throw new IllegalArgumentException("it is no ciphertext");
    }
  }
}
