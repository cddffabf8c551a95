package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code PARTITION_BY_PREFIX_PATTERN}: the sum of the first characters' codes, modulo a number;
 * ranges of remainders have their nodes in a list, {@code 0-31=0}.
 */
final class PrefixSharding implements AutomaticAlgorithm {

  static final String TYPE = "PARTITION_BY_PREFIX_PATTERN";

  private static final Pattern SPAN = Pattern.compile("(\\d{1,9})\\s*-\\s*(\\d{1,9})");

  private final int patternValue;
  private final int prefixLength;

  /** The first one that has a remainder is its own. */
  private final List<Span> spans;

  private PrefixSharding(int patternValue, int prefixLength, List<Span> spans) {
    this.patternValue = patternValue;
    this.prefixLength = prefixLength;
    this.spans = spans;
  }

  private record Span(int first, int last, int node) {}

  static ShardingAlgorithm create(AlgorithmProperties properties) {
    int pattern = properties.integer("pattern-value", 1024, 1, Integer.MAX_VALUE);
    int prefix = properties.integer("prefix-length", 0, 0, 65_535);
    List<Span> spans =
        Mappings.read(properties, "mappings").entrySet().stream()
            .map(
                entry -> {
                  Matcher span = SPAN.matcher(entry.getKey());
                  if (!span.matches()) {
                    properties.problem(
                        "mappings", "`" + entry.getKey() + "` has not the form first-last");
                    return new Span(0, 0, 0);
                  }
                  return new Span(
                      Integer.parseInt(span.group(1)),
                      Integer.parseInt(span.group(2)),
                      entry.getValue());
                })
            .toList();
    properties.check();
    return new PrefixSharding(pattern, prefix, spans);
  }

  @Override
  public int targetCount() {
    return spans.stream().mapToInt(Span::node).max().orElse(0) + 1;
  }

  @Override
  public boolean needsEveryTarget() {
    return spans.stream().mapToInt(Span::node).distinct().count() == targetCount();
  }

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    String text = KeyText.of(value, TYPE);
    int sum = 0;
    for (int i = 0; i < Math.min(prefixLength, text.length()); i++) {
      sum += text.charAt(i);
    }
    int remainder = sum % patternValue;
    for (Span span : spans) {
      if (span.first <= remainder && remainder <= span.last) {
        return targets.indexOfSuffix(span.node);
      }
    }
    return NO_TARGET;
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    return Covered.byNumbers(this, targets, range, targetCount());
  }
}
