package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.HintShardingAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.expression.ExpressionException;
import io.anabranch.rules.expression.Template;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.List;

/** {@code HINT_INLINE}: an expression over {@code value}, what the statement's hint says. */
final class HintInlineSharding implements HintShardingAlgorithm {

  static final String TYPE = "HINT_INLINE";

  private static final String VARIABLE = "value";

  private final Template template;

  private HintInlineSharding(Template template) {
    this.template = template;
  }

  static HintShardingAlgorithm create(AlgorithmProperties properties) {
    String expression = properties.text("algorithm-expression", "${value}");
    Template template = null;
    try {
      template = Template.parse(expression.strip());
      if (!List.of(VARIABLE).containsAll(template.variables())) {
        properties.problem(
            "algorithm-expression",
            "uses " + template.variables() + "; the hint's value is called " + VARIABLE);
      }
    } catch (ExpressionException e) {
      properties.problem("algorithm-expression", e.describe());
    }
    properties.check();
    if (template == null) {
      throw new IllegalStateException("a wrong expression was reported");
    }
    return new HintInlineSharding(template);
  }

  @Override
  public BitSet targets(TargetSet targets, List<SqlValue> values) {
    var result = new BitSet(targets.size());
    for (SqlValue value : values) {
      int target = targets.indexOf(InlineVariables.name(TYPE, template, value));
      if (target != ShardingAlgorithm.NO_TARGET) {
        result.set(target);
      }
    }
    return result;
  }
}
