package io.anabranch.rules.value;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a character set of databases makes of characters, and which characters its bytes are: {@code
 * StoredCharacters.of("latin1").stored("a\u0436")} is {@code a?}. Java's tables serve where they
 * are the databases' own; characters about which both differ are known to nobody here. Immutable.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/en/charset-charsets.html">Supported Character
 * Sets and Collations</a>.
 */
public final class StoredCharacters {

  private enum Held {
    ALL,
    /** Those of 16 bits. */
    BASIC,
    ASCII,
    /** As servers know it: with the letters of Windows. */
    LATIN1,
    /** Those that Java's charset encodes; what becomes of others is not known for certain. */
    OTHER
  }

  private static final int FIRST_OF_LATIN1 = 0xA0;
  private static final int FIRST_CONTROL = 0x80;

  /** The undefined ones of Windows are themselves. */
  private static final String CONTROLS = "\u0081\u008d\u008f\u0090\u009d";

  private static final Map<String, StoredCharacters> KNOWN = new HashMap<>();

  static {
    add("utf8mb4", Held.ALL, "UTF-8");
    add("utf16", Held.ALL, "UTF-16BE");
    add("utf16le", Held.ALL, "UTF-16LE");
    add("utf32", Held.ALL, "UTF-32BE");
    add("utf8mb3", Held.BASIC, "UTF-8");
    add("utf8", Held.BASIC, "UTF-8");
    add("ucs2", Held.BASIC, "UTF-16BE");
    add("ascii", Held.ASCII, "US-ASCII");
    add("latin1", Held.LATIN1, "windows-1252");
    add("big5", Held.OTHER, "Big5");
    add("cp1250", Held.OTHER, "windows-1250");
    add("cp1251", Held.OTHER, "windows-1251");
    add("cp1256", Held.OTHER, "windows-1256", "\u0679\u0688\u0691\u06a9\u06ba\u06be\u06c1\u06d2");
    add("cp1257", Held.OTHER, "windows-1257");
    add("cp850", Held.OTHER, "IBM850");
    add("cp852", Held.OTHER, "IBM852");
    add("cp866", Held.OTHER, "IBM866", "\u00a4\u2116");
    add(
        "cp932",
        Held.OTHER,
        "windows-31j",
        "\u00a2\u00a3\u00a5\u00ab\u00ac\u00af\u00b5\u00b7\u00b8\u00bb\u203e\u3094");
    add("euckr", Held.OTHER, "EUC-KR", "\u327e");
    add("gb2312", Held.OTHER, "GB2312");
    add("gb18030", Held.OTHER, "GB18030", between(0x9fb4, 0x9fbb) + between(0xfe10, 0xfe19));
    add("gbk", Held.OTHER, "GBK", "\u20ac\u2641");
    add("greek", Held.OTHER, "ISO-8859-7", "\u037a\u2018\u2019\u20ac\u20af");
    add("hebrew", Held.OTHER, "ISO-8859-8", "\u00af");
    add("koi8r", Held.OTHER, "KOI8-R");
    add("koi8u", Held.OTHER, "KOI8-U", "\u2219");
    add("latin2", Held.OTHER, "ISO-8859-2");
    add("latin5", Held.OTHER, "ISO-8859-9");
    add("latin7", Held.OTHER, "ISO-8859-13");
    add("macce", Held.OTHER, "x-MacCentralEurope");
    add("macroman", Held.OTHER, "x-MacRoman");
    add("sjis", Held.OTHER, "Shift_JIS", "\u00a5\u2014\u203e\uff3c");
    add("tis620", Held.OTHER, "TIS-620", "\u00a0");
    add("ujis", Held.OTHER, "EUC-JP", "\u00a5\u2014\u203e\uff3c\uff5e");
  }

  private final Held held;
  private final Charset charset;

  /** Characters that Java and servers do not encode alike. */
  private final String doubtful;

  private StoredCharacters(Held held, Charset charset, String doubtful) {
    this.held = held;
    this.charset = charset;
    this.doubtful = doubtful;
  }

  private static void add(String name, Held held, String charset) {
    add(name, held, charset, "");
  }

  /** A reduced Java has not got all of them. */
  private static void add(String name, Held held, String charset, String doubtful) {
    if (Charset.isSupported(charset)) {
      KNOWN.put(name, new StoredCharacters(held, Charset.forName(charset), doubtful));
    }
  }

  private static String between(int first, int last) {
    var all = new StringBuilder();
    for (int point = first; point <= last; point++) {
      all.appendCodePoint(point);
    }
    return all.toString();
  }

  /**
   * @param name as servers call it, in any case; {@code binary} is none
   * @return null: not known here
   */
  public static @Nullable StoredCharacters of(String name) {
    return KNOWN.get(name.toLowerCase(Locale.ROOT));
  }

  /** The names of those that are known here, in lower case. */
  public static Set<String> names() {
    return Set.copyOf(KNOWN.keySet());
  }

  /** Whether printable ASCII is in the same bytes. */
  private boolean hasAscii() {
    return !charset.name().startsWith("UTF-16") && !charset.name().startsWith("UTF-32");
  }

  /**
   * The text as a column of the character set keeps it under a mode that is not strict: with a
   * question mark for each character that it has not got. Null: nobody knows.
   */
  public @Nullable String stored(String text) {
    if (held == Held.ALL || isAscii(text)) {
      return text;
    }
    if (held == Held.OTHER) {
      return isSure(text) && charset.newEncoder().canEncode(text) ? text : null;
    }
    CharsetEncoder latin = charset.newEncoder();
    var stored = new StringBuilder(text.length());
    text.codePoints().forEach(point -> stored.appendCodePoint(has(point, latin) ? point : '?'));
    return stored.toString();
  }

  private boolean has(int point, CharsetEncoder latin) {
    return switch (held) {
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

  /**
   * The characters that a server sees in bytes; null: they are no text, or nobody here knows. Not
   * modified.
   */
  public @Nullable String read(byte[] bytes, int from, int length) {
    if (hasAscii() && isAscii(bytes, from, length)) {
      return new String(bytes, from, length, StandardCharsets.US_ASCII);
    }
    if (held == Held.LATIN1) {
      return latin(bytes, from, length);
    }
    try {
      String text = charset.newDecoder().decode(ByteBuffer.wrap(bytes, from, length)).toString();
      return held == Held.ALL || isCertain(text, bytes, from, length) ? text : null;
    } catch (CharacterCodingException _) {
      return null;
    }
  }

  private String latin(byte[] bytes, int from, int length) {
    var text = new StringBuilder(new String(bytes, from, length, charset));
    for (int i = 0; i < length; i++) {
      char control = (char) (bytes[from + i] & 0xFF);
      if (CONTROLS.indexOf(control) >= 0) {
        text.setCharAt(i, control);
      }
    }
    return text.toString();
  }

  /** Some bytes are second ones of the same character, which servers do not know. */
  private boolean isCertain(String text, byte[] bytes, int from, int length) {
    if (held == Held.BASIC) {
      return text.chars().noneMatch(unit -> Character.isSurrogate((char) unit));
    }
    byte[] again = text.getBytes(charset);
    return isSure(text) && Arrays.equals(again, 0, again.length, bytes, from, from + length);
  }

  /** Neither do all know the same characters for private use. */
  private boolean isSure(String text) {
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (doubtful.indexOf(unit) >= 0 || Character.getType(unit) == Character.PRIVATE_USE) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= FIRST_CONTROL) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAscii(byte[] bytes, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if (bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }
}
