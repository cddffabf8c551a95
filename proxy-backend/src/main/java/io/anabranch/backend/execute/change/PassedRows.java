package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.rows.RowSpool;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.Passing;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Whether rows of an UPDATE take keys of others that it changes later. Used by one thread. */
final class PassedRows {

  /** Of a row and a key, besides its texts. */
  private static final int KEY_BYTES = 256;

  /** A row: of each key what it has and what it gets; null: a NULL in it. */
  private record Step(Passing.@Nullable Value[] before, Passing.@Nullable Value[] behind) {}

  private final Passing passing;
  private final RowSpool spool;
  private final List<Step> steps = new ArrayList<>();

  PassedRows(Passing passing, RowSpool spool) {
    this.passing = passing;
    this.spool = spool;
  }

  /** Adds a row of the values. */
  void add(IntFunction<SqlValue> values) {
    int count = passing.keys().size();
    if (count == 0) {
      return;
    }
    var before = new Passing.@Nullable Value[count];
    var behind = new Passing.@Nullable Value[count];
    for (int i = 0; i < count; i++) {
      before[i] = passing.keys().get(i).before().of(values);
      behind[i] = passing.keys().get(i).behind().of(values);
      spool.hold(KEY_BYTES + bytes(before[i]) + bytes(behind[i]));
    }
    steps.add(new Step(before, behind));
  }

  private static long bytes(Passing.@Nullable Value value) {
    return value == null ? 0 : 2L * value.text().length();
  }

  /**
   * Goes through all rows as a server does.
   *
   * @throws io.anabranch.rules.error.RefusedException if a row meets another one, or may
   */
  void check() {
    if (steps.size() < 2) {
      return;
    }
    List<Present> present = passing.keys().stream().map(key -> new Present()).toList();
    for (Step step : steps) {
      for (int i = 0; i < present.size(); i++) {
        present.get(i).count(step.before[i], 1);
      }
    }
    for (Step step : steps) {
      for (int i = 0; i < present.size(); i++) {
        if (isKept(step.before[i], step.behind[i])) {
          continue;
        }
        Present rows = present.get(i);
        rows.count(step.before[i], -1);
        meet(rows, step.behind[i], passing.keys().get(i).name());
        rows.count(passing.ordered() ? step.behind[i] : step.before[i], 1);
      }
    }
  }

  /** Whoever takes a key that stays meets it then. */
  private static boolean isKept(Passing.@Nullable Value before, Passing.@Nullable Value behind) {
    return before != null
        && behind != null
        && before.told()
        && behind.told()
        && before.text().equals(behind.text());
  }

  private void meet(Present rows, Passing.@Nullable Value behind, String key) {
    if (behind == null || !rows.mayHave(behind)) {
      return;
    }
    if (!passing.ordered()) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "an UPDATE that gives a row the key of another one that it changes, without an order",
          "say by ORDER BY which one comes first");
    }
    if (rows.has(behind)) {
      throw ErrorCatalogue.DUPLICATE_KEY.refuse(behind.text(), key);
    }
    throw ErrorCatalogue.NOT_EXACT.refuse(
        "an UPDATE that may give a row the value of '"
            + key
            + "' of another one that it changes, and of which it is not known whether they are"
            + " equal,",
        "change the rows one after the other");
  }

  /** The values of a key that the rows have at a moment. */
  private static final class Present {

    private final Map<String, Integer> texts = new HashMap<>();
    private final Map<String, Integer> folded = new HashMap<>();

    /** By what is sure: all of them, and those of which not all is told. */
    private final Map<String, Integer> sure = new HashMap<>();

    private final Map<String, Integer> untold = new HashMap<>();

    private int all;

    /** Those of which not even what is sure is known. */
    private int unknown;

    void count(Passing.@Nullable Value value, int change) {
      if (value == null) {
        return;
      }
      all += change;
      if (value.sure() == null) {
        unknown += change;
        return;
      }
      sure.merge(value.sure(), change, Integer::sum);
      if (value.told()) {
        texts.merge(value.text(), change, Integer::sum);
        folded.merge(both(value), change, Integer::sum);
      } else {
        untold.merge(value.sure(), change, Integer::sum);
      }
    }

    boolean has(Passing.Value value) {
      return value.told() && texts.getOrDefault(value.text(), 0) > 0;
    }

    boolean mayHave(Passing.Value value) {
      if (unknown > 0 || value.sure() == null) {
        return all > 0;
      }
      return value.told()
          ? folded.getOrDefault(both(value), 0) + untold.getOrDefault(value.sure(), 0) > 0
          : sure.getOrDefault(value.sure(), 0) > 0;
    }

    private static String both(Passing.Value value) {
      return value.sure() + '\0' + value.folded();
    }
  }
}
