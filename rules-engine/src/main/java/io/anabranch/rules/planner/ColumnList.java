package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.planner.InsertSyntax.Row;
import io.anabranch.rules.planner.SchemaCatalog.Column;
import io.anabranch.rules.sql.TableNames;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The columns of an INSERT that names none, named: its values then come into the columns that they
 * were placed by, in whatever order a node has them.
 */
final class ColumnList {

  private ColumnList() {}

  /** Those that an INSERT without a list gives values to. */
  static List<String> unlisted(List<Column> columns) {
    return columns.stream().filter(column -> !column.hidden()).map(Column::name).toList();
  }

  /**
   * Puts the list behind the table's name, where rows of values follow it.
   *
   * @param columns as {@link #unlisted} has them
   */
  static void write(
      SourceText source, InsertSyntax syntax, List<String> columns, TableRewriting rewriting) {
    SqlTokens tokens = source.tokens();
    TableMention table = syntax.table();
    String list =
        columns.stream().map(TableNames::quoted).collect(Collectors.joining(", ", " (", ")"));
    boolean fits =
        syntax.form() == InsertSyntax.Form.VALUES
            && syntax.columnsEnd() < 0
            && (tokens.isWord(table.behind(), "VALUES") || tokens.isWord(table.behind(), "VALUE"))
            && syntax.rows().stream().map(Row::values).allMatch(v -> v.size() == columns.size())
            && source.charset().newEncoder().canEncode(list);
    if (fits && !columns.isEmpty()) {
      rewriting.replace(table.first(), table.behind(), out -> out.table(0).text(list));
    }
  }
}
