package io.anabranch.rules.syntax;

import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;

/** FOR UPDATE and the like at the end of a query. */
public final class RowLocks {

  private RowLocks() {}

  /**
   * The clause; empty if there is none.
   *
   * @throws NotMergeableException if it stands elsewhere, or locks some tables only
   */
  public static Span of(SqlTokens tokens) {
    Span found = Span.NONE;
    for (int token = 1; token < tokens.size(); token++) {
      if (tokens.isPunctuation(token - 1, '.')
          || !(begins(tokens, token) || shares(tokens, token))) {
        continue;
      }
      int behind = tokens.size();
      while (behind > token && tokens.isPunctuation(behind - 1, ';')) {
        behind--;
      }
      if (tokens.depth(token) > 0 || !found.isEmpty() || !tokens.isWord(0, "SELECT")) {
        throw new NotMergeableException("a locking clause in a part of a statement", "move it");
      }
      found = new Span(token, behind);
    }
    if (!found.isEmpty() && tokens.between(0, found.first()).has(at -> joins(tokens, at))) {
      throw new NotMergeableException(
          "a locking clause behind a set operation, which locks the rows of its last SELECT",
          "lock them in a statement of their own");
    }
    if (tokens.in(found).hasWord("OF")) {
      throw new NotMergeableException("FOR UPDATE OF some tables", "lock all of them");
    }
    return found;
  }

  private static boolean joins(SqlTokens tokens, int token) {
    return tokens.depth(token) == 0
        && tokens.isAnyWord(token, "UNION", "EXCEPT", "INTERSECT")
        && !tokens.isPunctuation(token - 1, '.');
  }

  /** {@code LOCK IN SHARE MODE}: {@code t.lock IN (1, 2)} is about a column. */
  private static boolean shares(SqlTokens tokens, int token) {
    return tokens.isWord(token, "LOCK")
        && tokens.isWord(token + 1, "IN")
        && tokens.isWord(token + 2, "SHARE");
  }

  private static boolean begins(SqlTokens tokens, int token) {
    return tokens.isWord(token, "FOR")
        && (tokens.isWord(token + 1, "UPDATE") || tokens.isWord(token + 1, "SHARE"));
  }

  /**
   * The token behind what the parser does not know of a clause: tables that it names, and whether
   * it waits.
   *
   * @return {@code token} itself where no such thing begins
   */
  static int behindUnknown(SqlTokens tokens, int token) {
    boolean isBehindShare =
        (tokens.isWord(token - 1, "SHARE") && tokens.isWord(token - 2, "FOR"))
            || (tokens.isWord(token - 1, "MODE") && tokens.isWord(token - 2, "SHARE"));
    return isBehindShare ? behindWaiting(tokens, token) : behindTables(tokens, token);
  }

  private static int behindWaiting(SqlTokens tokens, int token) {
    if (tokens.isWord(token, "NOWAIT")) {
      return token + 1;
    }
    return tokens.isWord(token, "SKIP") ? token + 2 : token;
  }

  /**
   * The token behind MySQL's {@code FOR SHARE OF a, b NOWAIT}: a clause that names its tables, by
   * what the query calls them, which stays when they are renamed. The parser does not know it.
   *
   * @return {@code token} itself where no such clause begins
   */
  private static int behindTables(SqlTokens tokens, int token) {
    if (!begins(tokens, token) || !tokens.isWord(token + 2, "OF")) {
      return token;
    }
    int behind = token + 3;
    while (tokens.isName(behind) && tokens.isPunctuation(behind + 1, ',')) {
      behind += 2;
    }
    return behindWaiting(tokens, behind + 1);
  }
}
