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
import io.anabranch.rules.plan.PlanNode.Load.CellText;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.encrypt.stored.StoredForm;
import io.anabranch.rules.planner.encrypt.stored.StoredForm.Purpose;
import io.anabranch.rules.planner.encrypt.stored.StoredText;
import io.anabranch.rules.planner.insert.LoadPlanner;
import io.anabranch.rules.planner.insert.StoredColumns;
import io.anabranch.rules.syntax.ChangeSyntax;
import io.anabranch.rules.syntax.LoadSyntax;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * LOAD DATA LOCAL: the proxy reads the client's file, so that its fields are encrypted before they
 * are written.
 */
final class LoadText {

  private static final int NO_SLOT = -1;

  private final PlanTask task;
  private final SqlTokens tokens;
  private final EncryptedNames names;
  private final LoadSyntax syntax;

  LoadText(PlanTask task, StoredText text, EncryptedNames names) {
    this.task = task;
    this.tokens = text.tokens();
    this.names = names;
    LoadPlanner.requireReadable(tokens);
    this.syntax = LoadSyntax.read(text.source());
  }

  /**
   * @param watched names of encrypted columns in lower case
   */
  StatementPlan plan(Set<String> watched) {
    String qualifier = syntax.table().qualifier();
    EncryptedTable table =
        qualifier == null || names.isOwn(qualifier) ? names.table(syntax.table().name()) : null;
    if (table == null) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "LOAD DATA that names an encrypted table, and not to load it,",
          "load another table, then INSERT … SELECT");
    }
    TableSchema schema = names.schema(qualifier, syntax.table().name()).orElse(null);
    if (schema == null) {
      throw ErrorCatalogue.NO_SUCH_TABLE.refuse(task.database().name(), syntax.table().name());
    }
    for (String column : syntax.columns()) {
      refuseStored(table, column);
    }
    for (ChangeSyntax.Assignment assignment : syntax.assignments()) {
      refuseStored(table, assignment.column());
      refuseReading(assignment.value(), watched);
    }
    return new LoadPlanner(stored(table, schema)).plan(task);
  }

  private void refuseReading(Span value, Set<String> watched) {
    for (int name : tokens.between(value.first(), value.behind()).names()) {
      if (watched.contains(tokens.lowerName(name))) {
        throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
            "an expression in SET of LOAD DATA",
            tokens.name(name),
            "read the field into a user variable");
      }
    }
  }

  private static void refuseStored(EncryptedTable table, @Nullable String name) {
    if (name == null) {
      return;
    }
    EncryptedColumn of = table.ofStored(name);
    if (of != null && table.column(name) == null) {
      throw InsertText.hidden(of, name);
    }
  }

  private static StoredColumns stored(EncryptedTable table, TableSchema schema) {
    var cells = new HashMap<String, List<StoredColumns.Cell>>();
    for (EncryptedColumn column : table.columns()) {
      var of = new ArrayList<StoredColumns.Cell>();
      for (Stored stored : ChangeText.written(column)) {
        of.add(new StoredColumns.Cell(stored.name(), literal(column, stored, schema)));
      }
      cells.put(column.name().toLowerCase(Locale.ROOT), of);
    }
    return new StoredColumns(InsertText.written(table, schema), cells);
  }

  /**
   * Servers make an empty text of a NULL that has no place, which is no value's ciphertext: where
   * they would, the row is refused.
   */
  private static CellText literal(EncryptedColumn column, Stored stored, TableSchema schema) {
    var form = new StoredForm(NO_SLOT, column.name(), stored.encryptor(), Purpose.STORED);
    Column defined = schema.column(stored.name()).orElse(null);
    boolean takesNull = defined == null || defined.nullable();
    boolean hasDefault = defined == null || !defined.required();
    return value ->
        switch (value) {
          case SqlValue.Unknown _ when !hasDefault -> throw absent(column);
          case SqlValue.Unknown _ -> "DEFAULT";
          case SqlValue.Null _ when !takesNull -> throw absent(column);
          default -> StoredForm.literal(form.of(value));
        };
  }

  private static RefusedException absent(EncryptedColumn column) {
    return ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
        "LOAD DATA of a line that has no value for what is NOT NULL",
        column.name(),
        "give each line a value, which may be empty");
  }
}
