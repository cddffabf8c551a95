package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import org.jspecify.annotations.Nullable;

/**
 * What names of columns mean: in {@code SELECT u.phone FROM t_user u} the encrypted column {@code
 * phone}, read as it is stored. A name that may be several is refused.
 */
final class ColumnNames {

  private final SqlTokens tokens;
  private final Scopes scopes;

  ColumnNames(SqlTokens tokens, Scopes scopes) {
    this.tokens = tokens;
    this.scopes = scopes;
  }

  /**
   * What a name means.
   *
   * @param first of the qualifier, or the name itself
   * @param name the last token
   * @return null: it is no encrypted column
   */
  @Nullable NamedColumn named(int first, int name) {
    Scope scope = scopes.around(name);
    return first < name
        ? qualified(scope == null ? scopes.statement() : scope, name)
        : bare(scope == null ? scopes.statement() : scope, name);
  }

  private @Nullable NamedColumn qualified(Scope from, int name) {
    String qualifier = tokens.name(name - 2);
    for (Scope scope = from; scope != null; scope = scope.parent) {
      for (Source source : scope.sources) {
        if (source.alias().equalsIgnoreCase(qualifier)) {
          return in(source, name);
        }
      }
    }
    throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
        "a name behind '" + qualifier + "'", tokens.name(name), "qualify it with a table's alias");
  }

  private @Nullable NamedColumn bare(Scope from, int name) {
    for (Scope scope = from; scope != null; scope = scope.parent) {
      NamedColumn found = null;
      int owners = 0;
      for (Source source : scope.sources) {
        switch (source.has(tokens.name(name))) {
          case ENCRYPTED, STORED -> {
            owners++;
            found = in(source, name);
          }
          case PLAIN, UNKNOWN -> owners++;
          case NONE -> {}
        }
      }
      if (found != null && owners > 1) {
        throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
            "a name that several tables may have", tokens.name(name), "qualify it");
      }
      if (owners > 0) {
        return found;
      }
    }
    return null;
  }

  private @Nullable NamedColumn in(Source source, int name) {
    return switch (source.has(tokens.name(name))) {
      case ENCRYPTED -> {
        EncryptedColumn column = source.column(tokens.name(name));
        yield column == null ? null : new NamedColumn(column, source.isStored());
      }
      case STORED ->
          throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
              "naming what is stored ('" + tokens.name(name) + "')",
              stored(source, tokens.name(name)),
              "name the column itself");
      case UNKNOWN ->
          throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
              "a name of a table function", tokens.name(name), "give it another alias");
      case PLAIN, NONE -> null;
    };
  }

  private static String stored(Source source, String name) {
    EncryptedTable table = source instanceof Source.Table known ? known.encrypted() : null;
    EncryptedColumn column = table == null ? null : table.ofStored(name);
    return column == null ? name : column.name();
  }
}
