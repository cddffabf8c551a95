package io.anabranch.rules.planner.insert;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.syntax.ChangeSyntax;
import io.anabranch.rules.syntax.LoadSyntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What SET makes of the fields of a file: {@code (id, @word) SET word = UPPER(@word)} becomes rows
 * {@code (id, UPPER('…'))}. Used once.
 */
final class LoadedRows {

  private final SourceText source;
  private final SqlTokens tokens;
  private final LoadSyntax syntax;
  private final List<String> columns;

  /**
   * @param columns lower-case names of those that fields go into
   */
  LoadedRows(SourceText source, LoadSyntax syntax, List<String> columns) {
    this.source = source;
    this.tokens = source.tokens();
    this.syntax = syntax;
    this.columns = columns;
  }

  /** Rows are placed by their fields, before a database computes anything. */
  static void refuseKeys(LoadSyntax syntax, ShardedTable table) {
    ShardedTable.KeyGeneration key = table.keyGeneration();
    for (ChangeSyntax.Assignment assignment : syntax.assignments()) {
      String column = assignment.column().toLowerCase(Locale.ROOT);
      boolean isKey = key != null && key.column().equalsIgnoreCase(column);
      if (isKey || RowPlacement.columns(table).contains(column)) {
        throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
            "SET of column '" + column + "' in LOAD DATA", "read it from a field of the file");
      }
    }
  }

  /**
   * Where the value of a field stands that goes into a variable; -1 if SET does not name it.
   *
   * @param width columns of the file's rows
   */
  static int position(LoadSyntax syntax, int width, int field) {
    String name = syntax.variables().get(field);
    boolean last = syntax.variables().lastIndexOf(name) == field;
    return syntax.assignments().isEmpty() || !last ? -1 : width + 1 + field;
  }

  /** The rows with what SET gives them behind their columns. */
  RowTarget of(RowTarget rows) {
    if (syntax.assignments().isEmpty()) {
      return rows;
    }
    var pieces = new ArrayList<>(rows.pieces().subList(0, rows.pieces().size() - 1));
    var positions = new ArrayList<Integer>();
    for (int column : rows.columns()) {
      positions.add(column);
    }
    var text = new StringBuilder(positions.isEmpty() ? "(" : ", ");
    for (ChangeSyntax.Assignment assignment : syntax.assignments()) {
      refuseTwice(assignment);
      expression(assignment, text, pieces, positions);
      text.append(", ");
    }
    text.setLength(text.length() - 2);
    pieces.add(source.encode(text.append(')').toString()));
    return new RowTarget(
        List.of(),
        pieces,
        positions.stream().mapToInt(Integer::intValue).toArray(),
        rows.separator(),
        rows.mostRows(),
        rows.placer(),
        rows.keys(),
        rows.onceBy());
  }

  private void refuseTwice(ChangeSyntax.Assignment assignment) {
    if (columns.contains(assignment.column().toLowerCase(Locale.ROOT))) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "SET of column '" + assignment.column() + "', which is a field of the file, too,",
          "read the field into a user variable");
    }
  }

  private void expression(
      ChangeSyntax.Assignment assignment,
      StringBuilder text,
      List<byte[]> pieces,
      List<Integer> positions) {
    int from = assignment.value().from();
    for (int token = from; token < assignment.value().to(); token++) {
      if (tokens.isWord(token, "SELECT") || tokens.isOperator(token, ":=")) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "'" + tokens.text(token) + "' in SET of LOAD DATA", "compute the column afterwards");
      }
      if (token > from && tokens.start(token) > tokens.end(token - 1)) {
        text.append(' ');
      }
      int position = variable(token);
      if (position < 0) {
        text.append(tokens.text(token));
      } else {
        pieces.add(source.encode(text.toString()));
        text.setLength(0);
        positions.add(position);
      }
    }
  }

  private int variable(int token) {
    if (tokens.kind(token) != TokenKind.VARIABLE) {
      return -1;
    }
    int field = syntax.variables().lastIndexOf(tokens.text(token).toLowerCase(Locale.ROOT));
    return field < 0 ? -1 : position(syntax, columns.size(), field);
  }
}
