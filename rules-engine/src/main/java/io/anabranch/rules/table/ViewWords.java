package io.anabranch.rules.table;

import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.syntax.query.NamedTables;
import io.anabranch.rules.task.PlanTask;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a query does by its views what its own text does not say: their queries, and those of
 * views that these read, call stored functions, draw from sequences, take locks. Databases where
 * nobody asks for it, of one data source without a group, are not asked about.
 */
final class ViewWords {

  private static final int MOST_VIEWS = 1_000;

  private final PlanTask task;
  private final LogicalDatabase database;
  private final @Nullable String hinted;
  private final Set<List<String>> seen = new HashSet<>();

  /**
   * @param hinted the data source that runs it; null: the one that has the view
   */
  ViewWords(PlanTask task, @Nullable String hinted) {
    this.task = task;
    this.database = task.database();
    this.hinted = hinted;
  }

  /** Whether a replica must not run the query, for a view's sake. */
  boolean needPrimary(SqlTokens query) {
    if (database.groups().isEmpty() && database.endpoints().size() == 1) {
      return false;
    }
    for (int token : NamedTables.of(query)) {
      if (query.isPunctuation(token + 1, '.')) {
        String schema = query.name(token);
        boolean isOwn = schema.equalsIgnoreCase(database.name());
        if (isOwn ? ofOwn(query.name(token + 2)) : ofOther(schema, query.name(token + 2))) {
          return true;
        }
      } else if (ofOwn(query.name(token))) {
        return true;
      }
    }
    return false;
  }

  private boolean ofOwn(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (hinted != null) {
      return task.catalog().table(hinted, name).map(each -> of(hinted, each)).orElse(false);
    }
    if (database.shardedTables().containsKey(lower)
        || database.broadcastTables().containsKey(lower)
        || task.scope().temporaries().find(name) != null) {
      return false;
    }
    return new SingleTableSearch(task)
        .find(name)
        .map(found -> of(found.endpoint(), found.schema()))
        .orElse(false);
  }

  /** Of another schema of the server: pass-through databases reach those. */
  private boolean ofOther(String schema, String name) {
    String endpoint = hinted == null ? database.endpoints().getFirst() : hinted;
    return ofSchema(endpoint, schema, name);
  }

  private boolean of(String endpoint, TableSchema table) {
    String view = table.view();
    return view != null && seen.add(List.of(endpoint, "", table.name())) && ofText(endpoint, view);
  }

  /**
   * @param text as the server tells it: all of its tables have their schemas in front
   */
  private boolean ofText(String endpoint, String text) {
    if (text.isEmpty() || seen.size() > MOST_VIEWS) {
      // it is not shown to the account, or nobody can look at all of it
      return true;
    }
    SqlTokens query = SourceText.of(text, LexerMode.DEFAULT).tokens();
    if (SessionWords.needPrimary(query)) {
      return true;
    }
    String own = task.catalog().defaultSchema(endpoint);
    for (int token : NamedTables.of(query)) {
      if (!query.isPunctuation(token + 1, '.')) {
        continue;
      }
      String schema = query.name(token);
      String name = query.name(token + 2);
      boolean needs =
          schema.equalsIgnoreCase(own)
              ? task.catalog().lasting(endpoint, name).map(each -> of(endpoint, each)).orElse(false)
              : ofSchema(endpoint, schema, name);
      if (needs) {
        return true;
      }
    }
    return false;
  }

  private boolean ofSchema(String endpoint, String schema, String name) {
    if (LogicalDatabase.isSystemSchema(schema) || !seen.add(List.of(endpoint, schema, name))) {
      return false;
    }
    String query =
        "SELECT VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA = "
            + TableNames.literal(schema)
            + " AND TABLE_NAME = "
            + TableNames.literal(name);
    for (List<@Nullable String> row : task.catalog().definitions(endpoint, query)) {
      String text = row.getFirst();
      if (ofText(endpoint, text == null ? "" : text)) {
        return true;
      }
    }
    return false;
  }
}
