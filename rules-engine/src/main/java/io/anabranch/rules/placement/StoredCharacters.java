package io.anabranch.rules.placement;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a text column makes of characters that its character set has not got: a database that is not
 * strict stores a question mark for each.
 */
enum StoredCharacters {
  ALL,
  /** Those of 16 bits. */
  BASIC,
  ASCII,
  /** As servers know it: with the letters of Windows. */
  LATIN1,
  /** Those that {@link #OTHERS} encodes; what becomes of others is not known for certain. */
  OTHER;

  private static final int FIRST_OF_LATIN1 = 0xA0;
  private static final int FIRST_CONTROL = 0x80;

  /** The undefined ones of Windows are themselves. */
  private static final String CONTROLS = "\u0081\u008d\u008f\u0090\u009d";

  private static final Map<String, String> OTHERS =
      Map.ofEntries(
          Map.entry("latin2", "ISO-8859-2"),
          Map.entry("latin5", "ISO-8859-9"),
          Map.entry("latin7", "ISO-8859-13"),
          Map.entry("greek", "ISO-8859-7"),
          Map.entry("hebrew", "ISO-8859-8"),
          Map.entry("cp1250", "windows-1250"),
          Map.entry("cp1251", "windows-1251"),
          Map.entry("cp1256", "windows-1256"),
          Map.entry("cp1257", "windows-1257"),
          Map.entry("koi8r", "KOI8-R"),
          Map.entry("koi8u", "KOI8-U"),
          Map.entry("gbk", "GBK"),
          Map.entry("gb2312", "GB2312"),
          Map.entry("gb18030", "GB18030"),
          Map.entry("big5", "Big5"),
          Map.entry("euckr", "EUC-KR"),
          Map.entry("ujis", "EUC-JP"),
          Map.entry("sjis", "Shift_JIS"),
          Map.entry("cp932", "windows-31j"));

  /**
   * @param charset as servers call it
   */
  static StoredCharacters of(String charset) {
    return switch (charset) {
      case "utf8mb4", "utf16", "utf16le", "utf32" -> ALL;
      case "utf8", "utf8mb3", "ucs2" -> BASIC;
      case "ascii" -> ASCII;
      case "latin1" -> LATIN1;
      default -> OTHER;
    };
  }

  /** The text as a column of the character set keeps it; null: nobody knows. */
  static @Nullable String stored(String charset, String text) {
    StoredCharacters held = of(charset);
    if (held == ALL || isAscii(text)) {
      return text;
    }
    if (held == OTHER) {
      return isEncoded(charset, text) ? text : null;
    }
    CharsetEncoder latin = windows().newEncoder();
    var stored = new StringBuilder(text.length());
    text.codePoints()
        .forEach(point -> stored.appendCodePoint(held.has(point, latin) ? point : '?'));
    return stored.toString();
  }

  private boolean has(int point, CharsetEncoder latin) {
    return switch (this) {
      case ALL, OTHER -> true;
      case BASIC -> Character.isBmpCodePoint(point);
      case ASCII -> point < FIRST_CONTROL;
      case LATIN1 ->
          Character.isBmpCodePoint(point)
              && (CONTROLS.indexOf(point) >= 0
                  || (point >= FIRST_OF_LATIN1 && point <= 0xFF)
                  || latin.canEncode((char) point));
    };
  }

  private static Charset windows() {
    return Charset.isSupported("windows-1252")
        ? Charset.forName("windows-1252")
        : StandardCharsets.ISO_8859_1;
  }

  private static boolean isEncoded(String charset, String text) {
    String name = OTHERS.get(charset);
    return name != null
        && Charset.isSupported(name)
        && Charset.forName(name).newEncoder().canEncode(text);
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= FIRST_CONTROL) {
        return false;
      }
    }
    return true;
  }
}
