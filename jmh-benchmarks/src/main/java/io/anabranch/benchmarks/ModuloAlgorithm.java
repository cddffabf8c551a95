package io.anabranch.benchmarks;

import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;

/** The value modulo the number of targets. */
record ModuloAlgorithm() implements ShardingAlgorithm {

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    return value instanceof SqlValue.Int number
        ? (int) Long.remainderUnsigned(number.value(), targets.size())
        : NO_TARGET;
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    var all = new BitSet();
    all.set(0, targets.size());
    return all;
  }
}
