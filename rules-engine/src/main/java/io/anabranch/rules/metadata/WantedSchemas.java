package io.anabranch.rules.metadata;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.metadata.CatalogueQuery.Condition;
import io.anabranch.rules.metadata.CatalogueQuery.Named;
import io.anabranch.rules.metadata.CatalogueQuery.Table;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The databases whose rows of {@code information_schema} a query can have in its answer: for each
 * of its tables those that conditions leave which all of its rows must meet. A condition on one
 * table is one on each that has to be of the same database. Immutable.
 */
public final class WantedSchemas {

  /** By the first tokens of tables of {@code information_schema}; null: any database's. */
  private final Map<Integer, @Nullable Set<String>> byTable = new HashMap<>();

  public WantedSchemas(PlanTask task, SqlTokens tokens) {
    this(tokens, task.database().name(), new Neighbours(task.rules().databases().values()));
  }

  /**
   * @param own name of the current database
   */
  WantedSchemas(SqlTokens tokens, String own, Neighbours known) {
    // what is in a comment that servers execute may be there or not
    if (tokens.all().hasKind(TokenKind.EXECUTABLE_START)) {
      return;
    }
    var query = new CatalogueQuery(tokens);
    var conditions = new SchemaConditions(tokens, query, own, known.names());
    List<Table> tables = query.tables();
    var same = new ArrayList<List<Integer>>();
    var wanted = new ArrayList<@Nullable Set<String>>();
    for (int i = 0; i < 2 * tables.size(); i++) {
      same.add(new ArrayList<>());
      wanted.add(null);
    }
    for (Condition condition : query.conditions()) {
      conditions
          .of(condition)
          .forEach(
              (table, names) -> {
                Set<String> others = wanted.get(table);
                wanted.set(table, others == null ? names : common(others, names));
              });
    }
    conditions.equal().forEach(each -> same.get(each.known()).add(each.due()));
    pass(same, wanted, known);
    for (int i = 0; i < tables.size(); i++) {
      byTable.put(tables.get(i).token(), wanted.get(Named.own(i)));
    }
  }

  static Set<String> common(Set<String> one, Set<String> other) {
    boolean isLess = one.size() < other.size();
    var names = new HashSet<String>(isLess ? one : other);
    names.retainAll(isLess ? other : one);
    return names;
  }

  /** From tables whose databases are known to those that have to be of the same. */
  private static void pass(
      List<List<Integer>> same, List<@Nullable Set<String>> wanted, Neighbours known) {
    Deque<Integer> due = new ArrayDeque<>();
    for (int i = 0; i < wanted.size(); i++) {
      if (wanted.get(i) != null) {
        due.add(i);
      }
    }
    while (!due.isEmpty()) {
      int named = due.remove();
      Set<String> names = wanted.get(named);
      if (names == null) {
        continue;
      }
      for (int other : same.get(named)) {
        if (wanted.get(other) == null) {
          wanted.set(other, names);
          due.add(other);
        }
      }
      int other = Named.other(named);
      if (wanted.get(other) == null) {
        // foreign keys stay on their server
        wanted.set(other, known.beside(names));
        due.add(other);
      }
    }
  }

  /**
   * @param table the first token of its name, {@code information_schema}
   * @return names in lower case; null: any database's
   */
  public @Nullable Set<String> of(int table) {
    return byTable.get(table);
  }
}
