package io.anabranch.rules.algorithm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * An algorithm that numbers its targets from 0, see {@link TargetSet#indexOfSuffix}: fit for {@code
 * autoTables}.
 */
public interface AutomaticAlgorithm extends ShardingAlgorithm, TargetReview {

  /** How many targets it needs; positive. */
  int targetCount();

  /**
   * Whether values are spread over all targets, so that a missing one is a mistake; otherwise the
   * outer targets may be left out on purpose.
   */
  boolean needsEveryTarget();

  /** Digits that the suffix of every target has at least; more than 1 with zero padding. */
  default int suffixWidth() {
    return 1;
  }

  /** Missing targets, and names that are no targets. */
  @Override
  default List<Finding> review(String column, TargetSet targets) {
    List<Finding> findings = new ArrayList<>();
    BitSet unused = new BitSet();
    unused.set(0, targets.size());
    List<Integer> missing = new ArrayList<>();
    for (int number = 0; number < targetCount(); number++) {
      int target = targets.indexOfSuffix(number);
      if (target == NO_TARGET || digits(targets.names().get(target)) < suffixWidth()) {
        missing.add(number);
      } else {
        unused.clear(target);
      }
    }
    if (!missing.isEmpty()) {
      findings.add(
          new Finding(
              needsEveryTarget(),
              "the algorithm has "
                  + targetCount()
                  + " targets, but the nodes lack the suffix "
                  + (suffixWidth() > 1 ? "of " + suffixWidth() + " digits for " : "")
                  + NearestName.shortened(missing),
              "name the targets with one prefix and the numbers 0 to " + (targetCount() - 1)));
    }
    if (!unused.isEmpty()) {
      List<String> names = unused.stream().mapToObj(targets.names()::get).toList();
      findings.add(
          new Finding(
              false,
              "no value is placed in " + NearestName.shortened(names) + " by the algorithm",
              null));
    }
    return findings;
  }

  private static int digits(String name) {
    int from = name.length();
    while (from > 0 && Character.isDigit(name.charAt(from - 1))) {
      from--;
    }
    return name.length() - from;
  }
}
