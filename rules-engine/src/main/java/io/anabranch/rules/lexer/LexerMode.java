package io.anabranch.rules.lexer;

import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Set;

/**
 * What changes the meaning of bytes.
 *
 * @param ansiQuotes double quotes delimit identifiers ({@code sql_mode} ANSI_QUOTES)
 * @param noBackslashEscapes a backslash is a plain character
 * @param doubleByte the character set has two-byte characters whose second byte may look like ASCII
 *     (GBK, Big5, SJIS): a quote or backslash after a lead byte is not one
 */
public record LexerMode(boolean ansiQuotes, boolean noBackslashEscapes, boolean doubleByte) {

  /** The server's default {@code sql_mode}, an ASCII-compatible character set. */
  public static final LexerMode DEFAULT = new LexerMode(false, false, false);

  private static final Set<String> DOUBLE_BYTE =
      Set.of("gbk", "gb18030", "gb2312", "big5", "shift_jis", "windows-31j", "x-windows-950");

  /** The mode of a session. */
  public static LexerMode of(Charset charset, boolean ansiQuotes, boolean noBackslashEscapes) {
    boolean doubleByte = DOUBLE_BYTE.contains(charset.name().toLowerCase(Locale.ROOT));
    return ansiQuotes || noBackslashEscapes || doubleByte
        ? new LexerMode(ansiQuotes, noBackslashEscapes, doubleByte)
        : DEFAULT;
  }
}
