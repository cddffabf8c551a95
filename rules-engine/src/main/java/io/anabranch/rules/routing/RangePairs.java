package io.anabranch.rules.routing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;

/** Joins {@code column > a} and {@code column < b} to one range, which algorithms can narrow. */
final class RangePairs {

  private RangePairs() {}

  /** One-sided ranges of a column that wait for their other side, by position in the result. */
  private record Waiting(Deque<Integer> lower, Deque<Integer> upper) {}

  /** The parts of a conjunction with one-sided ranges of a column joined two by two. */
  static List<Filter> paired(List<Filter> parts) {
    var result = new ArrayList<Filter>();
    var waiting = new IdentityHashMap<ColumnTargets, Waiting>();
    for (Filter part : parts) {
      if (!(part instanceof RangeFilter range)
          || (range.lower() == null) == (range.upper() == null)) {
        result.add(part);
        continue;
      }
      Waiting column =
          waiting.computeIfAbsent(
              range.targets(), any -> new Waiting(new ArrayDeque<>(), new ArrayDeque<>()));
      boolean isLower = range.upper() == null;
      Integer partner = (isLower ? column.upper() : column.lower()).poll();
      if (partner != null && result.get(partner) instanceof RangeFilter other) {
        result.set(partner, isLower ? joined(range, other) : joined(other, range));
      } else {
        (isLower ? column.lower() : column.upper()).add(result.size());
        result.add(range);
      }
    }
    return result;
  }

  private static RangeFilter joined(RangeFilter lower, RangeFilter upper) {
    return new RangeFilter(
        lower.targets(),
        lower.type(),
        lower.lower(),
        lower.lowerInclusive(),
        upper.upper(),
        upper.upperInclusive());
  }
}
