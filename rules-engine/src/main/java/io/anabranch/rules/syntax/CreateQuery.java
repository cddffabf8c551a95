package io.anabranch.rules.syntax;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import org.jspecify.annotations.Nullable;

/**
 * Where the query of CREATE TABLE … SELECT stands, in tokens.
 *
 * @param head first token of IGNORE, REPLACE or AS, or of the query
 * @param first of the query
 * @param behind the query, without parentheses around the whole
 * @param body where what comes behind its rows starts: LIMIT, FOR UPDATE and the like
 * @param duplicates IGNORE, REPLACE or nothing
 */
public record CreateQuery(int head, int first, int behind, int body, String duplicates) {

  /** Null if the statement has no query. */
  public static @Nullable CreateQuery of(SqlTokens tokens, DdlSyntax syntax) {
    if (!syntax.creates() || syntax.tables().isEmpty()) {
      return null;
    }
    for (int i = syntax.tables().getFirst().behind(); i < tokens.size(); i++) {
      if (startsQuery(tokens, i)) {
        return at(tokens, i);
      }
      if (tokens.isPunctuation(i, '(')) {
        i = tokens.closing(i);
      }
    }
    return null;
  }

  private static CreateQuery at(SqlTokens tokens, int start) {
    TokenRange query = tokens.between(start, tokens.behindStatement()).unwrapped();
    int first = query.first();
    int behind = query.behind();
    int head = tokens.isWord(start - 1, "AS") ? start - 1 : start;
    String duplicates = "";
    if (tokens.isWord(head - 1, "IGNORE") || tokens.isWord(head - 1, "REPLACE")) {
      head--;
      duplicates = tokens.word(head);
    }
    return new CreateQuery(head, first, behind, body(tokens, first, behind), duplicates);
  }

  private static boolean startsQuery(SqlTokens tokens, int token) {
    int inner = tokens.from(token).skip(each -> tokens.isPunctuation(each, '('));
    boolean with =
        tokens.isWord(inner, "WITH")
            && !tokens.isWord(inner + 1, "SYSTEM")
            && tokens.isName(inner + 1);
    boolean rows =
        tokens.isWord(inner, "VALUES")
            && (tokens.isPunctuation(inner + 1, '(') || tokens.isWord(inner + 1, "ROW"));
    return tokens.isWord(inner, "SELECT")
        || with
        || rows
        || (tokens.isWord(inner, "TABLE") && tokens.isName(inner + 1));
  }

  private static int body(SqlTokens tokens, int first, int behind) {
    int found =
        tokens
            .between(first, behind)
            .find(
                i ->
                    tokens.depth(i) == tokens.depth(behind - 1)
                        && tokens.kind(i) == TokenKind.WORD
                        && endsRows(tokens, i));
    return found < 0 ? behind : found;
  }

  private static boolean endsRows(SqlTokens tokens, int token) {
    boolean locks =
        tokens.isWord(token, "FOR")
            && (tokens.isWord(token + 1, "UPDATE") || tokens.isWord(token + 1, "SHARE"));
    return !tokens.isPunctuation(token - 1, '.')
        && (tokens.isWord(token, "LIMIT")
            || tokens.isWord(token, "FETCH")
            || locks
            || (tokens.isWord(token, "LOCK") && tokens.isWord(token + 1, "IN")));
  }
}
