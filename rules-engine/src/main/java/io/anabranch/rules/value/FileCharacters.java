package io.anabranch.rules.value;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.DoubleBytes;
import java.util.Locale;
import java.util.Set;

/**
 * The character set of a file that a client loads. There are no others than those that servers
 * have: its name goes into statements as it is. Immutable.
 *
 * @param name in lower case, as servers call it
 */
public record FileCharacters(String name) {

  private static final Set<String> READ =
      Set.of(
          "armscii8",
          "ascii",
          "big5",
          "binary",
          "cp1250",
          "cp1251",
          "cp1256",
          "cp1257",
          "cp850",
          "cp852",
          "cp866",
          "cp932",
          "dec8",
          "eucjpms",
          "euckr",
          "gb18030",
          "gb2312",
          "gbk",
          "geostd8",
          "greek",
          "hebrew",
          "hp8",
          "keybcs2",
          "koi8r",
          "koi8u",
          "latin1",
          "latin2",
          "latin5",
          "latin7",
          "macce",
          "macroman",
          "sjis",
          "tis620",
          "ujis",
          "utf8",
          "utf8mb3",
          "utf8mb4");

  /** Their bytes of ASCII are other characters, or parts of some. */
  private static final Set<String> NOT_READ = Set.of("swe7", "ucs2", "utf16", "utf16le", "utf32");

  /**
   * @throws io.anabranch.rules.error.RefusedException there is none of that name, in whatever case,
   *     or files in it are not read
   */
  public FileCharacters {
    String given = name;
    name = given.toLowerCase(Locale.ROOT);
    if (NOT_READ.contains(name)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "LOAD DATA of a file in the character set " + name, "write it in utf8mb4");
    }
    if (!READ.contains(name)) {
      throw ErrorCatalogue.UNKNOWN_CHARACTER_SET.refuse(given);
    }
  }

  /** Which two bytes of the file are one character, though the second may be one of ASCII. */
  public DoubleBytes doubleBytes() {
    return switch (name) {
      case "sjis", "cp932" -> DoubleBytes.SJIS;
      case "gbk", "gb18030" -> DoubleBytes.GBK;
      case "big5" -> DoubleBytes.BIG5;
      default -> DoubleBytes.NONE;
    };
  }
}
