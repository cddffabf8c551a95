package io.anabranch.rules.planner.insert;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.placement.KeyColumn;
import io.anabranch.rules.placement.KnownRows;
import io.anabranch.rules.placement.RowValue;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.syntax.InsertSyntax.Row;
import java.nio.charset.Charset;
import java.util.List;
import java.util.function.IntPredicate;

/** Puts generated keys into the text of an INSERT. Used once. */
final class KeyText {

  /** What a row's alias calls a key that is appended, where it names the values. */
  private static final String APPENDED = "_ab_key";

  private final SqlTokens tokens;
  private final InsertSyntax syntax;
  private final List<String> columns;
  private final int firstSlot;
  private final IntPredicate parameter;

  /**
   * @param columns lower-case names of those that rows give
   * @param firstSlot number of the first row's key
   * @param parameter whether a slot is one
   */
  KeyText(
      SqlTokens tokens,
      InsertSyntax syntax,
      List<String> columns,
      int firstSlot,
      IntPredicate parameter) {
    this.tokens = tokens;
    this.syntax = syntax;
    this.columns = columns;
    this.firstSlot = firstSlot;
    this.parameter = parameter;
  }

  /**
   * How the question begins for the least of some keys that are there; it ends with these keys and
   * {@link RowTarget.Keys#behindLeast}.
   *
   * @param charset that the session's connections read
   */
  static byte[] least(DataNode node, String column, Charset charset) {
    String key = TableNames.quoted(column);
    String table = TableNames.quoted(node.table());
    return ("SELECT MIN(" + key + ") FROM " + table + " WHERE " + key + " IN (").getBytes(charset);
  }

  /**
   * Makes room for the keys: slots behind the client's own, one a row.
   *
   * @param replaces whether they also take the places of parameters
   */
  void write(KeyColumn key, KnownRows rows, TableRewriting rewriting, boolean replaces) {
    int position = columns.indexOf(key.column());
    if (position < 0 && syntax.columnsEnd() >= 0) {
      appendToList(syntax, key.column(), columns.isEmpty(), rewriting);
    }
    if (position < 0) {
      appendToNames(tokens, syntax, rewriting);
    }
    for (int number = 0; number < rows.size(); number++) {
      Row row = syntax.rows().get(number);
      var slot = new Piece.Slot(firstSlot + number);
      if (position >= 0 && !row.values().isEmpty()) {
        RowValue given = rows.get(number, key.column());
        boolean kept = given != null && given.isExpression();
        if (!kept) {
          refuseReading(row, key);
        }
        if (!kept && (replaces || KeyColumn.isWritten(given, parameter))) {
          Span span = row.values().get(position);
          rewriting.replace(span.first(), span.behind(), slot);
        }
      } else if (syntax.form() == InsertSyntax.Form.SET) {
        refuseReading(row, key);
        rewriting.insert(
            row.open(),
            rewriting.text(TableNames.quoted(key.column()) + "="),
            slot,
            rewriting.text(", "));
      } else if (row.values().isEmpty() && !columns.isEmpty()) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "a row without values in a table with generated keys", "name a column and its value");
      } else {
        String comma = row.values().isEmpty() ? "" : ", ";
        rewriting.insert(row.close(), rewriting.text(comma), slot);
      }
    }
  }

  /** A server makes the key when the row's other values are computed: they see none. */
  private void refuseReading(Row row, KeyColumn key) {
    boolean reads =
        tokens
            .between(row.open(), row.close())
            .hasName(
                token ->
                    !tokens.isPunctuation(token + 1, '(')
                        && !isAssigned(token)
                        && tokens.lowerName(token).equals(key.column()));
    if (reads) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "a value that reads column '" + key.column() + "', which the proxy fills,",
          "write the value itself");
    }
  }

  private boolean isAssigned(int token) {
    return syntax.form() == InsertSyntax.Form.SET
        && (tokens.isOperator(token + 1, "=") || tokens.isOperator(token + 1, ":="))
        && syntax.columns().stream().anyMatch(tokens.name(token)::equalsIgnoreCase);
  }

  /** Appends a column to the list behind the table. */
  static void appendToList(
      InsertSyntax syntax, String column, boolean isEmpty, TableRewriting rewriting) {
    String comma = isEmpty ? "" : ", ";
    rewriting.insert(syntax.columnsEnd(), rewriting.text(comma + TableNames.quoted(column)));
  }

  /** Appends a name that nobody uses to those of {@code AS row (a, b)}. */
  static void appendToNames(SqlTokens tokens, InsertSyntax syntax, TableRewriting rewriting) {
    int end = syntax.namesEnd(tokens);
    if (end < 0) {
      return;
    }
    String name = InsertSyntax.unmentioned(tokens, APPENDED);
    rewriting.insert(end, rewriting.text(", " + TableNames.quoted(name)));
  }
}
