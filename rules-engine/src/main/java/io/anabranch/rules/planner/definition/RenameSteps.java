package io.anabranch.rules.planner.definition;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.planner.definition.RenamedTable.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether statements that rename tables would succeed, before any of them has run: a table
 * that has its new name in some data sources only is worse than one that keeps its own. Used once.
 */
final class RenameSteps {

  private enum State {
    READY,
    DONE,
    FAILING
  }

  private final SchemaCatalog catalog;
  private final Map<String, Set<String>> tables = new HashMap<>();

  RenameSteps(SchemaCatalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Which of the statements are to run.
   *
   * @param statements what each renames, one after the other, all or nothing
   * @param isRepeatable whether those that have been done already may be left out
   * @return positions, ascending; all where the databases themselves shall tell what is wrong
   * @throws io.anabranch.rules.error.RefusedException if some would fail and others would not
   */
  List<Integer> due(List<List<Part>> statements, boolean isRepeatable) {
    var ready = new ArrayList<Integer>();
    var all = new ArrayList<Integer>();
    var failures = new StringJoiner(", ");
    for (int i = 0; i < statements.size(); i++) {
      List<Part> parts = statements.get(i);
      var failure = new StringJoiner(", ");
      State state = statements.size() == 1 ? State.READY : state(parts, failure);
      all.add(i);
      if (state == State.READY) {
        ready.add(i);
      } else if (state == State.FAILING || !isRepeatable) {
        failures.add(parts.getFirst().dataSource() + " [" + failure + "]");
      }
    }
    if (ready.isEmpty()) {
      return all;
    }
    if (failures.length() > 0) {
      throw ErrorCatalogue.DDL_INCOMPLETE.refuse("would fail: " + failures + "; done: nowhere");
    }
    return ready;
  }

  /**
   * What a server that has all the tables says of the first step that it cannot do.
   *
   * @return null if it can do all, or some of its parts
   */
  @Nullable RuntimeException refusal(
      List<RenamedTable> steps, Function<String, RuntimeException> unknown) {
    var now = new HashMap<String, Set<String>>();
    for (RenamedTable step : steps) {
      boolean isMissing = true;
      boolean isTaken = true;
      boolean looksAtOldFirst = true;
      for (Part part : step.parts()) {
        Set<String> there =
            now.computeIfAbsent(part.dataSource(), source -> new HashSet<>(tables(source)));
        isMissing &= !there.remove(key(part.from()));
        isTaken &= !there.add(key(part.to()));
        looksAtOldFirst &= catalog.isMariaDb(part.dataSource());
      }
      if (isMissing && (looksAtOldFirst || !isTaken)) {
        return unknown.apply(step.from().name());
      }
      if (isTaken) {
        return ErrorCatalogue.TABLE_EXISTS.refuse(step.to().name());
      }
    }
    return null;
  }

  private State state(List<Part> parts, StringJoiner failure) {
    Set<String> there = tables(parts.getFirst().dataSource());
    if (isDone(parts, there)) {
      failure.add("'" + parts.getFirst().from() + "' is renamed already");
      return State.DONE;
    }
    var after = new HashSet<>(there);
    for (Part part : parts) {
      if (!after.remove(key(part.from()))) {
        failure.add("there is no '" + part.from() + "'");
      }
      if (!after.add(key(part.to()))) {
        failure.add("there is '" + part.to() + "'");
      }
    }
    return failure.length() == 0 ? State.READY : State.FAILING;
  }

  /** Never so of names that are lost and taken in turn, as when tables change places. */
  private static boolean isDone(List<Part> parts, Set<String> there) {
    var names = new HashMap<String, Boolean>();
    for (Part part : parts) {
      boolean isFresh =
          names.put(key(part.from()), false) == null && names.put(key(part.to()), true) == null;
      if (!isFresh) {
        return false;
      }
    }
    return names.entrySet().stream()
        .allMatch(one -> there.contains(one.getKey()) == one.getValue());
  }

  private Set<String> tables(String source) {
    return tables.computeIfAbsent(
        source,
        one -> {
          var names = new HashSet<String>();
          catalog.tableNames(one).forEach(name -> names.add(key(name)));
          return names;
        });
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
