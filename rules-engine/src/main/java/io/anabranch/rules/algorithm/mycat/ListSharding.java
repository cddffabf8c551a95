package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.value.SqlValue;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code PARTITION_BY_FILE_MAP}, dble's {@code enum}: each value has its node in a list, others
 * have the default node, if there is one.
 */
final class ListSharding implements AutomaticAlgorithm {

  static final String TYPE = "PARTITION_BY_FILE_MAP";

  private static final int NO_DEFAULT = -1;

  /** Of integers; empty if the values are strings. */
  private final NavigableMap<Integer, Integer> byNumber;

  private final Map<String, Integer> byText;
  private final boolean isNumeric;
  private final int defaultNode;

  private ListSharding(
      NavigableMap<Integer, Integer> byNumber,
      Map<String, Integer> byText,
      boolean isNumeric,
      int defaultNode) {
    this.byNumber = byNumber;
    this.byText = byText;
    this.isNumeric = isNumeric;
    this.defaultNode = defaultNode;
  }

  /** {@code type} 0 takes integers of 32 bits, others take strings. */
  static ShardingAlgorithm create(AlgorithmProperties properties) {
    Map<String, Integer> listed = new HashMap<>(Mappings.read(properties, "mappings"));
    boolean isNumeric = properties.integer("type", 0, 0, Integer.MAX_VALUE) == 0;
    Integer inList = listed.remove("DEFAULT_NODE");
    int otherwise = inList == null ? NO_DEFAULT : inList;
    int node =
        properties.integer(
            "default-node", otherwise, NO_DEFAULT, AlgorithmProperties.MAX_TARGETS - 1);
    var byNumber = new TreeMap<Integer, Integer>();
    if (isNumeric) {
      listed.forEach(
          (value, target) -> {
            try {
              byNumber.put(Integer.valueOf(value), target);
            } catch (NumberFormatException none) {
              properties.problem(
                  "mappings", "`" + value + "` is no integer of 32 bits; strings need `type: 1`");
            }
          });
    }
    properties.check();
    return new ListSharding(
        byNumber, isNumeric ? Map.of() : Map.copyOf(listed), isNumeric, Math.max(node, NO_DEFAULT));
  }

  private Iterable<Integer> nodes() {
    return isNumeric ? byNumber.values() : byText.values();
  }

  @Override
  public int targetCount() {
    int last = Math.max(0, defaultNode);
    for (int node : nodes()) {
      last = Math.max(last, node);
    }
    return last + 1;
  }

  /** Where no number up to the last one is left out. */
  @Override
  public boolean needsEveryTarget() {
    var used = new BitSet();
    nodes().forEach(used::set);
    if (defaultNode != NO_DEFAULT) {
      used.set(defaultNode);
    }
    return used.cardinality() == targetCount();
  }

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    if (!isNumeric) {
      return target(targets, byText.get(KeyText.of(value, TYPE)));
    }
    BigInteger number = WholeNumber.of(value, TYPE);
    // beyond 32 bits nothing has been placed: those proxies give an error
    return number.bitLength() < Integer.SIZE
        ? target(targets, byNumber.get(number.intValue()))
        : NO_TARGET;
  }

  private int target(TargetSet targets, @Nullable Integer node) {
    int chosen = Objects.requireNonNullElse(node, defaultNode);
    return chosen == NO_DEFAULT ? NO_TARGET : targets.indexOfSuffix(chosen);
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    BigInteger lower = WholeNumber.ofBound(range.lower());
    BigInteger upper = WholeNumber.ofBound(range.upper());
    boolean isKnown =
        isNumeric
            && (range.lower() == null || lower != null)
            && (range.upper() == null || upper != null);
    if (!isKnown) {
      return Covered.all(targets);
    }
    long first = lower == null ? Integer.MIN_VALUE : WholeNumber.clamp(lower);
    long last = upper == null ? Integer.MAX_VALUE : WholeNumber.clamp(upper);
    var result = new BitSet(targets.size());
    if (defaultNode != NO_DEFAULT) {
      Covered.add(result, targets.indexOfSuffix(defaultNode));
    }
    int from = Math.clamp(first, Integer.MIN_VALUE, Integer.MAX_VALUE);
    int to = Math.clamp(last, Integer.MIN_VALUE, Integer.MAX_VALUE);
    Map<Integer, Integer> within =
        from <= to ? byNumber.subMap(from, true, to, true) : Collections.emptyMap();
    for (int node : within.values()) {
      Covered.add(result, targets.indexOfSuffix(node));
    }
    return result;
  }
}
