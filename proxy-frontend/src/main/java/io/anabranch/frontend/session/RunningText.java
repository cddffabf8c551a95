package io.anabranch.frontend.session;

import io.anabranch.rules.lexer.StatementCharset;
import java.nio.charset.Charset;

/**
 * The text of a statement that runs, as its client sent it: read as far as somebody is told of it.
 * Safe for any thread.
 */
public final class RunningText {

  /** Of a character, in any of MySQL's character sets. */
  private static final int MOST_BYTES = 4;

  private final byte[] sql;
  private final Charset charset;

  /**
   * @param sql is changed by nobody
   */
  RunningText(byte[] sql, Charset charset) {
    this.sql = sql;
    this.charset = charset;
  }

  /** Bytes. */
  public int length() {
    return sql.length;
  }

  /** All of it, for people. */
  public String shown() {
    return StatementCharset.shown(new String(sql, charset));
  }

  /** Its first characters, for people. */
  public String shown(int longest) {
    if (sql.length <= longest) {
      return shown();
    }
    int read = (int) Math.min(sql.length, (long) longest * MOST_BYTES);
    String text = StatementCharset.shown(new String(sql, 0, read, charset));
    return text.length() <= longest ? text : text.substring(0, longest);
  }
}
