package io.anabranch.rules.config.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was found while files are read: errors, which refuse the configuration, and notices. */
public final class Problems {

  private static final Comparator<Problem> BY_PLACE =
      Comparator.comparing(Problem::file)
          .thenComparingInt(Problem::line)
          .thenComparingInt(Problem::column);

  private final List<Problem> errors = new ArrayList<>();
  private final List<Problem> notices = new ArrayList<>();

  public void error(Place place, String reason, @Nullable String suggestion) {
    add(errors, place, reason, suggestion);
  }

  public void notice(Place place, String reason, @Nullable String suggestion) {
    add(notices, place, reason, suggestion);
  }

  /** How many there are: more of them later means that what was read in between is wrong. */
  public int count() {
    return errors.size();
  }

  public boolean hasErrors() {
    return !errors.isEmpty();
  }

  public List<Problem> errors() {
    return errors.stream().sorted(BY_PLACE).toList();
  }

  public List<Problem> notices() {
    return notices.stream().sorted(BY_PLACE).toList();
  }

  /** Aliased parts are read more than once, their problems are told once. */
  private static void add(
      List<Problem> list, Place place, String reason, @Nullable String suggestion) {
    Problem problem =
        new Problem(
            place.file(), place.line(), place.column(), place.keyPath(), reason, suggestion);
    if (!list.contains(problem)) {
      list.add(problem);
    }
  }
}
