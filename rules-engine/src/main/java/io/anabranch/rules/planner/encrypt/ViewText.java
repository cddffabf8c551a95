package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.planner.encrypt.stored.StoredText;
import io.anabranch.rules.planner.view.ViewPlanner;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.ArrayList;
import java.util.List;

/**
 * CREATE and ALTER VIEW over encrypted columns: {@code CREATE VIEW v AS SELECT phone FROM person}
 * gets a column {@code phone} with the ciphertext, and beside it those that are compared in its
 * place, where the view has a row for each row of its table. {@link EncryptedViews} finds them
 * again.
 */
final class ViewText {

  /** Names of columns may have no more characters. */
  private static final int LONGEST = 64;

  private final StoredText text;
  private final SqlTokens tokens;
  private final QueryText queries;

  ViewText(StoredText text, QueryText queries) {
    this.text = text;
    this.tokens = text.tokens();
    this.queries = queries;
  }

  /** Whether there is room for the names that stand beside a column's. */
  static boolean isShort(String name) {
    return name.length() + EncryptedViews.EQUAL.length() <= LONGEST;
  }

  /**
   * Reads what stands around the query.
   *
   * @param view the word
   * @return where the names of its columns open; -1: it has none
   */
  int read(int view) {
    text.keep();
    TableMention mention = ViewPlanner.named(text.source(), view);
    text.understand(mention.first(), mention.behind());
    List<Scope> legs = queries.legs().legs(QueryLegs.TOP);
    if (legs.isEmpty()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a view whose query has no plain SELECT beside encrypted columns",
          "write the query without parentheses around it");
    }
    if (legs.size() == 1 && isRowByRow(legs.getFirst())) {
      queries.carry(legs.getFirst());
    }
    return tokens.isPunctuation(mention.behind(), '(') ? mention.behind() : -1;
  }

  private boolean isRowByRow(Scope leg) {
    SelectSpans select = leg.select;
    if (select == null) {
      return false;
    }
    return !tokens
        .between(select.select() + 1, select.behind())
        .has(
            token ->
                tokens.depth(token) == tokens.depth(select.select())
                    && tokens.isAnyWord(token, "DISTINCT", "DISTINCTROW", "GROUP", "HAVING"));
  }

  /** Writes the names of the columns, once the query is written. */
  void names(int open) {
    List<List<String>> suffixes = queries.carried();
    if (open < 0 || suffixes.isEmpty()) {
      return;
    }
    int close = tokens.closing(open);
    var names = new ArrayList<String>();
    for (int token : tokens.between(open + 1, close).names()) {
      int number = (token - open) / 2;
      for (String suffix : number < suffixes.size() ? suffixes.get(number) : List.of("")) {
        names.add(TableNames.quoted(tokens.name(token) + suffix));
      }
    }
    text.replace(open + 1, close, String.join(", ", names));
  }
}
