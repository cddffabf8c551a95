package io.anabranch.rules.lexer;

import java.nio.charset.Charset;
import java.util.Locale;

/**
 * The character sets with characters of two bytes whose second one may look like a quote, a
 * backslash or a letter of ASCII. Servers take two bytes for one character where the first may
 * begin one and the second may end one; else the first stands alone, as do half-width katakana.
 */
public enum DoubleBytes {
  /** No such characters: all bytes of others are above 127. */
  NONE,
  /** Each byte is a character, and some of those above 127 are blanks. */
  ALONE,
  /** {@code sjis}, {@code cp932}. */
  SJIS,
  /** {@code gbk}, {@code gb18030}. */
  GBK,
  /** {@code big5}. */
  BIG5;

  private static final byte DELETE = 0x7F;

  static DoubleBytes of(Charset charset) {
    return switch (charset.name().toLowerCase(Locale.ROOT)) {
      case "shift_jis", "windows-31j" -> SJIS;
      case "gbk", "gb18030" -> GBK;
      case "big5" -> BIG5;
      default -> charset.newEncoder().maxBytesPerChar() <= 1 ? ALONE : NONE;
    };
  }

  /**
   * Whether servers may take a byte for a blank outside of quotes: the no-break space, which is
   * {@code 0xA0} or {@code 0xFF} in all character sets of theirs that have one.
   */
  public boolean mayBeBlank(byte value) {
    return this == ALONE && (value == (byte) 0xA0 || value == (byte) 0xFF);
  }

  /** Whether servers may take two minus signs and a byte for the start of a comment. */
  public boolean mayStartComment(byte value) {
    return value == DELETE || (this == ALONE && value < 0);
  }

  /** Whether two bytes are one character. */
  public boolean arePair(byte first, byte second) {
    return first < 0 && begins(first & 0xFF) && (second < 0 || (second >= 0x40 && second < 0x7F));
  }

  private boolean begins(int first) {
    return switch (this) {
      case NONE, ALONE -> false;
      case SJIS -> (first >= 0x81 && first <= 0x9F) || (first >= 0xE0 && first <= 0xFC);
      case GBK -> first >= 0x81 && first <= 0xFE;
      case BIG5 -> first >= 0xA1 && first <= 0xF9;
    };
  }
}
