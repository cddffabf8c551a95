package io.anabranch.rules.algorithm;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The names that an algorithm chooses from: data sources, or actual tables of one data source.
 *
 * <p>Automatic algorithms give a number; its target is the first name without its trailing digits,
 * followed by the number padded with zeros to the length of the shortest suffix: with {@code t_00}
 * to {@code t_15} number 3 is {@code t_03}.
 */
public final class TargetSet {

  /** Numbers up to this, or 64 for each name, are looked up in an array. */
  private static final int SMALL = 1024;

  private final List<String> names;
  private final Map<String, Integer> positions = new HashMap<>();
  private final int[] byNumber;
  private final Map<Integer, Integer> byLargeNumber = new HashMap<>();

  /**
   * @param names without duplicates
   */
  public TargetSet(List<String> names) {
    this.names = List.copyOf(names);
    String prefix = this.names.isEmpty() ? "" : withoutDigits(this.names.getFirst());
    int width = Integer.MAX_VALUE;
    for (int i = 0; i < this.names.size(); i++) {
      positions.put(this.names.get(i), i);
      width = Math.min(width, Math.max(1, suffix(this.names.get(i), prefix).length()));
    }
    int limit = Math.max(SMALL, 64 * this.names.size());
    byNumber = new int[limit];
    Arrays.fill(byNumber, ShardingAlgorithm.NO_TARGET);
    for (int i = 0; i < this.names.size(); i++) {
      String suffix = suffix(this.names.get(i), prefix);
      boolean padded = suffix.length() > width && suffix.charAt(0) == '0';
      if (suffix.isEmpty() || suffix.length() > 9 || padded) {
        continue;
      }
      int number = Integer.parseInt(suffix);
      if (number < limit) {
        byNumber[number] = i;
      } else {
        byLargeNumber.put(number, i);
      }
    }
  }

  public List<String> names() {
    return names;
  }

  public int size() {
    return names.size();
  }

  /** Index of {@code name}, or {@link ShardingAlgorithm#NO_TARGET}. */
  public int indexOf(String name) {
    Integer position = positions.get(name);
    return position == null ? ShardingAlgorithm.NO_TARGET : position;
  }

  /**
   * Index of the target with {@code number}, or {@link ShardingAlgorithm#NO_TARGET}: how the
   * automatic algorithms name their targets.
   */
  public int indexOfSuffix(int number) {
    if (number >= 0 && number < byNumber.length) {
      return byNumber[number];
    }
    Integer position = byLargeNumber.get(number);
    return position == null ? ShardingAlgorithm.NO_TARGET : position;
  }

  @Override
  public String toString() {
    return names.toString();
  }

  private static String withoutDigits(String name) {
    int end = name.length();
    while (end > 0 && name.charAt(end - 1) >= '0' && name.charAt(end - 1) <= '9') {
      end--;
    }
    return name.substring(0, end);
  }

  /** The digits after {@code prefix}; empty if the name is made otherwise. */
  private static String suffix(String name, String prefix) {
    return name.startsWith(prefix) && withoutDigits(name).equals(prefix)
        ? name.substring(prefix.length())
        : "";
  }
}
