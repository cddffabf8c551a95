package io.anabranch.rules.work;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Where instrumented code counts. One for all, as the code that counts has no other. */
public final class CountedSteps {

  private static final List<String> METHODS = new ArrayList<>();

  private static long[] steps = new long[1024];

  private CountedSteps() {}

  /** Makes room for a method and tells its number. */
  static int number(String method) {
    METHODS.add(method);
    if (METHODS.size() > steps.length) {
      steps = Arrays.copyOf(steps, 2 * steps.length);
    }
    return METHODS.size() - 1;
  }

  /** A call, or a turn of a loop. */
  public static void step(int method) {
    steps[method]++;
  }

  /** A search through a list, which is a loop of the JDK's. */
  public static void search(Object searched, int method) {
    if (searched instanceof List<?> list) {
      steps[method] += list.size();
    }
  }

  /** All elements handed over at once. */
  public static void copy(Object copied, int method) {
    if (copied instanceof Collection<?> collection) {
      steps[method] += collection.size();
    }
  }

  static String name(int method) {
    return METHODS.get(method);
  }

  /** Steps by method, until now. */
  static long[] soFar() {
    return Arrays.copyOf(steps, METHODS.size());
  }
}
