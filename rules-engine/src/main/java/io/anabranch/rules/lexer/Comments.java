package io.anabranch.rules.lexer;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The comments of a statement: where they begin and end, which of them some servers run, {@code
 * /*!50100 … *}{@code /}, and which tell the proxy something, {@code /* ANABRANCH_HINT: key=value
 * *}{@code /}, as SHARDINGSPHERE_HINT does. The manual tells of them under <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/comments.html">Comments</a>. Reused; owned by a
 * {@link SqlScanner}.
 */
public final class Comments {

  /** Which version comments a server runs. */
  public interface Versions {

    /** It is passed over, with the comments in it. */
    int NOT_RUN = -1;

    /** It is a comment like others. */
    int PLAIN = -2;

    /**
     * What becomes of one.
     *
     * @param isOfMariaDb whether it begins with {@code /*M!}
     * @param digits behind that, six at most
     * @param isSpaced whether a blank stands behind them
     * @return how many of the digits are the version, if it is run; {@link #NOT_RUN}, {@link
     *     #PLAIN}
     */
    int version(boolean isOfMariaDb, String digits, boolean isSpaced);
  }

  /** Around a hint in a normal form. */
  public static final char HINT_MARK = 8;

  private static final String[] HINTS = {
    "SHARDINGSPHERE_HINT:", "SHARDINGSPHERE HINT:", "ANABRANCH_HINT:"
  };

  /** How many digits a version has. */
  private static final int LEAST_DIGITS = 5;

  private static final int MOST_DIGITS = 6;

  /** Behind what opens one, and in front of its text. */
  private static final int OPENING = 2;

  private byte[] sql = {};
  private int limit;
  private int seen;
  private boolean isOpen;
  private boolean openRuns;
  private final @Nullable Versions versions;

  /**
   * @param versions null: it is not known which are run
   */
  Comments(@Nullable Versions versions) {
    this.versions = versions;
  }

  /**
   * Whether all servers run what stands behind such a mark.
   *
   * @param mark of a version comment, {@code /*!50100}
   */
  public static boolean runsAlways(String mark) {
    String digits = digits(mark);
    return mark.indexOf('M') < 0
        && (digits.isEmpty() || (digits.length() == 5 && digits.compareTo("50600") <= 0));
  }

  /**
   * The version that a mark names: {@code 50100}. A text may have hundreds of thousands of marks,
   * so that this takes no pattern.
   */
  public static String digits(String mark) {
    var digits = new StringBuilder(mark.length());
    for (int i = 0; i < mark.length(); i++) {
      char each = mark.charAt(i);
      if (each >= '0' && each <= '9') {
        digits.append(each);
      }
    }
    return digits.toString();
  }

  void reset(byte[] text, int end) {
    sql = text;
    limit = end;
    seen = 0;
    isOpen = false;
  }

  /** Keeps nothing of the text. */
  void letGo() {
    reset(new byte[0], 0);
  }

  /** All bits of their bytes: negative where one is above 127. */
  int seen() {
    return seen;
  }

  private byte byteAt(int index) {
    return index < limit ? sql[index] : 0;
  }

  /** Behind the blanks there; -1: nothing but blanks and comments follows. */
  int behindBlanks(int from) {
    int p = from;
    while (p < limit && ByteClass.of(sql[p]) == ByteClass.BLANK) {
      p++;
    }
    int afterBlanks = p;
    while (p < limit) {
      int behind = behind(p);
      if (behind == p) {
        return afterBlanks;
      }
      p = behind;
    }
    return -1;
  }

  /** Behind the blank or the closed, plain comment there; {@code at} itself if there is none. */
  int behind(int at) {
    return switch (ByteClass.of(sql[at])) {
      case ByteClass.BLANK -> at + 1;
      case ByteClass.HASH, ByteClass.MINUS -> startsLine(at) ? behindLine(at) : at;
      case ByteClass.SLASH -> {
        int behind = startsBlock(at) && !isExecutable(at) ? behindBlock(at) : at;
        yield isClosed(at, behind) ? behind : at;
      }
      default -> at;
    };
  }

  // ---- plain ones

  /** Whether one starts there that goes on to the end of the line. */
  boolean startsLine(int at) {
    return sql[at] == '#'
        || (sql[at] == '-'
            && byteAt(at + 1) == '-'
            && (at + 2 >= limit || ByteClass.of(sql[at + 2]) == ByteClass.BLANK));
  }

  /** Whether one starts there in some character sets only. */
  boolean mayStartLine(int at, DoubleBytes characters) {
    return sql[at] == '-'
        && byteAt(at + 1) == '-'
        && at + 2 < limit
        && characters.mayStartComment(sql[at + 2]);
  }

  int behindLine(int from) {
    int p = from;
    while (p < limit && sql[p] != '\n') {
      seen |= sql[p++];
    }
    return p;
  }

  /** Whether one starts there that has an end of its own. */
  boolean startsBlock(int at) {
    return sql[at] == '/' && byteAt(at + 1) == '*';
  }

  /** Behind the end of the one that starts there; the end of the text if it has none. */
  int behindBlock(int from) {
    int p = from + OPENING;
    while (p < limit && !(sql[p] == '*' && byteAt(p + 1) == '/')) {
      seen |= sql[p++];
    }
    return Math.min(p + OPENING, limit);
  }

  /** Whether the one in {@code [from, behind)} has an end. */
  boolean isClosed(int from, int behind) {
    return behind - from >= 2 * OPENING && sql[behind - 2] == '*' && sql[behind - 1] == '/';
  }

  // ---- those that some servers run

  /** Whether the text is in one. */
  boolean areOpen() {
    return isOpen;
  }

  private boolean isExecutable(int at) {
    byte b = byteAt(at + OPENING);
    return b == '!' || (b == 'M' && byteAt(at + OPENING + 1) == '!');
  }

  /** Where the digits of the one that starts there begin. */
  private int digitsAt(int at) {
    return at + OPENING + (sql[at + OPENING] == '!' ? 1 : 2);
  }

  private int version(int at) {
    int from = digitsAt(at);
    int behind = from;
    while (behind < Math.min(limit, from + MOST_DIGITS) && ByteClass.isDigit(sql[behind])) {
      behind++;
    }
    if (versions == null) {
      return behind - from < LEAST_DIGITS ? 0 : behind - from;
    }
    return versions.version(
        sql[at + OPENING] == 'M',
        new String(sql, from, behind - from, StandardCharsets.US_ASCII),
        ByteClass.of(byteAt(behind)) == ByteClass.BLANK);
  }

  /** Whether it is known that the server does not run the one that starts there. */
  boolean isLeftOut(int at) {
    return versions != null && version(at) < 0;
  }

  /** Behind the end of the one that the server does not run; the end of the text without one. */
  int behindLeftOut(int from) {
    if (version(from) == Versions.PLAIN) {
      return behindBlock(from);
    }
    int p = from + OPENING;
    while (p < limit) {
      if (startsBlock(p)) {
        p = behindBlock(p);
      } else if (sql[p] == '*' && byteAt(p + 1) == '/') {
        return p + OPENING;
      } else {
        seen |= sql[p++];
      }
    }
    return limit;
  }

  /** Whether the one that starts there is run: those that are not have comments in them. */
  boolean opens(int at) {
    return isExecutable(at) && (!isOpen || openRuns || versions != null);
  }

  /**
   * One starts there.
   *
   * @return where its text starts
   */
  int open(int at) {
    int p = digitsAt(at) + Math.max(0, version(at));
    // one that a server does not run has comments in it, which end by themselves
    openRuns = runsAlways(new String(sql, at, p - at, StandardCharsets.US_ASCII));
    isOpen = true;
    return p;
  }

  /** Whether {@code *} and what follows it end the one that is open. */
  boolean closes(int star) {
    return isOpen && byteAt(star + 1) == '/';
  }

  void close() {
    isOpen = false;
  }

  // ---- hints

  /** Notes what the one in {@code [from, behind)} tells the proxy, if it does. */
  void noteHint(int from, int behind, Scan scan) {
    int p = from + OPENING;
    int end = Math.max(p, behind - OPENING);
    while (p < end && sql[p] <= ' ' && sql[p] >= 0) {
      p++;
    }
    for (String word : HINTS) {
      int text = p + word.length();
      if (text <= end && StatementWords.matches(sql, p, text, word)) {
        scan.hintStart = text;
        scan.hintEnd = end;
        scan.append((byte) HINT_MARK);
        scan.append(text, end);
        scan.append((byte) HINT_MARK);
        return;
      }
    }
  }
}
