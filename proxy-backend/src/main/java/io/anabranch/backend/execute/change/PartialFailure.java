package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.source.RowNumbers;
import io.anabranch.backend.execute.source.Warnings;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Where a statement over several data sources succeeded and where not, for the client. */
final class PartialFailure {

  private static final int SHOWN_CHARACTERS = 60;

  private final List<String> done = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private final List<String> notRun = new ArrayList<>();
  private @Nullable RuntimeException first;
  private boolean isUniform = true;

  /** What was said of rows, by all but the first failure. */
  private final List<List<String>> warned = new ArrayList<>();

  private final boolean areNumbered;

  /**
   * @param areNumbered whether messages tell the numbers of rows in the client's statement
   */
  PartialFailure(boolean areNumbered) {
    this.areNumbered = areNumbered;
  }

  /**
   * @param warnings that it answered with
   */
  void done(ShardQuery query, List<List<String>> warnings) {
    done.add(shown(query));
    warned.addAll(warnings);
  }

  void notRun(ShardQuery query) {
    notRun.add(shown(query));
  }

  void failed(ShardQuery query, RuntimeException failure) {
    failed.add(shown(query) + ": " + failure.getMessage());
    if (first == null) {
      first = failure;
    } else {
      isUniform &= errno(first) == errno(failure);
      boolean isEarlier = isOfEarlierRow(failure, first);
      warned.addAll(problems(isEarlier ? first : failure));
      first = isEarlier ? failure : first;
    }
  }

  /** One server comes to the first row that fails, and no further. */
  private static boolean isOfEarlierRow(RuntimeException failure, RuntimeException other) {
    int row = RowNumbers.of(String.valueOf(failure.getMessage()), Integer.MAX_VALUE);
    return row < RowNumbers.of(String.valueOf(other.getMessage()), 0);
  }

  /** The error that all queries failed with; null if they did not, or differently. */
  ShardException.@Nullable Database everywhere() {
    return done.isEmpty()
            && notRun.isEmpty()
            && isUniform
            && first instanceof ShardException.Database refused
        ? refused
        : null;
  }

  boolean isDoneNowhere() {
    return done.isEmpty();
  }

  private static List<List<String>> problems(RuntimeException failure) {
    return failure instanceof ShardException.Database refused ? refused.problems() : List.of();
  }

  /** The failure of the first row, where rows are told, else the first; null if there is none. */
  @Nullable RuntimeException first() {
    return areNumbered && first instanceof ShardException.Database refused
        ? Warnings.inFrontOf(refused, warned)
        : first;
  }

  /**
   * The error of a statement that was not undone where it succeeded: the database's own if it
   * failed everywhere in the same way. Null if there is none.
   *
   * @param partial what tells of the parts
   */
  @Nullable RuntimeException error(ErrorCatalogue partial) {
    if (first == null || (done.isEmpty() && notRun.isEmpty() && isUniform)) {
      return first;
    }
    var report = new StringJoiner("; ");
    report.add("failed: " + String.join(", ", failed));
    report.add("done: " + (done.isEmpty() ? "nowhere" : String.join(", ", done)));
    if (!notRun.isEmpty()) {
      report.add("not run: " + String.join(", ", notRun));
    }
    return partial.refuse(report);
  }

  private static int errno(RuntimeException failure) {
    return failure instanceof ShardException.Database refused ? refused.errno() : -1;
  }

  private static String shown(ShardQuery query) {
    String sql = query.sqlText().strip();
    String head = sql.length() > SHOWN_CHARACTERS ? sql.substring(0, SHOWN_CHARACTERS) + "…" : sql;
    return query.dataSource() + " [" + head + "]";
  }
}
