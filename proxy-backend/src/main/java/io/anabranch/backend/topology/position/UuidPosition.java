package io.anabranch.backend.topology.position;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Of MySQL, {@code uuid[:tag]:interval[:interval…]} for each source. Sets of numbers, because a
 * source's transactions may be applied in another order than they were numbered in.
 *
 * @param sources by UUID and tag, in lower case: intervals in order, apart from each other
 */
record UuidPosition(Map<String, List<Interval>> sources) implements Position {

  /**
   * Where positions are put together, more intervals than this become fewer; those that a server
   * has told at once stay as they are.
   */
  private static final int MOST_INTERVALS = 32;

  UuidPosition {
    sources = Map.copyOf(sources);
  }

  /** Both ends belong to it. */
  record Interval(long first, long last) {}

  static UuidPosition of(String text) {
    var sources = new TreeMap<String, List<Interval>>();
    for (String source : text.split(",", -1)) {
      String[] parts = source.strip().split(":", -1);
      if (parts.length < 2) {
        throw new IllegalArgumentException("no GTID set: " + text);
      }
      String key = parts[0].toLowerCase(Locale.ROOT);
      String uuid = key;
      for (int i = 1; i < parts.length; i++) {
        String part = parts[i].strip();
        if (Character.isDigit(part.charAt(0))) {
          sources.computeIfAbsent(key, _ -> new ArrayList<>()).add(interval(part));
        } else {
          key = uuid + ":" + part.toLowerCase(Locale.ROOT);
        }
      }
    }
    sources.replaceAll((_, intervals) -> joined(sorted(intervals), 1));
    return new UuidPosition(sources);
  }

  private static Interval interval(String text) {
    int dash = text.indexOf('-');
    long first = Long.parseLong(dash < 0 ? text : text.substring(0, dash));
    return new Interval(first, dash < 0 ? first : Long.parseLong(text.substring(dash + 1)));
  }

  private static List<Interval> sorted(List<Interval> intervals) {
    var sorted = new ArrayList<>(intervals);
    sorted.sort(Comparator.comparingLong(Interval::first));
    return sorted;
  }

  /** Closes small gaps: whoever waits for the result waits for more than it needs. */
  private static List<Interval> widened(List<Interval> exact, int most) {
    List<Interval> joined = exact;
    for (long gap = 2; joined.size() > most; gap *= 2) {
      joined = joined(joined, gap);
    }
    return joined;
  }

  /** Leaves the shortest out: of them it is not known any more that they have been reached. */
  private static List<Interval> narrowed(List<Interval> exact, int most) {
    if (exact.size() <= most) {
      return exact;
    }
    var longest = new ArrayList<>(exact);
    longest.sort(Comparator.comparingLong((Interval each) -> each.first - each.last));
    return List.copyOf(sorted(longest.subList(0, most)));
  }

  /** Joins what overlaps, or is less than {@code gap} numbers apart. */
  private static List<Interval> joined(List<Interval> sorted, long gap) {
    var joined = new ArrayList<Interval>();
    for (Interval each : sorted) {
      Interval last = joined.isEmpty() ? null : joined.getLast();
      if (last == null || each.first - last.last > gap) {
        joined.add(each);
      } else if (each.last > last.last) {
        joined.set(joined.size() - 1, new Interval(last.first, each.last));
      }
    }
    return List.copyOf(joined);
  }

  @Override
  public Position plus(Position other) {
    return with(other, UuidPosition::widened);
  }

  @Override
  public Position withReached(Position other) {
    return with(other, UuidPosition::narrowed);
  }

  /** Makes of so many intervals so few. */
  private interface Bound {
    List<Interval> of(List<Interval> exact, int most);
  }

  private Position with(Position other, Bound bound) {
    if (!(other instanceof UuidPosition(Map<String, List<Interval>> more))) {
      throw new IllegalArgumentException(
          "GTIDs of MariaDB and MySQL in one group: " + other.text());
    }
    if (includes(other)) {
      return this;
    }
    var all = new TreeMap<>(sources);
    more.forEach(
        (source, intervals) ->
            all.merge(
                source,
                intervals,
                (a, b) -> {
                  var both = new ArrayList<>(a);
                  both.addAll(b);
                  int most = Math.max(MOST_INTERVALS, Math.max(a.size(), b.size()));
                  return bound.of(joined(sorted(both), 1), most);
                }));
    return new UuidPosition(all);
  }

  @Override
  public boolean includes(Position other) {
    if (!(other instanceof UuidPosition(Map<String, List<Interval>> wanted))) {
      return false;
    }
    for (Map.Entry<String, List<Interval>> each : wanted.entrySet()) {
      List<Interval> own = sources.getOrDefault(each.getKey(), List.of());
      for (Interval needed : each.getValue()) {
        if (own.stream().noneMatch(has -> has.first <= needed.first && has.last >= needed.last)) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public String text() {
    var text = new StringBuilder();
    for (Map.Entry<String, List<Interval>> source : new TreeMap<>(sources).entrySet()) {
      text.append(text.isEmpty() ? "" : ",").append(source.getKey());
      for (Interval each : source.getValue()) {
        text.append(':').append(each.first);
        if (each.last > each.first) {
          text.append('-').append(each.last);
        }
      }
    }
    return text.toString();
  }
}
