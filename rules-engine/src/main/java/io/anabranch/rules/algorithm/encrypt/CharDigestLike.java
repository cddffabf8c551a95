package io.anabranch.rules.algorithm.encrypt;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.util.HashMap;
import java.util.Map;

/**
 * {@code CHAR_DIGEST_LIKE}, ShardingSphere's digest of single characters, of which several become
 * the same one. LIKE finds whatever it should, and rows beside it that differ in such characters.
 *
 * <p>ShardingSphere's own dictionary, a list of common Chinese characters, is not built in: without
 * the property {@code dict} characters beyond Latin-1 are refused, as they would be stored
 * otherwise than there.
 */
final class CharDigestLike implements Encryptor {

  static final String TYPE = "CHAR_DIGEST_LIKE";

  private static final String DICT = "dict";
  private static final int DEFAULT_MASK = 0b1111_0111_1101;
  private static final int DEFAULT_START = 0x4e00;
  private static final int LAST_LATIN = 255;
  private static final int BELOW_SURROGATES = 0x7fff;

  private final int delta;
  private final int mask;
  private final int start;
  private final boolean hasDictionary;
  private final Map<Character, Integer> indexes;

  private CharDigestLike(
      int delta, int mask, int start, boolean hasDictionary, Map<Character, Integer> indexes) {
    this.delta = delta;
    this.mask = mask;
    this.start = start;
    this.hasDictionary = hasDictionary;
    this.indexes = Map.copyOf(indexes);
  }

  static Encryptor create(AlgorithmProperties properties) {
    int delta = properties.integer("delta", 1, 0, Character.MAX_VALUE);
    int mask = properties.integer("mask", DEFAULT_MASK, 0, Character.MAX_VALUE);
    int start = properties.integer("start", DEFAULT_START, 0, Character.MAX_VALUE);
    String dictionary = properties.text(DICT, "");
    properties.check();
    var indexes = new HashMap<Character, Integer>();
    for (int i = 0; i < dictionary.length(); i++) {
      indexes.put(dictionary.charAt(i), i);
    }
    return new CharDigestLike(delta, mask, start, !dictionary.isEmpty(), indexes);
  }

  @Override
  public boolean isForPatterns() {
    return true;
  }

  @Override
  public String encrypt(String plain) {
    var digest = new StringBuilder(plain.length());
    for (int i = 0; i < plain.length(); i++) {
      char c = plain.charAt(i);
      digest.append(c == '%' || c == '_' ? c : digest(c));
    }
    return digest.toString();
  }

  private char digest(char c) {
    if (c <= LAST_LATIN) {
      return whole(c + delta & mask);
    }
    if (!hasDictionary) {
      throw new IllegalArgumentException(
          "CHAR_DIGEST_LIKE takes characters beyond Latin-1 with the property `dict` only");
    }
    Integer index = indexes.get(c);
    return whole((index == null ? c + delta & mask : index + delta & mask) + start);
  }

  /**
   * A digest that is a character by itself: a half of one would be stored as a question mark, or
   * make one together with its neighbour, which no pattern takes apart again.
   */
  private static char whole(int digest) {
    char c = (char) digest;
    return Character.isSurrogate(c) ? (char) (c & BELOW_SURROGATES) : c;
  }
}
