package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.planner.InsertSyntax.Row;
import io.anabranch.rules.planner.InsertSyntax.Span;
import io.anabranch.rules.planner.SchemaCatalog.Column;
import io.anabranch.rules.planner.SchemaCatalog.TableSchema;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Rows of VALUES that have subqueries: one query computes all values of all rows, side by side in
 * one row, so that each keeps its own type.
 */
final class ComputedRows {

  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;
  private final InsertSyntax syntax;
  private final StatementReader reader;

  ComputedRows(PlanTask task, SourceText source, InsertSyntax syntax, StatementReader reader) {
    this.task = task;
    this.source = source;
    this.tokens = source.tokens();
    this.syntax = syntax;
    this.reader = reader;
  }

  /** Whether a value of a row has a subquery. */
  static boolean arePresent(SqlTokens tokens, InsertSyntax syntax) {
    boolean found = false;
    if (syntax.form() != InsertSyntax.Form.QUERY) {
      for (int i = syntax.body(); i < syntax.tail() && !found; i++) {
        found = tokens.isWord(i, "SELECT");
      }
    }
    return found;
  }

  /**
   * @param table that takes the rows
   */
  Substatement query(TableIntake table) {
    List<String> columns = table.columns();
    Set<String> all = table.allColumns();
    List<Column> types = table.types();
    var quotients = Quotients.of(tokens);
    var query = new Substatement.Builder(task, source).text("SELECT ");
    String separator = "";
    for (int number = 0; number < syntax.rows().size(); number++) {
      Row row = syntax.rows().get(number);
      if (row.values().size() != columns.size()) {
        throw ErrorCatalogue.COLUMN_COUNT.refuse(number + 1);
      }
      for (int i = 0; i < columns.size(); i++) {
        Span value = row.values().get(i);
        require(value, all);
        query.text(separator);
        var span = new SelectLayout.Span(value.from(), value.to());
        if (types.size() == columns.size() && quotients.divides(span)) {
          StoredDigits.of(types.get(i)).append(query, value.from(), value.to(), false);
        } else {
          query.tokens(value.from(), value.to());
        }
        separator = ", ";
      }
    }
    Substatement built = query.build();
    reader.read(built.task()).tables().forEach(this::refuse);
    return built;
  }

  /** The rows' values as they are written, to find the tables that they read. */
  Substatement bare() {
    var query = new Substatement.Builder(task, source).text("SELECT ");
    String separator = "";
    for (Row row : syntax.rows()) {
      for (Span value : row.values()) {
        boolean literal = isLiteral(value) || tokens.isWord(value.from(), "DEFAULT");
        if (!literal) {
          query.text(separator).tokens(value.from(), value.to());
          separator = ", ";
        }
      }
    }
    return query.build();
  }

  /**
   * A literal means the same in a query and in VALUES. Other expressions do so where they stand
   * around subqueries and name no column of the row.
   */
  private void require(Span value, Set<String> all) {
    boolean query = false;
    for (int i = value.from(); i < value.to(); i++) {
      boolean opens = tokens.isPunctuation(i, '(');
      if (opens && (tokens.isWord(i + 1, "SELECT") || tokens.isWord(i + 1, "WITH"))) {
        query = true;
        i = tokens.closing(i);
      } else if (tokens.isWord(i, "DEFAULT") || tokens.kind(i) == TokenKind.BINARY) {
        throw refusal("'" + tokens.text(i) + "'");
      } else if (tokens.isName(i)
          && !tokens.isPunctuation(i + 1, '(')
          && all.contains(tokens.name(i).toLowerCase(Locale.ROOT))) {
        throw refusal("column '" + tokens.name(i) + "'");
      }
    }
    if (!query && !isLiteral(value)) {
      throw refusal("an expression");
    }
  }

  private boolean isLiteral(Span value) {
    boolean signed = tokens.isOperator(value.from(), "-") || tokens.isOperator(value.from(), "+");
    int at = signed ? value.from() + 1 : value.from();
    return at + 1 == value.to()
        && switch (tokens.kind(at)) {
          case NUMBER, MARKER -> true;
          case STRING -> !signed;
          case WORD ->
              tokens.isWord(at, "NULL") || tokens.isWord(at, "TRUE") || tokens.isWord(at, "FALSE");
          case QUOTED,
              VARIABLE,
              BINARY,
              OPERATOR,
              PUNCTUATION,
              OPTIMIZER_HINT,
              EXECUTABLE_START,
              EXECUTABLE_END ->
              false;
        };
  }

  private static RefusedException refusal(String what) {
    return ErrorCatalogue.NOT_EXACT.refuse(
        what + " in VALUES of which one is a subquery", "write INSERT … SELECT");
  }

  /**
   * A server sees the first rows when it computes the next ones, and has no alias for one row. A
   * BIT that a subquery gives is not told from its digits.
   */
  private void refuse(PlacedTable table) {
    Optional<TableSchema> schema =
        switch (table) {
          case PlacedTable.Sharded sharded -> task.catalog().table(sharded.table().nodes());
          case PlacedTable.Single single ->
              task.catalog().table(single.dataSource(), single.ref().name());
          case PlacedTable.Broadcast broadcast ->
              task.catalog().table(task.database().endpoints().getFirst(), broadcast.ref().name());
          case PlacedTable.View view -> task.catalog().table(view.endpoint(), view.ref().name());
          case PlacedTable.Catalogue ignored -> Optional.empty();
        };
    boolean several = syntax.rows().size() > 1;
    boolean view = schema.isEmpty() || schema.get().view() != null;
    boolean own = table.ref().name().equalsIgnoreCase(syntax.table().name());
    boolean aliased = !table.ref().alias().equalsIgnoreCase(syntax.table().name());
    if ((own && (several || !aliased)) || (view && several)) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "a subquery over '" + table.ref().name() + "' in VALUES of the table that it reads",
          several ? "insert the rows one by one" : "give it an alias there");
    }
    for (Column column : schema.map(TableSchema::columns).orElse(List.of())) {
      boolean alone = schema.get().columns().size() == 1;
      boolean bits = column.type().toLowerCase(Locale.ROOT).startsWith("bit");
      if (bits && (alone || tokens.mention(column.name()))) {
        throw refusal("BIT column '" + column.name() + "'");
      }
    }
  }
}
