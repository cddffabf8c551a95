package io.anabranch.rules.lexer;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * What changes the meaning of bytes.
 *
 * @param ansiQuotes double quotes delimit identifiers ({@code sql_mode} ANSI_QUOTES)
 * @param noBackslashEscapes a backslash is a plain character
 * @param doubleBytes which two bytes are one character, whatever the second one looks like
 */
public record LexerMode(boolean ansiQuotes, boolean noBackslashEscapes, DoubleBytes doubleBytes) {

  /** The server's default {@code sql_mode}, an ASCII-compatible character set. */
  public static final LexerMode DEFAULT = new LexerMode(false, false, DoubleBytes.NONE);

  /** The mode of a session. */
  public static LexerMode of(Charset charset, boolean ansiQuotes, boolean noBackslashEscapes) {
    DoubleBytes doubleBytes = DoubleBytes.of(charset);
    return ansiQuotes || noBackslashEscapes || doubleBytes != DoubleBytes.NONE
        ? new LexerMode(ansiQuotes, noBackslashEscapes, doubleBytes)
        : DEFAULT;
  }

  /** Whether the quote delimits a name, in which a backslash is a letter. */
  public boolean delimitsName(byte quote) {
    return quote == '`' || (quote == '"' && ansiQuotes);
  }

  /** Whether a backslash between two of these quotes escapes what follows. */
  public boolean escapes(byte quote) {
    return !noBackslashEscapes && !delimitsName(quote);
  }

  /** The same for a text in UTF-8. */
  LexerMode ofUtf8() {
    return of(StandardCharsets.UTF_8, ansiQuotes, noBackslashEscapes);
  }

  /** Whether texts of ASCII alone are read alike. */
  public boolean readsAsciiAs(LexerMode other) {
    return ansiQuotes == other.ansiQuotes
        && noBackslashEscapes == other.noBackslashEscapes
        && (doubleBytes == other.doubleBytes || (!isDoubleByte() && !other.isDoubleByte()));
  }

  /** Whether there are such characters. */
  public boolean isDoubleByte() {
    return doubleBytes != DoubleBytes.NONE && doubleBytes != DoubleBytes.ALONE;
  }
}
