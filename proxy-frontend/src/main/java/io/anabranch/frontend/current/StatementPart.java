package io.anabranch.frontend.current;

import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Scan;
import java.nio.charset.Charset;

/**
 * One statement of a packet of several, and what follows it. Servers are given it alone, so that
 * what they say of its place in the packet is said here.
 */
final class StatementPart {

  private static final String BEFORE_REST = "to use near '";
  private static final String BEHIND_REST = "' at line ";

  private StatementPart() {}

  /**
   * Where the next one starts; -1: nothing follows.
   *
   * @param textEnd without semicolons and blanks at the end
   * @param countsComments whether comments alone are a statement: where clients may send several
   */
  static int next(Scan scan, int textEnd, boolean countsComments) {
    int next = scan.next();
    return next < 0 && countsComments && scan.end() < textEnd ? scan.end() + 1 : next;
  }

  /** Error 1064 for a semicolon with nothing in front of it but comments. */
  static RefusedException empty(Scan scan, int textEnd, Charset charset) {
    byte[] text = scan.sql();
    int from = scan.start();
    while (from < scan.end() && text[from] >= 0 && text[from] <= ' ') {
      from++;
    }
    String before = new String(text, from, scan.end() - from, charset);
    String rest = new String(text, scan.end(), textEnd - scan.end(), charset);
    return Syntax.near(before + rest, before.length());
  }

  /** The error as a server words it that reads on to the end of the packet: error 1064 cites it. */
  static ErrPacket cited(ErrPacket error, Scan scan, int textEnd, Charset charset) {
    String message = error.message();
    int from = message.indexOf(BEFORE_REST) + BEFORE_REST.length();
    int to = message.lastIndexOf(BEHIND_REST);
    boolean cites = error.errno() == ErrorCatalogue.SYNTAX.errno() && to >= from;
    if (!cites || from < BEFORE_REST.length() || scan.end() >= textEnd) {
      return error;
    }
    String cited = message.substring(from, to);
    String statement = new String(scan.sql(), scan.start(), scan.end() - scan.start(), charset);
    if (cited.length() >= Syntax.SHOWN || !statement.endsWith(cited)) {
      return error;
    }
    String whole = cited + new String(scan.sql(), scan.end(), textEnd - scan.end(), charset);
    String shown = whole.substring(0, Math.min(whole.length(), Syntax.SHOWN));
    return new ErrPacket(
        error.errno(),
        error.sqlState(),
        message.substring(0, from) + shown + message.substring(to));
  }
}
