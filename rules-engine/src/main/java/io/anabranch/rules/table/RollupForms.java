package io.anabranch.rules.table;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.syntax.TextEdits;

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
    var plain = new TextEdits(definition, tokens);
    for (int form : tokens.all().where(at -> isForm(tokens, at))) {
      int close = tokens.closing(form + 1);
      TokenRange item = tokens.between(form + 2, close);
      plain.remove(form, tokens.isWord(form + 2, "DISTINCT") ? form + 3 : form + 2);
      plain.remove(
          tokens.isWord(form, KEY) && item.parts().size() > 1
              ? item.parts().getLast().first() - 1
              : close,
          close + 1);
    }
    return plain.text();
  }

  private static boolean isForm(SqlTokens tokens, int token) {
    return tokens.isAnyWord(token, KEY, AGGREGATE) && tokens.isPunctuation(token + 1, '(');
  }
}
