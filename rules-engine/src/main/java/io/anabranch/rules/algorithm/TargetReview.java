package io.anabranch.rules.algorithm;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An algorithm that can tell, when a configuration is loaded, whether the targets suit it. */
public interface TargetReview {

  /**
   * @param column the strategy's sharding column
   * @param targets every name that the table has on this level, in all data sources
   */
  List<Finding> review(String column, TargetSet targets);

  /**
   * @param fatal whether values may be left without a target
   * @param reason without a full stop
   * @param suggestion null if there is none
   */
  record Finding(boolean fatal, String reason, @Nullable String suggestion) {}
}
