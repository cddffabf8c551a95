package io.anabranch.benchmarks;

import io.anabranch.benchmarks.OtherRulesBenchmark.Rules;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * What {@link OtherRulesBenchmark} measures as ratios, in one process and in turns: machines whose
 * speed changes from second to second tell less than 2 % in no other way. Prints the median of all
 * rounds for each rule, and that of the statement without rules against itself.
 */
public final class OtherRulesRatios {

  private static final int ROUNDS = 600;
  private static final int WARM_UP = 100;
  private static final int KNOWN = 20_000;
  private static final int UNKNOWN = 60;

  /** Keeps what was planned from being optimized away. */
  private static int seen;

  private OtherRulesRatios() {}

  /**
   * @param arguments none are read
   */
  @SuppressWarnings("SystemOut") // its output is its purpose
  public static void main(String[] arguments) {
    System.out.println("| rules over other tables | plan known | plan unknown |\n|---|---|---|");
    Map<Rules, Double> known = medians(OtherRulesRatios::known);
    Map<Rules, Double> unknown = medians(OtherRulesRatios::unknown);
    for (Rules rules : Rules.values()) {
      System.out.printf(
          Locale.ROOT, "| %s | %.3f | %.3f |%n", rules, known.get(rules), unknown.get(rules));
    }
    System.out.println("(" + seen + " plans)");
  }

  private static OtherRulesBenchmark benchmark(Rules rules) {
    var benchmark = new OtherRulesBenchmark();
    benchmark.rules = rules;
    benchmark.plan();
    return benchmark;
  }

  private static Map<Rules, Double> medians(ToLongFunction<OtherRulesBenchmark> run) {
    var benchmarks = new EnumMap<Rules, OtherRulesBenchmark>(Rules.class);
    var ratios = new EnumMap<Rules, double[]>(Rules.class);
    for (Rules rules : Rules.values()) {
      benchmarks.put(rules, benchmark(rules));
      ratios.put(rules, new double[ROUNDS]);
    }
    OtherRulesBenchmark without = benchmark(Rules.NONE);
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      int measured = round;
      ratios.forEach(
          (rules, each) -> {
            OtherRulesBenchmark with = Objects.requireNonNull(benchmarks.get(rules));
            double ratio = ratio(run, with, without, (measured & 1) == 0);
            if (measured >= 0) {
              each[measured] = ratio;
            }
          });
    }
    var medians = new EnumMap<Rules, Double>(Rules.class);
    ratios.forEach((rules, measured) -> medians.put(rules, median(measured)));
    return medians;
  }

  /** Each is first as often as it is second. */
  private static double ratio(
      ToLongFunction<OtherRulesBenchmark> run,
      OtherRulesBenchmark with,
      OtherRulesBenchmark without,
      boolean isFirst) {
    long first = run.applyAsLong(isFirst ? with : without);
    long second = run.applyAsLong(isFirst ? without : with);
    return isFirst ? (double) first / second : (double) second / first;
  }

  private static double median(double[] measured) {
    Arrays.sort(measured);
    return measured[measured.length / 2];
  }

  private static long known(OtherRulesBenchmark benchmark) {
    long start = System.nanoTime();
    for (int i = 0; i < KNOWN; i++) {
      seen += benchmark.known() == null ? 0 : 1;
    }
    return System.nanoTime() - start;
  }

  private static long unknown(OtherRulesBenchmark benchmark) {
    long start = System.nanoTime();
    for (int i = 0; i < UNKNOWN; i++) {
      seen += benchmark.unknown() == null ? 0 : 1;
    }
    return System.nanoTime() - start;
  }
}
