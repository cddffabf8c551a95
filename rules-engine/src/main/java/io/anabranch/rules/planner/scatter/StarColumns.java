package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.query.SelectLayout;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.nio.charset.CharsetEncoder;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code *} as the columns that it stood for when the statement was planned. The legs of a UNION
 * ALL then give them in one order, whatever the order of one table is meanwhile, and one that has
 * lost a column says so.
 */
final class StarColumns {

  private StarColumns() {}

  /**
   * The columns of the only {@code *} among the items as SQL text; empty where they have no names
   * that could be told apart, so that it has to stay.
   *
   * @param described columns of the whole statement, under the names of its tables
   */
  static String of(Analysis analysis, SelectLayout layout, List<ResultColumn> described) {
    SqlTokens tokens = analysis.source().tokens();
    int star = -1;
    for (int item = 0; item < layout.items().size(); item++) {
      if (isStar(tokens, layout.items().get(item))) {
        if (star >= 0) {
          return "";
        }
        star = item;
      }
    }
    int width = described.size() - layout.items().size() + 1;
    if (star < 0 || width < 1 || isMixed(tokens) || !analysis.task().scope().locks().isEmpty()) {
      return "";
    }
    List<ResultColumn> columns = described.subList(star, star + width);
    boolean isAlone = analysis.tables().size() == 1 && !joins(tokens);
    var names = new HashSet<String>();
    for (ResultColumn column : columns) {
      boolean isOfTable = !column.orgName().isEmpty() && column.name().equals(column.orgName());
      if (!isOfTable || (!isAlone && !isTable(analysis, column.table()))) {
        return "";
      }
      names.add(column.table() + "." + column.name());
    }
    String text =
        columns.stream().map(column -> text(column, isAlone)).collect(Collectors.joining(", "));
    CharsetEncoder encoder = analysis.source().charset().newEncoder();
    return names.size() == width && encoder.canEncode(text) ? text : "";
  }

  static boolean isStar(SqlTokens tokens, Span item) {
    return tokens.isOperator(item.behind() - 1, "*")
        && (item.behind() - item.first() == 1 || tokens.isPunctuation(item.behind() - 2, '.'));
  }

  /** Whether rows come from more than one place: a table beside a derived one, for example. */
  private static boolean joins(SqlTokens tokens) {
    SelectSpans main = SelectSpans.main(tokens);
    Span from = main == null ? Span.NONE : main.from();
    return tokens
        .in(from)
        .has(
            token ->
                tokens.isAnyWord(token, "JOIN", "STRAIGHT_JOIN")
                    || tokens.isPunctuation(token, ','));
  }

  /** Columns of two tables that become one have a place and a value of their own. */
  private static boolean isMixed(SqlTokens tokens) {
    return tokens.all().hasWord("NATURAL", "USING");
  }

  private static boolean isTable(Analysis analysis, String name) {
    return analysis.tables().stream().anyMatch(table -> table.ref().alias().equals(name));
  }

  private static String text(ResultColumn column, boolean isAlone) {
    String name = TableNames.quoted(column.name());
    return isAlone ? name : TableNames.quoted(column.table()) + "." + name;
  }
}
