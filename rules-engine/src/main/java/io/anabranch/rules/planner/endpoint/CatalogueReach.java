package io.anabranch.rules.planner.endpoint;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.metadata.CatalogueTable;
import io.anabranch.rules.metadata.SeenDatabases;
import io.anabranch.rules.metadata.SystemTables;
import io.anabranch.rules.metadata.WantedSchemas;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.rewrite.DatabaseCalls;
import io.anabranch.rules.task.PlanTask;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a server's own {@code information_schema} answers a query as the proxy's has to: what a
 * user sees are the logical databases that are permitted, whichever servers have them.
 */
public final class CatalogueReach {

  private CatalogueReach() {}

  /** Whether only the proxy can tell; for databases that are called as their server calls them. */
  public static boolean isWider(PlanTask task, SqlTokens tokens) {
    if (!readsSchemas(tokens)) {
      return false;
    }
    String own = task.database().name();
    Set<String> wanted = WantedSchemas.of(tokens, own);
    if (wanted != null) {
      return wanted.stream()
          .anyMatch(name -> !name.equalsIgnoreCase(own) && !LogicalDatabase.isSystemSchema(name));
    }
    boolean hasOthers = !new SeenDatabases(task, null).isEmpty();
    if (task.scan().parameterCount() > 0) {
      return hasOthers;
    }
    boolean isOfOwn = !DatabaseCalls.in(tokens).isEmpty() || spells(tokens, Set.of(own));
    return !isOfOwn || (hasOthers && spells(tokens, task.rules().databases().keySet(), own));
  }

  private static boolean readsSchemas(SqlTokens tokens) {
    return tokens
        .all()
        .has(
            token ->
                tokens.isName(token)
                    && tokens.isPunctuation(token + 1, '.')
                    && tokens.isName(token + 2)
                    && tokens.name(token).equalsIgnoreCase(CatalogueTable.SCHEMA)
                    && SystemTables.isOfSchemas(tokens.name(token + 2)));
  }

  private static boolean spells(SqlTokens tokens, Set<String> names) {
    return spells(tokens, names, null);
  }

  private static boolean spells(SqlTokens tokens, Set<String> names, @Nullable String but) {
    return names.stream()
        .anyMatch(name -> !name.equalsIgnoreCase(but) && SchemaNames.spells(tokens, name));
  }
}
