package io.anabranch.rules.planner.definition;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.definition.DefinitionClauses;
import io.anabranch.rules.definition.DefinitionClauses.ColumnChange;
import io.anabranch.rules.definition.DefinitionClauses.Kind;
import io.anabranch.rules.definition.PlacingColumn;
import io.anabranch.rules.definition.ShardKeys;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.task.PlanTask;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Refuses definitions of a sharded table after which its rows would not lie where they are looked
 * for, keys that the configuration does not want, and numbers that nodes would give to rows.
 */
final class DefinitionGuard {

  private final PlanTask task;
  private final SqlTokens tokens;
  private final DdlSyntax syntax;
  private final ShardedTable table;
  private final DefinitionClauses clauses;

  /**
   * @param syntax of a statement about the table
   */
  DefinitionGuard(PlanTask task, SqlTokens tokens, DdlSyntax syntax, ShardedTable table) {
    this.task = task;
    this.tokens = tokens;
    this.syntax = syntax;
    this.table = table;
    this.clauses = clauses(tokens, syntax);
  }

  /** Refuses a column whose values each of several nodes would count for itself. */
  static void refuseNumbers(SqlTokens tokens, DdlSyntax syntax) {
    if (!tokens.isWord(0, "ALTER")) {
      return;
    }
    DefinitionClauses clauses = clauses(tokens, syntax);
    for (ColumnChange change : clauses.changes()) {
      String definition = " " + change.definition() + " ";
      boolean counts = definition.contains(" auto_increment ") || definition.startsWith(" serial ");
      if (counts && change.kind() == Kind.ADD) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "a new AUTO_INCREMENT column '"
                + change.column()
                + "' of table '"
                + syntax.tables().getFirst().name()
                + "', whose nodes would number their rows each for itself",
            "add it without AUTO_INCREMENT, give each row its number, then MODIFY it");
      }
    }
  }

  private static DefinitionClauses clauses(SqlTokens tokens, DdlSyntax syntax) {
    TableMention mention = syntax.tables().getFirst();
    if (syntax.creates()) {
      return DefinitionClauses.ofCreateTable(tokens, mention.behind());
    }
    return tokens.isWord(0, "ALTER")
        ? DefinitionClauses.ofAlterTable(tokens, mention.behind())
        : DefinitionClauses.ofCreateIndex(tokens, mention.behind());
  }

  void check() {
    for (ColumnChange change : clauses.changes()) {
      check(change);
    }
    refuseConversion();
    if (task.database().keyPolicy().refuses()) {
      ShardKeys keys = shardKeys();
      clauses.keys().forEach(key -> refuse(table, keys, key));
    }
    if (task.database().keyPolicy().checks() && syntax.creates()) {
      refuseUncheckedRows();
    }
  }

  /** CONVERT TO CHARACTER SET changes the values, types and collations of all texts. */
  private void refuseConversion() {
    boolean converts =
        tokens.isWord(0, "ALTER")
            && tokens
                .all()
                .hasName(
                    i ->
                        tokens.isWord(i, "CONVERT")
                            && tokens.isWord(i + 1, "TO")
                            && tokens.depth(i) == 0);
    if (!converts) {
      return;
    }
    Set<String> placing = RowPlacement.columns(table);
    for (Column column :
        task.catalog().table(table.nodes()).map(TableSchema::columns).orElse(List.of())) {
      if (column.collation() != null && placing.contains(column.name().toLowerCase(Locale.ROOT))) {
        throw refusal(
            "CONVERT TO CHARACTER SET, which may change values of the sharding column '"
                + column.name()
                + "'",
            "MODIFY the other columns one by one");
      }
    }
  }

  /** Nobody looks for the keys of rows that come with the table. */
  private void refuseUncheckedRows() {
    ShardKeys keys = shardKeys();
    if (tokens
        .from(syntax.tables().getFirst().behind())
        .hasName(
            i -> tokens.isWord(i, "SELECT") && clauses.keys().stream().anyMatch(keys::mayRepeat))) {
      throw refusal(
          "CREATE TABLE … SELECT with unique keys that are looked for on all nodes",
          "create it, then INSERT … SELECT");
    }
  }

  /** Of a table that is to be made no columns are known. */
  private ShardKeys shardKeys() {
    return syntax.creates()
        ? new ShardKeys(table)
        : task.definition(table.nodes())
            .map(definition -> ShardKeys.of(table, definition))
            .orElseGet(() -> new ShardKeys(table));
  }

  /** Refuses a key that rows of several nodes may repeat. */
  static void refuse(ShardedTable table, ShardKeys keys, TableKey key) {
    if (keys.isLoose(key)) {
      throw ErrorCatalogue.KEY_ACROSS_SHARDS.refuse(key.called(), table.name(), keys.why(key));
    }
  }

  private void check(ColumnChange change) {
    if (change.kind() == Kind.ADD) {
      return;
    }
    String column = change.column().toLowerCase(Locale.ROOT);
    Set<String> placing = RowPlacement.columns(table);
    ShardedTable.KeyGeneration keys = table.keyGeneration();
    boolean generated = keys != null && keys.column().equalsIgnoreCase(column);
    if (!placing.contains(column) && !generated) {
      return;
    }
    String what =
        (generated ? "column of generated keys" : "sharding column") + " '" + column + "'";
    switch (change.kind()) {
      case DROP ->
          throw refusal(
              "DROP of the " + what,
              generated
                  ? "take the keyGenerateStrategy out of the configuration first"
                  : "make a new table that is sharded otherwise and copy the rows");
      case RENAME -> throw renamed(what);
      case ADD -> {}
      case DEFINE -> {
        if (!change.name().equalsIgnoreCase(column)) {
          throw renamed(what);
        }
        if (placing.contains(column) && !keepsValues(change)) {
          throw refusal(
              "a type of the " + what + " that may change values, by which rows have been placed,",
              "make it wider only, or make a new table and copy the rows by INSERT … SELECT");
        }
      }
    }
  }

  private boolean keepsValues(ColumnChange change) {
    return task.catalog()
        .table(table.nodes())
        .flatMap(schema -> schema.column(change.column()))
        .map(column -> keepsValues(column, change))
        .orElse(true);
  }

  private static boolean keepsValues(Column column, ColumnChange change) {
    return PlacingColumn.keepsValues(column.type(), column.collation(), change.definition());
  }

  private RefusedException renamed(String what) {
    return refusal(
        "another name of the " + what,
        "the configuration names it: make a new table that is configured so and copy the rows");
  }

  private RefusedException refusal(String what, String hint) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        what + " of the sharded table '" + table.name() + "'", hint);
  }
}
