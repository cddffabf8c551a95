package io.anabranch.rules.planner.view;

import io.anabranch.rules.function.SqlFunctions;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TextEdits;
import io.anabranch.rules.syntax.query.SelectLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A view that shows rows of one table, each as it is: what is written through it can be said of the
 * table. It is read from the query as servers tell it, in which every column has a qualifier and a
 * name.
 *
 * @param table that it reads; may be a view, too
 * @param condition its WHERE; null: it shows all rows
 */
record WritableView(String table, List<Column> columns, @Nullable String condition) {

  /**
   * @param name that the view gives it
   * @param text in columns of the table, which have no qualifiers
   * @param of the table's column that it is; null: it is an expression
   */
  record Column(String name, String text, @Nullable String of) {}

  WritableView {
    columns = List.copyOf(columns);
  }

  /** Empty where rows of the query are not simply the table's. */
  static Optional<WritableView> of(String query) {
    SqlTokens tokens = SqlTokens.of(query);
    SelectLayout layout = SelectLayout.of(tokens).orElse(null);
    if (layout == null
        || layout.items().getFirst().first() != 1
        || layout.body() != tokens.size()
        || !tokens.isName(layout.from() + 1)
        || !isPlain(tokens)) {
      return Optional.empty();
    }
    int table = layout.from() + 1;
    boolean aliased = table + 1 < tokens.size() && !tokens.isWord(table + 1, "WHERE");
    int where = table + (aliased ? 2 : 1);
    boolean alone =
        (!aliased || tokens.isName(table + 1))
            && (where == tokens.size() || tokens.isWord(where, "WHERE"));
    if (!alone) {
      return Optional.empty();
    }
    var columns = new ArrayList<Column>();
    for (Span item : layout.items()) {
      int name = item.behind() - 1;
      if (!tokens.isName(name) || !tokens.isWord(name - 1, "AS")) {
        return Optional.empty();
      }
      columns.add(column(query, tokens, new Span(item.first(), name - 1), tokens.name(name)));
    }
    String condition =
        where == tokens.size() ? null : bare(query, tokens, new Span(where + 1, tokens.size()));
    return Optional.of(new WritableView(tokens.name(table), columns, condition));
  }

  /** Neither subqueries nor anything that makes one value of several rows. */
  private static boolean isPlain(SqlTokens tokens) {
    return !tokens
        .from(1)
        .has(
            token ->
                tokens.isAnyWord(token, "SELECT", "OVER")
                    || (tokens.isPunctuation(token + 1, '(')
                        && tokens.isName(token)
                        && SqlFunctions.isAggregate(tokens.name(token))));
  }

  private static Column column(String query, SqlTokens tokens, Span item, String name) {
    String text = bare(query, tokens, item);
    boolean plain =
        item.behind() - item.first() == 3
            && tokens.isName(item.first())
            && tokens.isPunctuation(item.first() + 1, '.')
            && tokens.isName(item.first() + 2);
    return plain
        ? new Column(name, text, tokens.name(item.first() + 2))
        : new Column(name, "(" + text + ")", null);
  }

  /** The text without what stands in front of columns: there is one table only. */
  private static String bare(String query, SqlTokens tokens, Span span) {
    var text = new TextEdits(query, tokens);
    for (int token : tokens.in(span).where(each -> qualifies(tokens, each))) {
      if (token + 2 < span.behind()) {
        text.replace(token, token + 2, " ");
      }
    }
    return text.text(span.first(), span.behind()).strip();
  }

  private static boolean qualifies(SqlTokens tokens, int token) {
    return tokens.isName(token)
        && tokens.isPunctuation(token + 1, '.')
        && tokens.isName(token + 2)
        && !tokens.isPunctuation(token + 3, '(');
  }

  /** The column of that name; null if the view has none. */
  @Nullable Column column(String name) {
    for (Column column : columns) {
      if (column.name().equalsIgnoreCase(name)) {
        return column;
      }
    }
    return null;
  }

  /** Whether it shows a column of the table as it is. */
  boolean shows(String column) {
    return columns.stream().anyMatch(each -> column.equalsIgnoreCase(each.of()));
  }

  /** Whether a column of the table decides which rows it shows. */
  boolean asks(String column) {
    return condition != null
        && condition
            .toLowerCase(Locale.ROOT)
            .contains(TableNames.quoted(column.toLowerCase(Locale.ROOT)));
  }
}
