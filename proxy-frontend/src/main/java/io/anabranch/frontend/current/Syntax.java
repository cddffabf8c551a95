package io.anabranch.frontend.current;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;

/** Error 1064 as MySQL words it. */
public final class Syntax {

  /** So many characters of the text are cited. */
  static final int SHOWN = 80;

  private Syntax() {}

  /** The whole statement is of no known form: the text behind its first word is at fault. */
  public static RefusedException near(SourceText source) {
    return near(source.text(), afterFirstWord(source));
  }

  /** Where the second word begins, in characters; the end if there is none. */
  public static int afterFirstWord(SourceText source) {
    return source.tokens().size() > 1 ? source.tokens().start(1) : source.text().length();
  }

  /**
   * Nothing may follow a statement that the proxy answers itself.
   *
   * @param behind the token behind the last that belongs to it
   * @throws RefusedException 1064 if one follows
   */
  public static void requireEnd(SourceText source, int behind) {
    if (source.tokens().size() > behind) {
      throw near(source.text(), source.tokens().start(behind));
    }
  }

  /** The text from {@code from} on is at fault. */
  public static RefusedException near(String text, int from) {
    int line = 1;
    for (int i = 0; i < from; i++) {
      if (text.charAt(i) == '\n') {
        line++;
      }
    }
    String rest = text.substring(from, Math.min(text.length(), from + SHOWN));
    return ErrorCatalogue.SYNTAX.refuse(rest, line);
  }
}
