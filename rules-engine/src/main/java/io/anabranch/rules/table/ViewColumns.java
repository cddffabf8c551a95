package io.anabranch.rules.table;

import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TextEdits;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The columns of {@code CREATE VIEW v (a, b) AS …} in the view's query: MariaDB tells them there,
 * MySQL keeps them apart.
 */
final class ViewColumns {

  private ViewColumns() {}

  /**
   * @param definition as servers tell it: each item with its alias, all names quoted
   * @return a query whose columns are called like the view's
   */
  static String named(String definition, TableSchema view) {
    SqlTokens tokens = SourceText.of(definition, LexerMode.DEFAULT).tokens();
    SelectSpans select = SelectSpans.main(tokens);
    if (select == null) {
      return definition;
    }
    List<Span> items = select.items(tokens);
    boolean isTold =
        items.size() == view.columns().size()
            && items.stream().allMatch(item -> isAliased(tokens, item));
    if (!isTold) {
      return definition;
    }
    var text = new TextEdits(definition, tokens);
    for (int i = 0; i < items.size(); i++) {
      int alias = items.get(i).behind() - 1;
      String name = view.columns().get(i).name();
      if (!tokens.name(alias).equals(name)) {
        text.replace(alias, TableNames.quoted(name));
      }
    }
    if (text.isEmpty()) {
      return definition;
    }
    // what stands behind the items may name them by the aliases that they have
    return isMentioned(tokens, items)
        ? "select * from (" + definition + ") AS " + TableNames.quoted(view.name()) + list(view)
        : text.text();
  }

  private static boolean isAliased(SqlTokens tokens, Span item) {
    int last = item.behind() - 1;
    return last > item.first()
        && tokens.kind(last) == TokenKind.QUOTED
        && tokens.isWord(last - 1, "AS");
  }

  private static boolean isMentioned(SqlTokens tokens, List<Span> items) {
    return tokens
        .from(items.getLast().behind())
        .has(
            token ->
                tokens.kind(token) == TokenKind.QUOTED
                    && !tokens.isPunctuation(token - 1, '.')
                    && items.stream()
                        .map(item -> tokens.name(item.behind() - 1))
                        .anyMatch(tokens.name(token)::equalsIgnoreCase));
  }

  private static String list(TableSchema view) {
    return view.columns().stream()
        .map(column -> TableNames.quoted(column.name()))
        .collect(Collectors.joining(", ", " (", ")"));
  }
}
