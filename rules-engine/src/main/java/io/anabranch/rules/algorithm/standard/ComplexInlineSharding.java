package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.ColumnReview;
import io.anabranch.rules.algorithm.ComplexShardingAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.expression.ExpressionException;
import io.anabranch.rules.expression.Template;
import io.anabranch.rules.value.SqlValue;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code COMPLEX_INLINE}: an expression over several columns, evaluated for the product of their
 * values. Where a column has no condition all targets may hold the rows; ranges must be allowed.
 */
final class ComplexInlineSharding implements ComplexShardingAlgorithm, ColumnReview {

  static final String TYPE = "COMPLEX_INLINE";

  private static final String ALLOW_RANGE = "allow-range-query-with-inline-sharding";
  private static final int MOST_COMBINATIONS = 10_000;

  private final Template template;
  private final List<String> columns;
  private final boolean rangeAllowed;

  private ComplexInlineSharding(Template template, boolean rangeAllowed) {
    this.template = template;
    this.columns =
        template.variables().stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    this.rangeAllowed = rangeAllowed;
  }

  static ComplexShardingAlgorithm create(AlgorithmProperties properties) {
    String expression = properties.requiredText("algorithm-expression");
    boolean rangeAllowed = properties.flag(ALLOW_RANGE, false);
    String names = properties.text("sharding-columns", "");
    Template template = null;
    if (properties.isValid()) {
      try {
        template = Template.parse(expression.strip());
        checkColumns(template, names, properties);
      } catch (ExpressionException e) {
        properties.problem("algorithm-expression", e.describe());
      }
    }
    properties.check();
    if (template == null) {
      throw new IllegalStateException("a missing expression was reported");
    }
    return new ComplexInlineSharding(template, rangeAllowed);
  }

  private static void checkColumns(Template template, String names, AlgorithmProperties report) {
    if (names.isBlank()) {
      return;
    }
    List<String> listed = Arrays.stream(names.split(",", -1)).map(String::strip).toList();
    for (String variable : lacking(template, listed)) {
      report.problem("sharding-columns", "lacks " + variable + ", which the expression uses");
    }
  }

  @Override
  public List<String> missing(List<String> columns) {
    return lacking(template, columns);
  }

  private static List<String> lacking(Template template, List<String> columns) {
    return template.variables().stream()
        .filter(variable -> columns.stream().noneMatch(variable::equalsIgnoreCase))
        .toList();
  }

  @Override
  public BitSet targets(
      TargetSet targets, Map<String, List<SqlValue>> values, Map<String, Range> ranges) {
    if (!ranges.isEmpty() && !rangeAllowed) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a range condition on columns sharded by the COMPLEX_INLINE expression " + template,
          "set the algorithm's property " + ALLOW_RANGE + " to true to ask all shards");
    }
    var result = new BitSet(targets.size());
    long combinations = 1;
    for (String column : columns) {
      List<SqlValue> known = values.get(column);
      combinations = known == null ? Long.MAX_VALUE : combinations * known.size();
      if (combinations > MOST_COMBINATIONS) {
        result.set(0, targets.size());
        return result;
      }
    }
    add(targets, values, new Object[columns.size()], 0, result);
    return result;
  }

  private void add(
      TargetSet targets,
      Map<String, List<SqlValue>> values,
      Object[] frame,
      int depth,
      BitSet result) {
    if (depth == frame.length) {
      int target = targets.indexOf(name(frame));
      if (target != ShardingAlgorithm.NO_TARGET) {
        result.set(target);
      }
      return;
    }
    for (SqlValue value : values.getOrDefault(columns.get(depth), List.of())) {
      frame[depth] = InlineVariables.of(TYPE, value);
      add(targets, values, frame, depth + 1, result);
    }
  }

  private String name(Object[] frame) {
    try {
      return template.evaluate(frame);
    } catch (ExpressionException e) {
      throw ErrorCatalogue.SHARDING_VALUE.refuse(
          TYPE, "these values", e.getMessage() + " in " + template);
    }
  }
}
