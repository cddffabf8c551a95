package io.anabranch.frontend.statement;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Comments;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.syntax.TextEdits;

/**
 * Takes the marks of {@code /*!40101 …}{@code *}{@code /} out of statements that the proxy reads
 * itself, as in dump files, and the text of those that the server would not run.
 *
 * <p>See <a href="https://mariadb.com/kb/en/comment-syntax/">Comment Syntax</a>.
 */
public final class VersionComments {

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
   * @throws RefusedException if one stands in another and the server does not run it
   */
  public String unwrap(SourceText source) {
    SqlTokens tokens = source.tokens();
    var out = new TextEdits(source);
    int end = -1;
    for (int start : tokens.all().where(i -> tokens.kind(i) == TokenKind.EXECUTABLE_START)) {
      boolean runs = runs(tokens.text(start));
      if (start < end) {
        if (!runs) {
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "a version comment in another one", "write the statement without them");
        }
        // what closes the first one closes all
        out.replace(start, " ");
        continue;
      }
      end = tokens.from(start).skip(i -> tokens.kind(i) != TokenKind.EXECUTABLE_END);
      if (runs) {
        out.replace(start, " ").replace(end, " ");
      } else {
        out.replace(start, end + 1, " ");
      }
    }
    String rest = out.text();
    return rest.isBlank() ? "/**/" : rest;
  }

  private boolean runs(String mark) {
    String digits = Comments.digits(mark);
    boolean isOfMariaDb = mark.indexOf('M') >= 0;
    if (isOfMariaDb && !isMariaDb) {
      return false;
    }
    if (digits.isEmpty()) {
      return true;
    }
    int from = digits.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    boolean isForeign = isMariaDb && !isOfMariaDb && from >= FIRST_FOREIGN && from <= LAST_FOREIGN;
    return from <= version && !isForeign;
  }
}
