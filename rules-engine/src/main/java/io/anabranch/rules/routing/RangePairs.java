package io.anabranch.rules.routing;

import java.util.ArrayList;
import java.util.List;

/** Joins {@code column > a} and {@code column < b} to one range, which algorithms can narrow. */
final class RangePairs {

  private RangePairs() {}

  /** The parts of a conjunction with one-sided ranges of a column joined two by two. */
  static List<Filter> paired(List<Filter> parts) {
    var result = new ArrayList<Filter>();
    for (Filter part : parts) {
      int partner = part instanceof RangeFilter range ? partnerOf(range, result) : -1;
      if (partner >= 0
          && part instanceof RangeFilter range
          && result.get(partner) instanceof RangeFilter other) {
        result.set(partner, range.lower() == null ? joined(other, range) : joined(range, other));
      } else {
        result.add(part);
      }
    }
    return result;
  }

  private static int partnerOf(RangeFilter range, List<Filter> parts) {
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) instanceof RangeFilter other
          && other.targets() == range.targets()
          && (other.lower() == null) != (range.lower() == null)
          && (other.upper() == null) != (range.upper() == null)) {
        return i;
      }
    }
    return -1;
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
