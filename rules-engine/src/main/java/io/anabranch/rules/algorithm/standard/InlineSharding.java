package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetReview;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.expression.ExpressionException;
import io.anabranch.rules.expression.Template;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code INLINE}: an expression that gives the target's name. {@code prefix_${column % n}}, what
 * nearly all configurations use, is looked up in names made beforehand.
 */
final class InlineSharding implements ShardingAlgorithm, TargetReview {

  static final String TYPE = "INLINE";
  private static final String ALLOW_RANGE = "allow-range-query-with-inline-sharding";
  private static final int MAX_READY_NAMES = 4096;
  private static final int SAMPLES = 512;

  private final Template template;
  private final boolean rangeAllowed;

  /** {@code prefix0} to {@code prefix(n-1)}; empty unless the expression has that shape. */
  private final String[] readyNames;

  private InlineSharding(Template template, boolean rangeAllowed) {
    this.template = template;
    this.rangeAllowed = rangeAllowed;
    Template.Modulo shape = template.asModulo();
    this.readyNames =
        shape != null && shape.divisor() <= MAX_READY_NAMES ? names(shape) : new String[0];
  }

  static ShardingAlgorithm create(AlgorithmProperties properties) {
    String expression = properties.requiredText("algorithm-expression");
    boolean rangeAllowed = properties.flag(ALLOW_RANGE, false);
    Template template = null;
    if (properties.isValid()) {
      try {
        template = Template.parse(expression.strip());
        if (template.variables().size() > 1) {
          properties.problem(
              "algorithm-expression",
              "uses the columns " + template.variables() + ", but a standard strategy has one");
        }
      } catch (ExpressionException e) {
        properties.problem("algorithm-expression", e.describe());
      }
    }
    properties.check();
    if (template == null) {
      throw new IllegalStateException("a missing expression was reported");
    }
    return new InlineSharding(template, rangeAllowed);
  }

  /** The column must be the expression's, and the names that it gives must exist. */
  @Override
  public List<Finding> review(String column, TargetSet targets) {
    List<String> used = template.variables();
    if (!used.isEmpty() && !used.getFirst().equals(column)) {
      String reason =
          "the expression "
              + template
              + " uses the name "
              + used.getFirst()
              + ", but the sharding column is "
              + column;
      return List.of(new Finding(true, reason, "write " + column + " in the expression"));
    }
    Set<String> ofNumbers = namesOfNumbers();
    Set<String> names = ofNumbers.isEmpty() ? namesOfTexts() : ofNumbers;
    List<String> strange = names.stream().filter(n -> targets.indexOf(n) == NO_TARGET).toList();
    // Which texts there are nobody knows: parts of them may give the nodes and nothing else.
    boolean someMayBeStrange =
        !template.isCyclic() && (ofNumbers.isEmpty() || strange.size() < names.size());
    if (strange.isEmpty() || someMayBeStrange) {
      return List.of();
    }
    String reason =
        "the expression "
            + template
            + " gives "
            + strange.getFirst()
            + ", which is not among the nodes "
            + NearestName.shortened(targets.names());
    return List.of(new Finding(true, reason, "mend the expression or actualDataNodes"));
  }

  /** Names for some values; empty if the expression takes no numbers. */
  private Set<String> namesOfNumbers() {
    if (readyNames.length > 0) {
      return new LinkedHashSet<>(List.of(readyNames));
    }
    Set<String> names = new LinkedHashSet<>();
    for (long number = 0; number < SAMPLES; number++) {
      addSample(names, new SqlValue.Int(number));
    }
    return names;
  }

  private Set<String> namesOfTexts() {
    Set<String> names = new LinkedHashSet<>();
    for (int number = 0; number < SAMPLES; number++) {
      addSample(names, new SqlValue.Text(String.format(Locale.ROOT, "%032d", number)));
    }
    return names;
  }

  private void addSample(Set<String> names, SqlValue value) {
    String name = nameOrNull(value);
    if (name != null) {
      names.add(name);
    }
  }

  private @Nullable String nameOrNull(SqlValue value) {
    try {
      return name(value);
    } catch (RefusedException e) {
      return null;
    }
  }

  /**
   * The name for one value, whether it exists or not.
   *
   * @throws RefusedException if the expression does not take the value
   */
  String name(SqlValue value) {
    return InlineVariables.name(TYPE, template, value);
  }

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    if (readyNames.length > 0 && value instanceof SqlValue.Int(long number)) {
      int remainder = (int) (number % readyNames.length);
      if (remainder >= 0) {
        return targets.indexOf(readyNames[remainder]);
      }
    }
    return targets.indexOf(name(value));
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    if (!rangeAllowed) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a range condition on a column sharded by the INLINE expression " + template,
          "set the algorithm's property " + ALLOW_RANGE + " to true to ask all shards");
    }
    BitSet all = new BitSet(targets.size());
    all.set(0, targets.size());
    return all;
  }

  private static String[] names(Template.Modulo shape) {
    String[] names = new String[shape.divisor()];
    for (int i = 0; i < names.length; i++) {
      names[i] = shape.prefix() + i + shape.suffix();
    }
    return names;
  }
}
