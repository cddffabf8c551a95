package io.anabranch.backend.execute;

import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.rules.plan.PlanNode.Summing;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The OK packets of several writes as one.
 *
 * @param outcomes in the order of the queries; at least one
 */
record OutcomeSum(Summing summing, List<ShardOutcome> outcomes) {

  private static final Pattern NUMBER = Pattern.compile("\\d+");

  MergeOutcome.Done total() {
    List<ShardOutcome> counted =
        switch (summing) {
          case SUM -> outcomes;
          case FIRST -> outcomes.subList(0, 1);
        };
    long affected = 0;
    long insertId = 0;
    int warnings = 0;
    for (ShardOutcome outcome : counted) {
      affected += outcome.affectedRows();
      insertId = insertId == 0 ? outcome.lastInsertId() : insertId;
      warnings += outcome.warnings();
    }
    return new MergeOutcome.Done(affected, insertId, warnings, info(counted));
  }

  /**
   * {@code Records: 2 Duplicates: 0 Warnings: 0} and its like: texts that differ in numbers only.
   */
  private static String info(List<ShardOutcome> outcomes) {
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
