package io.anabranch.frontend.statement;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Comments;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.syntax.TextEdits;

/**
 * Takes the marks of {@code /*!40101 …}{@code *}{@code /} out of statements that the proxy reads
 * itself, as in dump files, and the text of those that the server would not run.
 *
 * <p>See <a href="https://mariadb.com/kb/en/comment-syntax/">Comment Syntax</a>.
 */
public final class VersionComments implements Comments.Versions {

  private static final int SHORT = 5;

  /** So many characters of a text are cited. */
  private static final int SHOWN = 80;

  /** MariaDB takes comments for these versions for MySQL's own. */
  private static final int FIRST_FOREIGN = 50_700;

  private static final int LAST_FOREIGN = 99_999;

  private final boolean isMariaDb;
  private final int version;

  /**
   * @param serverVersion as in the greeting
   */
  public VersionComments(String serverVersion) {
    isMariaDb = serverVersion.contains("MariaDB");
    String[] numbers = serverVersion.replaceFirst("^5\\.5\\.5-(?=\\d)", "").split("\\D+", 4);
    int number = 0;
    for (int i = 0; i < 3; i++) {
      String part = i < numbers.length ? numbers[i] : "";
      number = number * 100 + (part.isEmpty() ? 0 : Integer.parseInt(part));
    }
    version = number;
  }

  /**
   * The statement as the server reads it; a comment where it does not run any of it.
   *
   * @throws RefusedException 1064 if one that is run has no end
   */
  public String unwrap(SourceText source) {
    SourceText read = source.readBy(this);
    SqlTokens tokens = read.tokens();
    var out = new TextEdits(read);
    int open = -1;
    for (int mark : tokens.all().where(token -> tokens.kind(token).isMark())) {
      switch (tokens.kind(mark)) {
        case EXECUTABLE_START -> {
          out.replace(mark, " ");
          boolean isLeftOut = tokens.text(mark).endsWith("*/");
          // what closes the first one closes all
          open = open >= 0 || isLeftOut ? open : mark;
        }
        case EXECUTABLE_END -> {
          out.replace(mark, " ");
          open = -1;
        }
        default -> {}
      }
    }
    if (open >= 0) {
      throw endless(read.text(), tokens.start(open));
    }
    String rest = out.text();
    return rest.isBlank() ? "/**/" : rest;
  }

  private static RefusedException endless(String text, int start) {
    String near = text.substring(start, Math.min(text.length(), start + SHOWN));
    long lines = text.chars().limit(start).filter(letter -> letter == '\n').count();
    return ErrorCatalogue.SYNTAX.refuse(near, lines + 1);
  }

  @Override
  public int version(boolean isOfMariaDb, String digits, boolean isSpaced) {
    if (isOfMariaDb && !isMariaDb) {
      return PLAIN;
    }
    if (digits.length() < SHORT) {
      return 0;
    }
    // MySQL: a sixth digit without a blank behind it is text
    int taken = isMariaDb || isSpaced ? digits.length() : SHORT;
    int from = Integer.parseInt(digits.substring(0, taken));
    boolean isForeign = isMariaDb && !isOfMariaDb && from >= FIRST_FOREIGN && from <= LAST_FOREIGN;
    return from <= version && !isForeign ? taken : NOT_RUN;
  }
}
