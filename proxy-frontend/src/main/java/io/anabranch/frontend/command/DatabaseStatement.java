package io.anabranch.frontend.command;

import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import org.jspecify.annotations.Nullable;

/**
 * CREATE, ALTER and DROP DATABASE of sessions that have not selected one. Clients create the
 * database they work in "if not exists" before anything else. The database behind a pass-through
 * database answers when it has the same name; others are made by configuration, not by SQL.
 */
final class DatabaseStatement {

  private DatabaseStatement() {}

  /**
   * @return null if it is no such statement
   * @throws io.anabranch.rules.error.RefusedException if no server can answer it as the proxy's
   */
  static @Nullable Backend backend(SqlTokens tokens, Session session) {
    boolean replaces = tokens.isWord(1, "OR") && tokens.isWord(2, "REPLACE");
    int noun = replaces ? 3 : 1;
    if (!tokens.isWord(noun, "DATABASE") && !tokens.isWord(noun, "SCHEMA")) {
      return null;
    }
    int i = noun + 1;
    while (i < tokens.size() && isBeforeName(tokens, i)) {
      i++;
    }
    String name = i < tokens.size() && tokens.isName(i) ? tokens.name(i) : "";
    if (session.deployment().backend(name) != null) {
      Backend named = session.database().permitted(name);
      if (isNamedAlike(named.database(), name)) {
        return named;
      }
    }
    throw ErrorCatalogue.NOT_SUPPORTED.refuse(
        "CREATE, ALTER or DROP of the database '" + name + "'",
        "databases of the proxy are made by a database-*.yaml");
  }

  private static boolean isBeforeName(SqlTokens tokens, int i) {
    return tokens.isWord(i, "IF") || tokens.isWord(i, "NOT") || tokens.isWord(i, "EXISTS");
  }

  private static boolean isNamedAlike(LogicalDatabase database, String name) {
    return database.isPassThrough()
        && database.dataSources().values().stream()
            .map(DataSourceDefinition::schema)
            .allMatch(name::equals);
  }
}
