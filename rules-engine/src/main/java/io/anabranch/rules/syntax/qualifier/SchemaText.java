package io.anabranch.rules.syntax.qualifier;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.sql.TableNames;

/** Texts of statements as servers tell them, with a schema called otherwise. */
public final class SchemaText {

  private SchemaText() {}

  /** Puts {@code to} where the text surely names the schema {@code from}. */
  public static String renamed(String text, String from, String to) {
    if (!text.contains(from)) {
      return text;
    }
    SqlTokens tokens = SqlTokens.of(text);
    var renamed = new StringBuilder(text.length());
    int done = 0;
    for (SchemaMention mention : SchemaMentions.of(tokens)) {
      int token = mention.token();
      if (mention.isSchema() && tokens.name(token).equals(from)) {
        boolean isQuoted = tokens.kind(token) == TokenKind.QUOTED;
        renamed
            .append(text, done, tokens.start(token))
            .append(isQuoted ? TableNames.quoted(to) : to);
        done = tokens.end(token);
      }
    }
    return renamed.append(text, done, text.length()).toString();
  }
}
