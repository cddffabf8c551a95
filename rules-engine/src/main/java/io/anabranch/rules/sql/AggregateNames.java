package io.anabranch.rules.sql;

import java.util.Locale;
import java.util.Set;

/** Functions that make one value of the rows of a group. */
public final class AggregateNames {

  private static final Set<String> NAMES =
      Set.of(
          "AVG",
          "BIT_AND",
          "BIT_OR",
          "BIT_XOR",
          "COUNT",
          "GROUP_CONCAT",
          "JSON_ARRAYAGG",
          "JSON_OBJECTAGG",
          "MAX",
          "MEDIAN",
          "MIN",
          "PERCENTILE_CONT",
          "PERCENTILE_DISC",
          "STD",
          "STDDEV",
          "STDDEV_POP",
          "STDDEV_SAMP",
          "ST_COLLECT",
          "SUM",
          "VARIANCE",
          "VAR_POP",
          "VAR_SAMP",
          "ANY_VALUE");

  private AggregateNames() {}

  /** In any case. */
  public static boolean contain(String function) {
    return NAMES.contains(function.toUpperCase(Locale.ROOT));
  }
}
