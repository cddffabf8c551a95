package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.routing.key.BlockColumns;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.sql.SelectItem;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.query.SelectLayout;
import java.util.List;
import java.util.stream.IntStream;

/** Which column of a query's result a name, an alias or an expression elsewhere in it means. */
final class OutputColumns {

  private final SelectFacts select;
  private final SelectLayout layout;
  private final SourceEdits edits;
  private final SqlTokens tokens;
  private final List<ResultColumn> visible;

  /** How many items are a {@code *}, and the first of them. */
  private final int stars;

  private final int firstStar;

  /**
   * @param visible what the client is told about the result
   */
  OutputColumns(
      SelectFacts select, SelectLayout layout, SourceEdits edits, List<ResultColumn> visible) {
    this.select = select;
    this.layout = layout;
    this.edits = edits;
    this.tokens = edits.source().tokens();
    this.visible = visible;
    int[] places =
        IntStream.range(0, select.items().size())
            .filter(item -> select.items().get(item) instanceof SelectItem.Star)
            .toArray();
    this.stars = places.length;
    this.firstStar = places.length == 0 ? -1 : places[0];
  }

  /** The tokens of a select item without its alias. */
  Span expressionSpan(int item) {
    Span span = layout.items().get(item);
    if (select.aliases().get(item) == null) {
      return span;
    }
    int behind = span.behind() - 1;
    return new Span(span.first(), tokens.isWord(behind - 1, "AS") ? behind - 1 : behind);
  }

  /** The expression behind a visible column. */
  List<Piece> expressionOf(int column) {
    int item = itemOf(column);
    if (item >= 0) {
      Span span = expressionSpan(item);
      return edits.copyTokens(span.first(), span.behind());
    }
    ResultColumn described = visible.get(column);
    if (described.table().isEmpty() || described.orgName().isEmpty()) {
      throw new NotMergeableException("* over a derived table", "name the columns");
    }
    return List.of(
        edits.text(
            TableNames.quoted(described.table()) + "." + TableNames.quoted(described.orgName())));
  }

  /** The select item of a visible column; -1 where it comes out of a {@code *}. */
  private int itemOf(int column) {
    int count = select.items().size();
    if (stars == 0 || column < firstStar) {
      return column < count ? column : -1;
    }
    int fromEnd = visible.size() - column;
    return stars == 1 && fromEnd < count - firstStar ? count - fromEnd : -1;
  }

  /** Position of a select item; -1 where several {@code *} hide it. */
  private int columnOf(int item) {
    if (stars == 0 || item <= firstStar) {
      return item;
    }
    return stars == 1 ? visible.size() - (select.items().size() - item) : -1;
  }

  /** The visible column that an ORDER BY item means: by alias, then by the same text. */
  int outputColumn(SelectItem item, Span span) {
    int found = -1;
    Wish.requireWanted();
    for (int candidate = 0; candidate < select.items().size(); candidate++) {
      if (isSame(item, span, candidate)) {
        if (found >= 0) {
          return -1;
        }
        found = columnOf(candidate);
      }
    }
    return found;
  }

  private boolean isSame(SelectItem item, Span span, int candidate) {
    String alias = select.aliases().get(candidate);
    if (item instanceof SelectItem.Column column && column.column().table() == null) {
      String name = column.column().column();
      return alias != null
          ? alias.equalsIgnoreCase(name)
          : select.items().get(candidate) instanceof SelectItem.Column selected
              && selected.column().column().equalsIgnoreCase(name);
    }
    return sameTokens(span, expressionSpan(candidate));
  }

  boolean sameTokens(Span left, Span right) {
    return tokens.in(left).saysSame(tokens.in(right));
  }

  /** GROUP BY looks for columns of the tables first, for aliases then. */
  int groupedColumn(SelectItem item, Span span, BlockColumns columns) {
    boolean tableColumn =
        item instanceof SelectItem.Column name && columns.resolve(name.column()) != null;
    for (int candidate = 0; candidate < select.items().size(); candidate++) {
      boolean same =
          tableColumn ? sameTokens(span, expressionSpan(candidate)) : isSame(item, span, candidate);
      if (same && columnOf(candidate) >= 0) {
        return columnOf(candidate);
      }
    }
    return -1;
  }
}
