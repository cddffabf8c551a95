package io.anabranch.backend.execute;

import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.rules.plan.PlanNode.Verb;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The OK packets of several writes as one.
 *
 * @param outcomes those that count, in the order of the queries
 */
record OutcomeSum(List<ShardOutcome> outcomes) {

  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern DUPLICATES = Pattern.compile("Duplicates: (\\d+)");

  /** Of statements that differ in their nodes only: their texts add up, too. */
  MergeOutcome.Done total() {
    return total(outcomes.isEmpty() ? "" : info());
  }

  /**
   * Of a statement whose rows were given to the nodes.
   *
   * @param records how many rows there were
   */
  MergeOutcome.Done total(Verb verb, long records) {
    return total(
        switch (verb) {
          case INSERT -> inserted(records, false);
          case INSERT_IGNORE -> inserted(records, true);
          case UPDATE -> outcomes.isEmpty() ? "Rows matched: 0  Changed: 0  Warnings: 0" : info();
          case DELETE -> "";
        });
  }

  private MergeOutcome.Done total(String info) {
    long affected = 0;
    long insertId = 0;
    for (ShardOutcome outcome : outcomes) {
      affected += outcome.affectedRows();
      insertId = insertId == 0 ? outcome.lastInsertId() : insertId;
    }
    return new MergeOutcome.Done(affected, insertId, warnings(), info);
  }

  private int warnings() {
    int warnings = 0;
    for (ShardOutcome outcome : outcomes) {
      warnings += outcome.warnings();
    }
    return warnings;
  }

  /** A node that got one row says nothing: what happened to it is told by the count. */
  private String inserted(long records, boolean ignores) {
    long duplicates = 0;
    for (ShardOutcome outcome : outcomes) {
      Matcher told = DUPLICATES.matcher(outcome.info());
      if (told.find()) {
        duplicates += Long.parseLong(told.group(1));
      } else if (ignores) {
        duplicates += outcome.affectedRows() == 0 ? 1 : 0;
      } else {
        duplicates += Math.max(0, outcome.affectedRows() - 1);
      }
    }
    return "Records: " + records + "  Duplicates: " + duplicates + "  Warnings: " + warnings();
  }

  /**
   * {@code Rows matched: 2 Changed: 0 Warnings: 0} and its like: texts that differ in numbers only.
   */
  private String info() {
    String text = outcomes.getFirst().info();
    String shape = NUMBER.matcher(text).replaceAll("#");
    long[] sums = new long[(int) NUMBER.matcher(text).results().count()];
    for (ShardOutcome outcome : outcomes) {
      if (!NUMBER.matcher(outcome.info()).replaceAll("#").equals(shape)) {
        return "";
      }
      Matcher numbers = NUMBER.matcher(outcome.info());
      for (int i = 0; numbers.find(); i++) {
        sums[i] += Long.parseLong(numbers.group());
      }
    }
    int[] index = {0};
    return NUMBER.matcher(text).replaceAll(match -> Long.toString(sums[index[0]++]));
  }
}
