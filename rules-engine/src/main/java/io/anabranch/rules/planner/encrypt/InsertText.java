package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedColumn.Stored;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.planner.encrypt.Source.Output;
import io.anabranch.rules.planner.encrypt.stored.StoredText;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.syntax.InsertSyntax.Assignment;
import io.anabranch.rules.syntax.InsertSyntax.Row;
import io.anabranch.rules.syntax.TableMention;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** INSERT and REPLACE: a column becomes those that are stored, a value one for each of them. */
final class InsertText {

  private final StoredText text;
  private final SqlTokens tokens;
  private final EncryptedNames names;
  private final QueryText queries;
  private final InsertSyntax syntax;
  private final TableMention target;
  private final @Nullable EncryptedTable table;
  private final ChangeText changes;

  InsertText(StoredText text, EncryptedNames names, QueryText queries) {
    this.text = text;
    this.tokens = text.tokens();
    this.names = names;
    this.queries = queries;
    this.syntax = InsertSyntax.read(text.source());
    this.target = syntax.table();
    this.table = names.ownTable(target);
    this.changes = new ChangeText(text, queries);
    text.understand(target.first(), target.behind());
    queries
        .scopes()
        .statement()
        .sources
        .add(
            new Source.Table(
                target.name(), table, () -> names.schema(target.qualifier(), target.name())));
  }

  private @Nullable EncryptedColumn column(String name) {
    return table == null ? null : table.column(name);
  }

