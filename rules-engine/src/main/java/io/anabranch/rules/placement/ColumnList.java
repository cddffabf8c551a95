package io.anabranch.rules.placement;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.syntax.InsertSyntax.Row;
import io.anabranch.rules.syntax.TableMention;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The columns of an INSERT that names none, named: its values then come into the columns that they
 * were placed by, in whatever order a node has them.
 */
public final class ColumnList {

  private ColumnList() {}

  /** Those that an INSERT without a list gives values to. */
  public static List<String> unlisted(List<Column> columns) {
    return columns.stream().filter(column -> !column.hidden()).map(Column::name).toList();
  }

  /** Where each of the columns stands; the first of those that are there twice. */
  public static Map<String, Integer> positions(List<String> columns) {
    var positions = new HashMap<String, Integer>();
    for (int i = 0; i < columns.size(); i++) {
      positions.putIfAbsent(columns.get(i), i);
    }
    return positions;
  }

  /**
   * Puts the list behind the table, where rows of values follow it.
   *
   * @param columns as {@link #unlisted} has them
   */
  public static void write(
      SourceText source, InsertSyntax syntax, List<String> columns, TableRewriting rewriting) {
    SqlTokens tokens = source.tokens();
    String list =
        columns.stream().map(TableNames::quoted).collect(Collectors.joining(", ", " (", ")"));
    boolean fits =
        syntax.form() == InsertSyntax.Form.VALUES
            && syntax.columnsEnd() < 0
            && tokens.isAnyWord(syntax.targetEnd(), "VALUES", "VALUE")
            && syntax.rows().stream().map(Row::values).allMatch(v -> v.size() == columns.size())
            && source.charset().newEncoder().canEncode(list);
    if (fits && !columns.isEmpty()) {
      putBehindTarget(syntax, list, rewriting);
    }
  }

  /**
   * Puts a list of columns where servers take one: behind the table and its PARTITION (…).
   *
   * @param list with its parentheses and a blank in front
   */
  public static void putBehindTarget(InsertSyntax syntax, String list, TableRewriting rewriting) {
    TableMention table = syntax.table();
    int last = syntax.targetEnd() - 1;
    if (last < table.behind()) {
      rewriting.replace(table.first(), table.behind(), new Piece.Table(0), rewriting.text(list));
    } else {
      rewriting.replace(last, last + 1, rewriting.text(")" + list));
    }
  }
}
