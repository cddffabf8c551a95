package io.anabranch.rules.lexer;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A statement without its values, for rules that people write: the normal form with {@code ?} for
 * each literal and parameter, in lower case, without a hint.
 */
public final class StatementDigest {

  private static final int LAST_SLOT_MARK = 7;

  private StatementDigest() {}

  /** The digest of a scanned statement; bytes beyond ASCII are taken as ISO 8859-1. */
  public static String of(Scan scan) {
    byte[] normal = scan.copyNormalForm();
    int length = 0;
    boolean inHint = false;
    for (byte each : normal) {
      if (each == HintComment.HINT_MARK) {
        inHint = !inHint;
      } else if (!inHint) {
        normal[length++] = each > 0 && each <= LAST_SLOT_MARK ? (byte) '?' : each;
      }
    }
    return new String(normal, 0, length, StandardCharsets.ISO_8859_1)
        .strip()
        .toLowerCase(Locale.ROOT);
  }

  /** The digest of a statement's text, whose literals may be written as {@code ?}. */
  public static String of(String sql) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    return of(new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan()));
  }
}
