package io.anabranch.backend.relay.command;

import io.anabranch.protocol.command.CommandCode;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A text with a comment in front that says who has asked. Only queries and what changes rows have
 * one: definitions keep their text in the database. Nor have long texts, and those of prepared
 * statements, which many sessions execute.
 */
public final class OriginText {

  /** Longer texts go as they are: they are not copied. */
  static final int LONGEST = 16 * 1024;

  private static final Set<String> WORDS =
      Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "CALL", "(");

  private static final int LONGEST_WORD = 7;

  private OriginText() {}

  /**
   * The text with the comment, or {@code sql} itself.
   *
   * @param origin a whole comment; null: there is none
   * @param limit bytes of a command that the server does not take any more
   */
  public static byte[] of(byte[] sql, byte @Nullable [] origin, long limit) {
    if (origin == null || sql.length > LONGEST || origin.length + sql.length + 1L >= limit) {
      return sql;
    }
    if (!WORDS.contains(firstWord(sql))) {
      return sql;
    }
    byte[] whole = new byte[origin.length + sql.length];
    System.arraycopy(origin, 0, whole, 0, origin.length);
    System.arraycopy(sql, 0, whole, origin.length, sql.length);
    return whole;
  }

  /**
   * The same of a client's own packet.
   *
   * @param payload not changed
   * @return null: it goes as it is
   */
  public static byte @Nullable [] of(ByteBuf payload, byte @Nullable [] origin, long limit) {
    int start = payload.readerIndex();
    int length = payload.readableBytes() - 1;
    if (origin == null
        || length < 0
        || length > LONGEST
        || payload.getByte(start) != CommandCode.QUERY) {
      return null;
    }
    byte[] sql = new byte[length];
    payload.getBytes(start + 1, sql);
    byte[] whole = of(sql, origin, limit);
    return whole.length == length ? null : whole;
  }

  /** In capitals; a parenthesis is one. Empty behind what is not read here. */
  private static String firstWord(byte[] sql) {
    int at = 0;
    while (at < sql.length && ((sql[at] <= ' ' && sql[at] >= 0) || isComment(sql, at))) {
      at = isComment(sql, at) ? endOfComment(sql, at) : at + 1;
    }
    if (at < sql.length && sql[at] == '(') {
      return "(";
    }
    int end = at;
    while (end < sql.length && end - at <= LONGEST_WORD && isLetter(sql[end])) {
      end++;
    }
    return new String(sql, at, end - at, StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT);
  }

  private static boolean isLetter(byte character) {
    return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z');
  }

  /** Not one that servers run. */
  private static boolean isComment(byte[] sql, int at) {
    return at + 2 < sql.length
        && sql[at] == '/'
        && sql[at + 1] == '*'
        && sql[at + 2] != '!'
        && sql[at + 2] != 'M';
  }

  private static int endOfComment(byte[] sql, int at) {
    for (int i = at + 3; i < sql.length; i++) {
      if (sql[i] == '/' && sql[i - 1] == '*') {
        return i + 1;
      }
    }
    return sql.length;
  }
}
