package io.anabranch.rules.planner.insert;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.function.SqlFunction;
import io.anabranch.rules.function.Trait;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.planner.query.HexadecimalLiterals;
import io.anabranch.rules.planner.query.StoredDigits;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.Quotients;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.syntax.InsertSyntax.Row;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.PlanTask;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Rows of VALUES that have to be computed before they are placed or copied, as they have
 * subqueries, or expressions for sharding columns: one query computes all values of all rows, side
 * by side in one row, so that each keeps its own type.
 */
final class ComputedRows {

  /** A server's limit of the columns of a query. */
  private static final int MOST_VALUES = 4096;

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
    return syntax.form() != InsertSyntax.Form.QUERY
        && tokens.between(syntax.body(), syntax.tail()).hasWord("SELECT");
  }

  private static boolean isDefault(SqlTokens tokens, Span value) {
    return value.first() + 1 == value.behind() && tokens.isWord(value.first(), "DEFAULT");
  }

  /** Positions at which the values of all rows are DEFAULT. */
  static BitSet defaulted(SqlTokens tokens, InsertSyntax syntax) {
    var positions = new BitSet();
    if (syntax.rows().isEmpty()) {
      return positions;
    }
    positions.set(0, syntax.rows().getFirst().values().size());
    for (Row row : syntax.rows()) {
      for (int i = 0; i < positions.length(); i++) {
        boolean isDefault = i < row.values().size() && isDefault(tokens, row.values().get(i));
        if (!isDefault) {
          positions.clear(i);
        }
      }
    }
    return positions;
  }

  /**
   * @param table that takes the rows
   * @param defaulted as {@link #defaulted} says
   */
  Substatement query(TableIntake table, BitSet defaulted) {
    List<String> columns = table.columns();
    Set<String> all = table.allColumns();
    List<Column> types = table.types();
    if ((long) syntax.rows().size() * columns.size() > MOST_VALUES) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "more than " + MOST_VALUES + " values in rows that have to be computed first",
          "insert fewer rows at once, or give the values as literals");
    }
    var quotients = Quotients.of(tokens);
    var query = new Substatement.Builder(task, source).text("SELECT ");
    String separator = "";
    for (int number = 0; number < syntax.rows().size(); number++) {
      Row row = syntax.rows().get(number);
      if (row.values().size() != columns.size() + defaulted.cardinality()) {
        throw ErrorCatalogue.COLUMN_COUNT.refuse(number + 1);
      }
      int position = defaulted.nextClearBit(0);
      for (int i = 0; i < columns.size(); i++) {
        Span value = row.values().get(position);
        position = defaulted.nextClearBit(position + 1);
        require(value, all);
        if (types.size() == columns.size()) {
          HexadecimalLiterals.refuse(tokens, value, types.get(i));
        }
        query.text(separator);
        if (types.size() == columns.size() && quotients.divides(value)) {
          StoredDigits.of(types.get(i)).append(query, value.first(), value.behind(), false);
        } else {
          query.tokens(value.first(), value.behind());
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
        boolean literal = isLiteral(value) || tokens.isWord(value.first(), "DEFAULT");
        if (!literal) {
          query.text(separator).tokens(value.first(), value.behind());
          separator = ", ";
        }
      }
    }
    return query.build();
  }

  /**
   * A literal means the same in a query and in VALUES, and so does an expression that names no
   * column of the row and belongs to no connection.
   */
  private void require(Span value, Set<String> all) {
    for (int i : tokens.in(value).outside(open -> isQuery(open + 1))) {
      if (tokens.isWord(i, "DEFAULT")) {
        throw refusal("'" + tokens.text(i) + "'");
      } else if (tokens.isName(i)
          && !tokens.isPunctuation(i + 1, '(')
          && all.contains(tokens.lowerName(i))) {
        throw refusal("column '" + tokens.name(i) + "'");
      } else {
        requireOfRow(i);
        refuseColumnsOfRow(i, all);
      }
    }
  }

  /** A query of no table that opens there may name columns of the row alone. */
  private void refuseColumnsOfRow(int open, Set<String> all) {
    int end = tokens.isPunctuation(open, '(') && isQuery(open + 1) ? tokens.closing(open) : open;
    if (!tokens.between(open, end).hasWord("FROM")) {
      int named =
          tokens
              .between(open, end)
              .findName(token -> isOperand(token) && all.contains(tokens.lowerName(token)));
      if (named >= 0) {
        throw refusal("column '" + tokens.name(named) + "'");
      }
    }
  }

  /** Where no alias stands. */
  private boolean isOperand(int token) {
    boolean isBehind =
        tokens.isWord(token - 1, "SELECT")
            || tokens.isPunctuation(token - 1, '(')
            || tokens.isPunctuation(token - 1, ',')
            || tokens.kind(token - 1) == TokenKind.OPERATOR;
    return isBehind && !tokens.isPunctuation(token + 1, '(');
  }

  private boolean isQuery(int token) {
    return tokens.isAnyWord(token, "SELECT", "WITH");
  }

  /** Of one row and any connection: what draws from a sequence finds the one that has it. */
  private void requireOfRow(int token) {
    SqlFunction function = FunctionUses.at(tokens, token);
    boolean draws = function != null && function.name().equals("NEXTVAL");
    boolean refused =
        function != null && (function.is(Trait.AGGREGATE) || (function.isTied() && !draws));
    if (refused || tokens.isWord(token, "OVER") || tokens.isOperator(token, ":=")) {
      throw refusal(tokens.text(token));
    }
  }

  private boolean isLiteral(Span value) {
    boolean signed = tokens.isOperator(value.first(), "-") || tokens.isOperator(value.first(), "+");
    int at = signed ? value.first() + 1 : value.first();
    return at + 1 == value.behind()
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
              EXECUTABLE_END,
              NONE ->
              false;
        };
  }

  private static RefusedException refusal(String what) {
    return ErrorCatalogue.NOT_EXACT.refuse(
        what + " in VALUES of which one has to be computed first",
        "give the value as a literal, or write INSERT … SELECT");
  }

  /**
   * A server sees the first rows when it computes the next ones, and has no alias for one row. A
   * BIT that a subquery gives is not told from its digits.
   */
  private void refuse(PlacedTable table) {
    Optional<TableSchema> schema = Analysis.schema(task, table);
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
