package io.anabranch.rules.algorithm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names that an algorithm chooses from: data sources, or actual tables of one data source. */
public final class TargetSet {

  private final List<String> names;
  private final Map<String, Integer> positions = new HashMap<>();
  private final int[] bySuffix;

  public TargetSet(List<String> names) {
    this.names = List.copyOf(names);
    int largest = -1;
    for (int i = 0; i < this.names.size(); i++) {
      positions.put(this.names.get(i), i);
      largest = Math.max(largest, smallSuffix(this.names.get(i)));
    }
    bySuffix = new int[largest + 1];
    java.util.Arrays.fill(bySuffix, ShardingAlgorithm.NO_TARGET);
    for (int i = this.names.size() - 1; i >= 0; i--) {
      int suffix = smallSuffix(this.names.get(i));
      if (suffix >= 0) {
        bySuffix[suffix] = i;
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
    return positions.getOrDefault(name, ShardingAlgorithm.NO_TARGET);
  }

  /**
   * Index of the name that ends in {@code number} (zero-padded or not), or {@link
   * ShardingAlgorithm#NO_TARGET}: how the automatic algorithms name their targets.
   */
  public int indexOfSuffix(int number) {
    return number >= 0 && number < bySuffix.length ? bySuffix[number] : ShardingAlgorithm.NO_TARGET;
  }

  private static int smallSuffix(String name) {
    int from = name.length();
    while (from > 0 && Character.isDigit(name.charAt(from - 1))) {
      from--;
    }
    String digits = name.substring(from);
    return digits.isEmpty() || digits.length() > 6 ? -1 : Integer.parseInt(digits);
  }
}
