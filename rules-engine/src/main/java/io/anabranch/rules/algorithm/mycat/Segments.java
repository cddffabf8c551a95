package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.util.Arrays;

/**
 * Remainders, cut into segments of nodes: {@code partition-count} 2,1 with {@code partition-length}
 * 256,512 are two nodes with 256 remainders each and one with 512. Mycat's lengths add up to 1024,
 * dble's to at most 2880.
 */
final class Segments {

  private static final int MOST = 2880;

  /** The node of each remainder. */
  private final int[] nodes;

  private Segments(int[] nodes) {
    this.nodes = nodes;
  }

  static Segments read(AlgorithmProperties properties) {
    int[] counts = numbers(properties, "partition-count");
    int[] lengths = numbers(properties, "partition-length");
    if (counts.length == 0 || lengths.length == 0) {
      return new Segments(new int[1]);
    }
    if (counts.length != lengths.length) {
      properties.problem("partition-length", "must have as many numbers as partition-count");
      return new Segments(new int[1]);
    }
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      sum += (long) counts[i] * lengths[i];
    }
    if (sum > MOST) {
      properties.problem(
          "partition-length", "the counts times their lengths are " + sum + ", more than " + MOST);
      return new Segments(new int[1]);
    }
    int[] nodes = new int[(int) sum];
    int node = 0;
    int end = 0;
    for (int i = 0; i < counts.length; i++) {
      for (int of = 0; of < counts[i]; of++) {
        Arrays.fill(nodes, end, end + lengths[i], node++);
        end += lengths[i];
      }
    }
    return new Segments(nodes);
  }

  /** Positive ones; empty if something is wrong, which is reported. */
  private static int[] numbers(AlgorithmProperties properties, String property) {
    String text = properties.requiredText(property);
    try {
      int[] numbers =
          Arrays.stream(text.split(",", -1))
              .map(String::strip)
              .mapToInt(Integer::parseInt)
              .toArray();
      if (Arrays.stream(numbers).allMatch(number -> number > 0)) {
        return numbers;
      }
      properties.problem(property, "must have positive numbers");
    } catch (NumberFormatException none) {
      if (!text.isBlank()) {
        properties.problem(property, "must be a comma list of integers");
      }
    }
    return new int[0];
  }

  int node(long hash) {
    return nodes[(int) Math.floorMod(hash, (long) nodes.length)];
  }

  /** How many nodes there are. */
  int count() {
    return nodes[nodes.length - 1] + 1;
  }

  /** How many remainders there are. */
  int length() {
    return nodes.length;
  }
}
