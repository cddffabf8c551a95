package io.anabranch.rules.catalog;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.CreateQuery;
import io.anabranch.rules.syntax.DdlSyntax;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The temporary tables of one session: part of what its plans depend on. Nobody else sees them, and
 * they hide tables of the same name. Immutable.
 *
 * @param byName by the name that it was made with
 * @param tellsCase whether servers tell their names from others that differ in case alone
 */
public record TemporaryTables(Map<String, Table> byName, boolean tellsCase) {

  /** Of most sessions. */
  public static final TemporaryTables NONE = new TemporaryTables(Map.of(), false);

  public TemporaryTables {
    byName = Map.copyOf(byName);
  }

  /**
   * @param endpoint whose connection, the session's own, has it
   */
  public record Table(String endpoint, TableSchema schema) {

    /** What follows the name in a statement that makes a table like it. */
    String definition() {
      var text = new StringBuilder("(");
      var keys = new StringBuilder();
      for (Column column : schema.columns()) {
        String name = TableNames.quoted(column.name());
        text.append(text.length() == 1 ? "" : ", ").append(name).append(' ').append(column.type());
        if (column.collation() != null) {
          text.append(" COLLATE ").append(column.collation());
        }
        text.append(column.nullable() ? " NULL" : " NOT NULL");
        if (column.key()) {
          keys.append(keys.isEmpty() ? "" : ", ").append(name);
        }
      }
      return text + (keys.isEmpty() ? ")" : ", PRIMARY KEY (" + keys + "))");
    }
  }

  /** The same on servers that tell case, or do not. */
  public TemporaryTables telling(boolean isTold) {
    return isTold == tellsCase ? this : new TemporaryTables(byName, isTold);
  }

  public boolean isEmpty() {
    return byName.isEmpty();
  }

  /**
   * The one of that name, else of one that differs in case alone where servers do not tell; null if
   * there is none.
   */
  public @Nullable Table find(String name) {
    Table exact = byName.isEmpty() ? null : byName.get(name);
    if (exact != null || tellsCase || byName.isEmpty()) {
      return exact;
    }
    for (Map.Entry<String, Table> each : byName.entrySet()) {
      if (each.getKey().equalsIgnoreCase(name)) {
        return each.getValue();
      }
    }
    return null;
  }

  /** With one more, or with another in its place. */
  public TemporaryTables with(String name, Table table) {
    var all = new HashMap<>(byName);
    all.put(name, table);
    return new TemporaryTables(all, tellsCase);
  }

  public TemporaryTables without(String name) {
    var all = new HashMap<>(byName);
    all.remove(name);
    return all.isEmpty() ? NONE : new TemporaryTables(all, tellsCase);
  }

  /**
   * Those that a statement means: one that makes a lasting table makes it beside its namesake, but
   * for rows of a query, which come over a connection that has the namesake.
   */
  public TemporaryTables meantBy(SourceText source) {
    SqlTokens tokens = source.tokens();
    boolean makesTable = tokens.isWord(0, "CREATE") && tokens.isWord(kind(tokens), "TABLE");
    if (isEmpty() || !makesTable) {
      return this;
    }
    DdlSyntax made = DdlSyntax.read(source);
    if (CreateQuery.of(tokens, made) != null) {
      return this;
    }
    String name = made.tables().isEmpty() ? "" : made.tables().getFirst().name();
    TemporaryTables meant = this;
    for (String own : byName.keySet()) {
      meant = own.equalsIgnoreCase(name) ? meant.without(own) : meant;
    }
    return meant;
  }

  /** Name of the temporary table that a statement makes; null if it makes none. */
  public static @Nullable String created(SourceText source) {
    return isCreate(source.tokens()) ? DdlSyntax.read(source).tables().getFirst().name() : null;
  }

  public static boolean isCreate(SqlTokens tokens) {
    int word = kind(tokens);
    return tokens.isWord(0, "CREATE")
        && tokens.isWord(word, "TEMPORARY")
        && tokens.isWord(word + 1, "TABLE");
  }

  /** The word behind CREATE, or behind CREATE OR REPLACE. */
  private static int kind(SqlTokens tokens) {
    return tokens.isWord(1, "OR") ? 3 : 1;
  }
}
