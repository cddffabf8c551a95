package io.anabranch.rules.planner.endpoint;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.metadata.CatalogueTable;
import io.anabranch.rules.metadata.SeenDatabases;
import io.anabranch.rules.metadata.SystemTables;
import io.anabranch.rules.metadata.WantedSchemas;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.rewrite.DatabaseCalls;
import io.anabranch.rules.task.PlanTask;
import java.util.List;
import java.util.Set;

/**
 * Whether a server's own {@code information_schema} answers a query as the proxy's has to: what a
 * user sees are the logical databases that are permitted, whichever servers have them.
 */
public final class CatalogueReach {

  /** Its rows are of no database, but for those of an engine of its own. */
  private static final String OF_FILES = "FILES";

  private CatalogueReach() {}

  /** Whether only the proxy can tell; for databases that are called as their server calls them. */
  public static boolean isWider(PlanTask task, SqlTokens tokens) {
    List<Integer> tables = tokens.all().where(token -> isOfSchemas(tokens, token));
    if (tables.isEmpty()) {
      return false;
    }
    String own = task.database().name();
    var wanted = new WantedSchemas(task, tokens);
    boolean isAny = false;
    for (int table : tables) {
      Set<String> names = wanted.of(table);
      isAny |= names == null;
      if (names != null && names.stream().anyMatch(name -> isOther(own, name))) {
        return true;
      }
    }
    if (!isAny) {
      return false;
    }
    boolean hasOthers = !new SeenDatabases(task, null).isEmpty();
    if (task.scan().parameterCount() > 0) {
      return hasOthers;
    }
    boolean isOfOwn = !DatabaseCalls.in(tokens).isEmpty() || SchemaNames.spells(tokens, own);
    return !isOfOwn || hasOthers;
  }

  private static boolean isOther(String own, String name) {
    return !name.equalsIgnoreCase(own) && !LogicalDatabase.isSystemSchema(name);
  }

  /** Whether a table begins there whose rows are about databases, and not a column's name. */
  private static boolean isOfSchemas(SqlTokens tokens, int token) {
    return tokens.isName(token)
        && tokens.isPunctuation(token + 1, '.')
        && tokens.isName(token + 2)
        && !tokens.isPunctuation(token + 3, '.')
        && tokens.name(token).equalsIgnoreCase(CatalogueTable.SCHEMA)
        && SystemTables.isOfSchemas(tokens.name(token + 2))
        && !tokens.name(token + 2).equalsIgnoreCase(OF_FILES);
  }
}
