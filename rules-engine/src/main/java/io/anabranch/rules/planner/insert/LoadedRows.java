package io.anabranch.rules.planner.insert;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.plan.PlanNode.Load.MadeCell;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.syntax.ChangeSyntax;
import io.anabranch.rules.syntax.LoadSyntax;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What SET makes of the fields of a file: {@code (id, @word) SET word = UPPER(@word)} becomes rows
 * {@code (id, UPPER('…'))}. Used once.
 */
final class LoadedRows {

  private final SourceText source;
  private final SqlTokens tokens;
  private final LoadSyntax syntax;
  private final Map<String, Integer> fieldsOfVariables;
  private final List<String> columns;
  private final Set<String> ofFields;
  private final StoredColumns stored;
  private final SlotValues written;

  /** The values of a row so far: text, then a value, then text. */
  private final List<byte[]> pieces = new ArrayList<>();

  private final List<Integer> positions = new ArrayList<>();
  private final StringBuilder text = new StringBuilder("(");
  private final List<MadeCell> made = new ArrayList<>();
  private boolean isBegun;

  /**
   * @param columns lower-case names of those that fields go into
   * @param stored what is in the place of some of them
   */
  LoadedRows(PlanTask task, LoadSyntax syntax, List<String> columns, StoredColumns stored) {
    this.source = task.source();
    this.tokens = source.tokens();
    this.syntax = syntax;
    this.fieldsOfVariables = syntax.fieldsOfVariables();
    this.columns = columns;
    this.ofFields = Set.copyOf(columns);
    this.stored = stored;
    this.written = task.written();
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
   * @param fieldsOfVariables see {@link LoadSyntax#fieldsOfVariables}
   * @param width columns of the file's rows
   */
  static int position(
      LoadSyntax syntax, Map<String, Integer> fieldsOfVariables, int width, int field) {
    Integer last = fieldsOfVariables.get(syntax.variables().get(field));
    boolean isLast = last != null && last == field;
    return syntax.assignments().isEmpty() || !isLast ? -1 : width + 1 + field;
  }

  /** The rows with what is stored for their columns, and what SET gives them behind these. */
  RowTarget of(RowTarget rows) {
    if (syntax.assignments().isEmpty() && stored.cells().isEmpty()) {
      return rows;
    }
    for (int i = 0; i < columns.size(); i++) {
      field(i, stored.of(columns.get(i)));
    }
    if (rows.columns().length > columns.size()) {
      // a key that is made
      next();
      value(columns.size());
    }
    for (ChangeSyntax.Assignment assignment : syntax.assignments()) {
      refuseTwice(assignment);
      List<StoredColumns.Cell> cells = stored.of(assignment.column());
      if (cells.isEmpty()) {
        next();
        expression(assignment);
      } else {
        assigned(assignment, cells);
      }
    }
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

  /** The cells that are made from fields; known after {@link #of}. */
  List<MadeCell> made() {
    return made;
  }

  private void next() {
    if (isBegun) {
      text.append(", ");
    }
    isBegun = true;
  }

  private void value(int position) {
    pieces.add(source.encode(text.toString()));
    text.setLength(0);
    positions.add(position);
  }

  /** What a field becomes. */
  private void field(int position, List<StoredColumns.Cell> cells) {
    if (cells.isEmpty()) {
      next();
      value(position);
    }
    for (StoredColumns.Cell cell : cells) {
      next();
      value(columns.size() + 1 + fields() + made.size());
      made.add(new MadeCell(position, cell.name(), cell.literal()));
    }
  }

  /** Fields that a line of the file may have. */
  private int fields() {
    return syntax.listed() ? syntax.columns().size() : columns.size();
  }

  /** A column that is not stored as it is: a value is known, or it is that of a field. */
  private void assigned(ChangeSyntax.Assignment assignment, List<StoredColumns.Cell> cells) {
    int token = assignment.value().first();
    boolean isOne = assignment.value().behind() == token + 1;
    int position = isOne ? variable(token) : -1;
    if (position >= 0) {
      field(position, cells);
      return;
    }
    SqlValue value =
        isOne && tokens.slot(token) >= 0
            ? written.value(tokens.slot(token))
            : isOne && tokens.isWord(token, "NULL") ? SqlValue.Null.NULL : null;
    if (value == null) {
      throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
          "an expression in SET of LOAD DATA",
          assignment.column(),
          "give it a plain string, or the user variable of a field");
    }
    for (StoredColumns.Cell cell : cells) {
      next();
      text.append(cell.literal().of(value));
    }
  }

  private void refuseTwice(ChangeSyntax.Assignment assignment) {
    if (ofFields.contains(assignment.column().toLowerCase(Locale.ROOT))) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "SET of column '" + assignment.column() + "', which is a field of the file, too,",
          "read the field into a user variable");
    }
  }

  private void expression(ChangeSyntax.Assignment assignment) {
    TokenRange all = tokens.in(assignment.value());
    int refused = all.find(at -> tokens.isWord(at, "SELECT") || tokens.isOperator(at, ":="));
    if (refused >= 0) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "'" + tokens.text(refused) + "' in SET of LOAD DATA", "compute the column afterwards");
    }
    int done = all.first();
    for (int token : all.where(at -> variable(at) >= 0)) {
      written(all, done, token);
      blank(all, token);
      value(variable(token));
      done = token + 1;
    }
    written(all, done, all.behind());
  }

  private void written(TokenRange all, int from, int to) {
    if (from < to) {
      blank(all, from);
      text.append(tokens.between(from, to).text());
    }
  }

  private void blank(TokenRange all, int token) {
    text.append(token > all.first() && tokens.isApart(token) ? " " : "");
  }

  private int variable(int token) {
    if (tokens.kind(token) != TokenKind.VARIABLE) {
      return -1;
    }
    Integer field = fieldsOfVariables.get(tokens.text(token).toLowerCase(Locale.ROOT));
    return field == null ? -1 : position(syntax, fieldsOfVariables, columns.size(), field);
  }
}
