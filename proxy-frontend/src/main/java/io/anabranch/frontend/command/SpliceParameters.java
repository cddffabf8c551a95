package io.anabranch.frontend.command;

import io.anabranch.frontend.session.Session;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.List;

/** Puts literals in the place of a statement's parameter markers. */
final class SpliceParameters {

  private SpliceParameters() {}

  /**
   * @param literals SQL text, one for each marker in the order of the text
   */
  static String into(SourceText source, List<String> literals) {
    SqlTokens tokens = source.tokens();
    var out = new StringBuilder(source.text().length() + 16 * literals.size());
    int copied = 0;
    int next = 0;
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.kind(i) == TokenKind.MARKER) {
        out.append(source.text(), copied, tokens.start(i)).append(literals.get(next++));
        copied = tokens.end(i);
      }
    }
    return out.append(source.text(), copied, source.text().length()).toString();
  }

  /** A string literal as this session's {@code sql_mode} reads it. */
  static String quoted(String value, Session session) {
    String doubled = value.replace("'", "''");
    return session.lexerMode().noBackslashEscapes()
        ? "'" + doubled + "'"
        : "'" + doubled.replace("\\", "\\\\") + "'";
  }
}
