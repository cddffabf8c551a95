package io.anabranch.rules.planner;

import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.need.NeededRights;
import io.anabranch.rules.need.TableUse;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * In front of all planners, which look tables up without regard to case: where the data sources
 * tell upper from lower case, a statement that names {@code A} is planned as if there were no rule
 * for {@code a}, so that no look-up whatever finds it. See ADR 120.
 */
final class TablesByCase {

  private final PlanTask task;
  private final LogicalDatabase database;
  private final SqlTokens tokens;

  /** Tables with rules as the configuration calls them, by lower-case name. */
  private final Map<String, String> known;

  /** Names of the statement, by lower-case name: none twice in the same case. */
  private final Map<String, Set<String>> written;

  private TablesByCase(PlanTask task) {
    this.task = task;
    this.database = task.database();
    this.tokens = task.source().tokens();
    this.known = database.ruledNames();
    this.written = tokens.spellings();
  }

  /**
   * The plan of the statement.
   *
   * @param planner of what it means
   * @throws RefusedException if it names tables whose names differ in case alone, and what is known
   *     of them cannot be kept apart
   */
  static StatementPlan plan(PlanTask task, KindPlanner planner) {
    if (task.database().ruledNames().isEmpty() && task.scope().temporaries().isEmpty()) {
      return planner.plan(task);
    }
    return new TablesByCase(task).plan(planner);
  }

  private StatementPlan plan(KindPlanner planner) {
    var suspects = new HashSet<String>();
    written.forEach((key, names) -> suspect(key, names, suspects));
    TemporaryTables own = task.scope().temporaries().telling(true);
    boolean readsColumns = !database.isPassThrough() || !database.encryption().isEmpty();
    boolean hasTwins =
        readsColumns && written.values().stream().anyMatch(names -> names.size() > 1);
    if ((suspects.isEmpty() && !hasTwins && own.isEmpty()) || !tellsCase(suspects)) {
      return planner.plan(task);
    }
    List<TableUse> uses = uses();
    Set<String> others = uses == null ? suspects : named(uses, suspects);
    requireApart(others, uses);
    var scope = task.scope().in(others.isEmpty() ? database : database.withoutRules(others), own);
    PlanTask told = task.of(task.scan(), scope, task.catalog());
    if (hasTwins && uses != null) {
      requireOneCase(told, uses);
    }
    return plan(planner, told, others);
  }

  private StatementPlan plan(KindPlanner planner, PlanTask told, Set<String> others) {
    refuseMaking(others);
    try {
      return planner.plan(told);
    } catch (RefusedException refusal) {
      if (refusal.is(ErrorCatalogue.NO_SUCH_TABLE)) {
        throw named(refusal, others);
      }
      throw refusal;
    }
  }

  private void suspect(String key, Set<String> names, Set<String> suspects) {
    String name = known.get(key);
    if (name != null && (names.size() > 1 || !names.contains(name))) {
      suspects.add(key);
    }
  }

  /**
   * Whether any of the data sources does: where only some do, none of them can be taken for all.
   */
  private boolean tellsCase(Set<String> suspects) {
    int telling = 0;
    int asked = 0;
    for (String endpoint : database.endpoints()) {
      if (task.catalog().isReachable(endpoint)) {
        asked++;
        telling += task.catalog().tellsCase(endpoint) ? 1 : 0;
      }
    }
    if (telling > 0 && telling < asked && !suspects.isEmpty()) {
      throw refusal(suspects.iterator().next(), "where only some data sources tell case apart");
    }
    return telling > 0;
  }

  /** Null: it cannot be told, and each name may be a table's. */
  private @Nullable List<TableUse> uses() {
    try {
      return NeededRights.tables(task.scan().kind(), tokens);
    } catch (RefusedException _) {
      return null;
    }
  }

  /** Which of them tables of the statement have. */
  private Set<String> named(List<TableUse> uses, Set<String> suspects) {
    var named = new HashSet<String>();
    for (TableUse use : uses) {
      String key = lower(use.name());
      if (isOwn(use) && suspects.contains(key) && isOther(key, use.name())) {
        named.add(key);
      }
    }
    return named;
  }

