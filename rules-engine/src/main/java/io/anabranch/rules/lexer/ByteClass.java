package io.anabranch.rules.lexer;

/** What a byte starts, outside of literals. */
final class ByteClass {

  static final byte OTHER = 0;
  static final byte BLANK = 1;
  static final byte NAME = 2;
  static final byte DIGIT = 3;
  static final byte SINGLE_QUOTE = 4;
  static final byte DOUBLE_QUOTE = 5;
  static final byte BACK_QUOTE = 6;
  static final byte HASH = 7;
  static final byte MINUS = 8;
  static final byte SLASH = 9;
  static final byte STAR = 10;
  static final byte DOT = 11;
  static final byte SEMICOLON = 12;
  static final byte QUESTION = 13;
  static final byte AT = 14;
  static final byte OPEN = 15;
  static final byte CLOSE = 16;
  static final byte COMMA = 17;

  private static final byte[] OF = new byte[256];

  static {
    for (int b = 0; b <= ' '; b++) {
      OF[b] = BLANK;
    }
    for (int b = 'a'; b <= 'z'; b++) {
      OF[b] = NAME;
      OF[b - 32] = NAME;
    }
    for (int b = 128; b < 256; b++) {
      OF[b] = NAME;
    }
    OF['_'] = NAME;
    OF['$'] = NAME;
    for (int b = '0'; b <= '9'; b++) {
      OF[b] = DIGIT;
    }
    OF['\''] = SINGLE_QUOTE;
    OF['"'] = DOUBLE_QUOTE;
    OF['`'] = BACK_QUOTE;
    OF['#'] = HASH;
    OF['-'] = MINUS;
    OF['/'] = SLASH;
    OF['*'] = STAR;
    OF['.'] = DOT;
    OF[';'] = SEMICOLON;
    OF['?'] = QUESTION;
    OF['@'] = AT;
    OF['('] = OPEN;
    OF[')'] = CLOSE;
    OF[','] = COMMA;
  }

  private ByteClass() {}

  static byte of(byte value) {
    return OF[value & 0xFF];
  }

  /** Letters, digits, {@code _}, {@code $} and everything above 127. */
  static boolean inName(byte value) {
    byte c = OF[value & 0xFF];
    return c == NAME || c == DIGIT;
  }

  static boolean isDigit(byte value) {
    return value >= '0' && value <= '9';
  }

  static boolean isHexDigit(byte value) {
    return isDigit(value) || ((value | 0x20) >= 'a' && (value | 0x20) <= 'f');
  }
}