  /** The refusal of a name that clients do not know. */
  static RefusedException hidden(EncryptedColumn column, String name) {
    return ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
        "naming what is stored ('" + name + "')", column.name(), "name the column itself");
  }

  /** Whether a query tells the rows. */
  boolean isQuery() {
    return syntax.form() == InsertSyntax.Form.QUERY;
  }

  /** Writes the columns, the rows and what becomes of duplicates. */
  void write() {
    refuseStored();
    switch (syntax.form()) {
      case VALUES -> values();
      case SET -> {
        refuseOtherNames(syntax.columns());
        Row row = syntax.rows().getFirst();
        row.values().forEach(value -> assigned(value.first(), value.behind()));
      }
      case QUERY -> query();
    }
    for (Assignment update : syntax.updates()) {
      assigned(update.value().first(), update.value().behind());
    }
  }

  /** {@code AS n (a, b)}: names beside which those of stored columns have no place. */
  private void refuseOtherNames(List<String> columns) {
    int alias = syntax.tail();
    if (!tokens.isWord(alias, "AS") || !tokens.isPunctuation(alias + 2, '(')) {
      return;
    }
    for (String name : columns) {
      EncryptedColumn column = column(name);
      if (column != null) {
        throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
            "a row alias with a list of names", column.name(), "leave the list out");
      }
    }
  }

  private void refuseStored() {
    EncryptedTable encrypted = table;
    if (encrypted == null) {
      return;
    }
    for (String name : syntax.columns()) {
      EncryptedColumn of = encrypted.ofStored(name);
      if (of != null && encrypted.column(name) == null) {
        throw hidden(of, name);
      }
    }
  }

  /**
   * What is assigned is a column of the table, whatever a query in front of it reads.
   *
   * @param from of the value; the name and {@code =} are in front
   */
  private void assigned(int from, int to) {
    int name = from - 2;
    int first = tokens.firstOfName(name);
    EncryptedTable encrypted = table;
    EncryptedColumn column = column(tokens.name(name));
    EncryptedColumn hidden = encrypted == null ? null : encrypted.ofStored(tokens.name(name));
    if (column != null) {
      changes.assign(column, first, name, to);
    } else if (hidden != null) {
      throw hidden(hidden, tokens.name(name));
    }
  }

  private void values() {
    EncryptedTable encrypted = table;
    if (encrypted == null) {
      return;
    }
    List<String> columns = syntax.columns();
    if (syntax.columnsEnd() < 0 && syntax.rows().stream().allMatch(row -> row.values().isEmpty())) {
      // each column gets its default, which a list of names would not allow
      return;
    }
    if (syntax.columnsEnd() < 0) {
      columns = written(encrypted);
      refuseOtherNames(columns);
      if (target.behind() != syntax.body() - 1) {
        throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
            "INSERT with PARTITION and no list of columns", encrypted.name(), "name the columns");
      }
      text.append(target.behind() - 1, " (" + list(encrypted, columns) + ")");
    } else {
      refuseOtherNames(columns);
      names(encrypted);
    }
    int number = 1;
    for (Row row : syntax.rows()) {
      if (row.values().size() != columns.size() && !row.values().isEmpty()) {
        throw ErrorCatalogue.COLUMN_COUNT.refuse(number);
      }
      row(columns, row);
      number++;
    }
  }

  private void row(List<String> columns, Row row) {
    for (int i = 0; i < row.values().size(); i++) {
      EncryptedColumn column = column(columns.get(i));
      if (column == null) {
        continue;
      }
      Span value = row.values().get(i);
      var pieces = new ArrayList<Piece>();
      for (Stored stored : ChangeText.written(column)) {
        if (!pieces.isEmpty()) {
          pieces.add(text.text(", "));
        }
        pieces.add(given(value, column, stored));
      }
      text.replace(value.first(), value.behind(), pieces);
    }
  }

  private Piece given(Span value, EncryptedColumn column, Stored stored) {
    if (tokens.isWord(value.first(), "VALUES")) {
      throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
          "VALUES() in a row", column.name(), "give a plain string");
    }
    return changes.value(value.first(), value.behind(), column, stored);
  }

  /** The columns of an INSERT that names none, as clients know them. */
  private List<String> written(EncryptedTable encrypted) {
    TableSchema schema =
        names
            .schema(target.qualifier(), target.name())
            .orElseThrow(
                () ->
                    ErrorCatalogue.ENCRYPTED_TABLE.refuse(
                        "INSERT without a list of columns", encrypted.name(), "name the columns"));
    return written(encrypted, schema);
  }

  /** The columns of a row that is written without a list, as clients know them. */
  static List<String> written(EncryptedTable encrypted, TableSchema schema) {
    var columns = new ArrayList<String>();
    for (Column column : schema.columns()) {
      EncryptedColumn of = encrypted.ofStored(column.name());
      boolean isCipher = of != null && of.cipher().name().equalsIgnoreCase(column.name());
      boolean isShadowed = of == null && encrypted.column(column.name()) != null;
      if (!column.hidden() && !isShadowed && (of == null || isCipher)) {
        columns.add(of == null ? column.name() : of.name());
      }
    }
    return columns;
  }

  private static String list(EncryptedTable encrypted, List<String> columns) {
    var all = new ArrayList<String>();
    for (String name : columns) {
      EncryptedColumn column = encrypted.column(name);
      if (column == null) {
        all.add(TableNames.quoted(name));
      } else {
        all.addAll(ChangeText.names(column));
      }
    }
    return String.join(", ", all);
  }

  /** Writes the list of columns that the client has given. */
  private void names(EncryptedTable encrypted) {
    int end = syntax.columnsEnd();
    int open =
        tokens
            .between(0, end)
            .findLast(token -> tokens.isPunctuation(token, '(') && tokens.closing(token) == end);
    for (Span name : tokens.between(open + 1, end).parts()) {
      EncryptedColumn column = encrypted.column(tokens.name(name.behind() - 1));
      if (column != null) {
        text.replace(name.first(), name.behind(), String.join(", ", ChangeText.names(column)));
      }
    }
  }

  /** Rows that are read somewhere: what is stored goes from column to column as it is. */
  private void query() {
    int open = syntax.body();
    if (tokens.isPunctuation(open, '(') || tokens.isWord(open, "TABLE")) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "INSERT … SELECT in this form beside encrypted columns", "write a plain SELECT");
    }
    EncryptedTable encrypted = table;
    List<String> columns = syntax.columns();
    if (encrypted != null && syntax.columnsEnd() < 0) {
      columns = written(encrypted);
      if (target.behind() != syntax.body()) {
        throw ErrorCatalogue.ENCRYPTED_TABLE.refuse(
            "INSERT with PARTITION and no list of columns", encrypted.name(), "name the columns");
      }
      text.append(target.behind() - 1, " (" + list(encrypted, columns) + ")");
    } else if (encrypted != null) {
      names(encrypted);
    }
    for (Scope leg : queries.legs().legs(QueryLegs.TOP)) {
      List<Output> outputs = queries.outputs().outputs(leg);
      for (int i = 0; i < Math.max(outputs.size(), columns.size()); i++) {
        EncryptedColumn from = i < outputs.size() ? outputs.get(i).column() : null;
        EncryptedColumn to = i < columns.size() ? column(columns.get(i)) : null;
        if (from == null && to == null) {
          continue;
        }
        if (from == null || to == null || !isStoredAlike(from, to)) {
          throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
              "INSERT … SELECT between columns that are not stored alike",
              to == null && from != null ? from.name() : columns.get(i),
              "read the rows, and insert them by VALUES");
        }
        queries.copy(leg, i, to);
      }
    }
  }

  private static boolean isStoredAlike(EncryptedColumn from, EncryptedColumn to) {
    return isAlike(from.cipher(), to.cipher())
        && (to.assisted() == null || isAlike(from.assisted(), to.assisted()))
        && (to.like() == null || isAlike(from.like(), to.like()));
  }

  private static boolean isAlike(@Nullable Stored from, @Nullable Stored to) {
    return from != null && to != null && from.encryptor().equals(to.encryptor());
  }
}
