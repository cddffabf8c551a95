package io.anabranch.rules.table;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;

/**
 * Queries of views with WITH ROLLUP as MySQL's {@code information_schema.VIEWS} tells them: each
 * key as {@code rollup_group_item(key,0)} and each aggregate as {@code
 * rollup_sum_switcher(sum(x))}, which are no functions. {@code SHOW CREATE VIEW} tells them as they
 * were written.
 */
final class RollupForms {

  private static final String KEY = "rollup_group_item";
  private static final String AGGREGATE = "rollup_sum_switcher";

  private RollupForms() {}

  /**
   * @return the same query without the forms; the same text if it has none
   */
  static String plain(String definition) {
    if (!definition.contains(KEY) && !definition.contains(AGGREGATE)) {
      return definition;
    }
    SqlTokens tokens = SourceText.of(definition, LexerMode.DEFAULT).tokens();
    var out = new StringBuilder(definition.length());
    write(definition, tokens, 0, tokens.size(), 0, out);
    return out.toString();
  }

  /**
   * Writes the tokens from one to another, with the blanks between them.
   *
   * @param start the offset to begin at: blanks may stand in front of the first token
   */
  private static void write(
      String text, SqlTokens tokens, int from, int to, int start, StringBuilder out) {
    int form = tokens.between(from, to).find(at -> isForm(tokens, at));
    if (form < 0) {
      out.append(text, start, from < to ? tokens.end(to - 1) : start);
      return;
    }
    int close = tokens.closing(form + 1);
    int first = tokens.isWord(form + 2, "DISTINCT") ? form + 3 : form + 2;
    int end =
        tokens.isWord(form, KEY)
            ? tokens.between(form + 2, close).parts().getLast().first() - 1
            : close;
    out.append(text, start, tokens.start(form));
    write(text, tokens, first, end, tokens.start(first), out);
    write(text, tokens, close + 1, to, tokens.end(close), out);
  }

  private static boolean isForm(SqlTokens tokens, int token) {
    return tokens.isAnyWord(token, KEY, AGGREGATE) && tokens.isPunctuation(token + 1, '(');
  }
}
