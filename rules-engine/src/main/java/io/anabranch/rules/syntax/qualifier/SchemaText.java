package io.anabranch.rules.syntax.qualifier;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TextEdits;

/** Texts of statements as servers tell them, with a schema called otherwise. */
public final class SchemaText {

  private SchemaText() {}

  /** Puts {@code to} where the text surely names the schema {@code from}. */
  public static String renamed(String text, String from, String to) {
    if (!text.contains(from)) {
      return text;
    }
    SqlTokens tokens = SqlTokens.of(text);
    var renamed = new TextEdits(text, tokens);
    for (SchemaMention mention : SchemaMentions.of(tokens)) {
      int token = mention.token();
      if (mention.isSchema() && tokens.name(token).equals(from)) {
        boolean isQuoted = tokens.kind(token) == TokenKind.QUOTED;
        renamed.replace(token, isQuoted ? TableNames.quoted(to) : to);
      }
    }
    return renamed.text();
  }
}