  private boolean isOwn(TableUse use) {
    String schema = use.schema();
    return schema == null || schema.equalsIgnoreCase(database.name());
  }

  private boolean isOther(String key, String name) {
    return !name.equals(known.get(key));
  }

  /** One statement has either both tables' rules or none of them. */
  private void requireApart(Set<String> others, @Nullable List<TableUse> uses) {
    for (String key : others) {
      for (String name : written.getOrDefault(key, Set.of())) {
        boolean isUsed =
            uses == null || uses.stream().anyMatch(use -> isOwn(use) && use.name().equals(name));
        if (isUsed && !isOther(key, name)) {
          throw refusal(key, "in one statement");
        }
      }
    }
  }

  /**
   * What columns belong to is told without regard to case where rows are brought together, and
   * where columns have rules.
   */
  private void requireOneCase(PlanTask told, List<TableUse> uses) {
    var aliases = new HashMap<String, String>();
    for (TableUse use : uses) {
      String other = use.alias().isEmpty() ? null : aliases.put(lower(use.alias()), use.alias());
      if (other != null && !other.equals(use.alias()) && !areInOnePlace(told, uses)) {
        throw refusal(lower(use.alias()), "as tables or aliases of one statement");
      }
    }
  }

  private boolean areInOnePlace(PlanTask told, List<TableUse> uses) {
    Map<String, String> ruled = told.database().ruledNames();
    if (uses.stream().anyMatch(use -> ruled.containsKey(lower(use.name())))) {
      return false;
    }
    if (database.isPassThrough()) {
      return true;
    }
    var directory = new TableDirectory(told);
    var places = new HashSet<String>();
    for (TableUse use : uses) {
      TablePlace place = isOwn(use) ? directory.find(null, use.name()) : null;
      if (!(place instanceof TablePlace.Single single) || single.isShardedView()) {
        return false;
      }
      places.add(single.endpoint());
    }
    return places.size() == 1;
  }

  /**
   * Tables that clients make are to be found: what was meant is the table with rules, most times.
   */
  private void refuseMaking(Set<String> others) {
    int object = tokens.isWord(1, "OR") && tokens.isWord(2, "REPLACE") ? 3 : 1;
    boolean makes =
        tokens.isWord(0, "CREATE")
            && (tokens.isWord(object, "TABLE") || tokens.isWord(object, "SEQUENCE"));
    boolean renames =
        tokens.isWord(0, "RENAME")
            || (tokens.isWord(0, "ALTER") && tokens.mention("RENAME"))
            || (tokens.isWord(0, "CREATE") && tokens.mention("VIEW"));
    int made =
        tokens
            .all()
            .find(
                token ->
                    others.contains(tokens.lowerName(token)) && isMade(token, makes ? object : -1));
    if (made >= 0 && (makes || renames)) {
      throw refusal(tokens.lowerName(made), "as tables of one database");
    }
  }

  private boolean isMade(int token, int object) {
    int first = tokens.firstOfName(token);
    return tokens.isWord(first - 1, "TO")
        || tokens.isWord(first - 1, "AS")
        || tokens.isWord(first - 1, "RENAME")
        || tokens.isWord(first - 1, "VIEW")
        || tokens.isWord(first - 1, "EXISTS")
        || (object >= 0 && first - 1 == object);
  }

  /** The error of a server, and what may have been meant. */
  private RefusedException named(RefusedException refusal, Set<String> others) {
    for (String key : others) {
      for (String name : written.getOrDefault(key, Set.of())) {
        String rule = known.get(key);
        RefusedException same = ErrorCatalogue.NO_SUCH_TABLE.refuse(database.name(), name);
        if (rule != null && String.valueOf(refusal.getMessage()).equals(same.getMessage())) {
          return ErrorCatalogue.TABLE_OF_OTHER_CASE.refuse(database.name(), name, rule);
        }
      }
    }
    return refusal;
  }

  private RefusedException refusal(String key, String where) {
    var names = new TreeSet<>(written.getOrDefault(key, Set.of()));
    String rule = known.get(key);
    if (rule != null) {
      names.add(rule);
    }
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "names that differ in case alone ('" + String.join("', '", names) + "') " + where,
        "write the table as the configuration does, or give the other one another name");
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
