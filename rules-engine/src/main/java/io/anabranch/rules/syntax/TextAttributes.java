package io.anabranch.rules.syntax;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;

/**
 * What follows the type in the definition of a column of texts.
 *
 * @param charset character set and collation, as SQL; empty: the table's
 * @param isRequired whether it says NOT NULL
 * @param unique the word UNIQUE; -1: it says nothing of the kind
 * @param comment as SQL; empty: there is none
 * @param other the first token that is none of that, behind which nothing is read; -1: there is
 *     none
 */
public record TextAttributes(
    String charset, boolean isRequired, int unique, String comment, int other) {

  /** Those that the tokens {@code [first, behind)} tell. */
  public static TextAttributes read(SqlTokens tokens, int first, int behind) {
    var charset = new StringBuilder();
    boolean isRequired = false;
    int unique = -1;
    String comment = "";
    int other = -1;
    int at = first;
    while (at < behind && other < 0) {
      if (tokens.isWord(at, "NOT") && tokens.isWord(at + 1, "NULL")) {
        isRequired = true;
        at += 2;
      } else if (tokens.isWord(at, "NULL")) {
        at++;
      } else if (tokens.isWord(at, "DEFAULT") && tokens.isWord(at + 1, "NULL")) {
        at += 2;
      } else if (tokens.isWord(at, "CHARACTER") && tokens.isWord(at + 1, "SET")) {
        charset.append(" CHARACTER SET ").append(tokens.text(at + 2));
        at += 3;
      } else if (tokens.isAnyWord(at, "CHARSET", "COLLATE")) {
        charset.append(' ').append(tokens.text(at)).append(' ').append(tokens.text(at + 1));
        at += 2;
      } else if (tokens.isWord(at, "UNIQUE")) {
        unique = unique < 0 ? at : unique;
        at += tokens.isWord(at + 1, "KEY") ? 2 : 1;
      } else if (tokens.isWord(at, "COMMENT") && tokens.kind(at + 1) == TokenKind.STRING) {
        comment = " COMMENT " + tokens.text(at + 1);
        at += 2;
      } else {
        other = at;
      }
    }
    return new TextAttributes(charset.toString(), isRequired, unique, comment, other);
  }
}
