package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.compare.Comparability;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.task.PlanScope;
import java.util.List;

/**
 * What a UNION of the tables of a data source makes of values although it tells the same of its
 * columns as each table does: such tables are asked one by one.
 */
final class UnionEffects {

  /** Give one of several values, on MySQL with its own digits. */
  private static final List<String> CHOOSING =
      List.of("CASE", "COALESCE", "GREATEST", "IF", "IFNULL", "LEAST", "NULLIF");

  private UnionEffects() {}

  /**
   * Whether a column is mentioned that is changed where something is computed with it: a UNION
   * forgets ZEROFILL, and cuts texts of FLOAT(M,D), which do not always tell it.
   */
  static boolean areIn(Analysis analysis) {
    return analysis.sharded().stream()
        .anyMatch(
            table ->
                analysis.mentions(table, column -> column.isZerofill() || column.isFixedFloat()));
  }

  /** Whether one of these columns is changed. */
  static boolean areIn(Analysis analysis, List<ResultColumn> columns, boolean isMariaDb) {
    PlanScope scope = analysis.task().scope();
    // MySQL warns of what it makes of them, so that it is noticed
    boolean empties = isMariaDb && scope.emptiesDates();
    return (scope.padsStrings() && columns.stream().anyMatch(Comparability::isString))
        || (empties && columns.stream().anyMatch(Comparability::isDate))
        || (!isMariaDb && mixesDigits(analysis, columns));
  }

  /** MySQL shows each value of a DECIMAL expression with its own digits, a UNION all alike. */
  private static boolean mixesDigits(Analysis analysis, List<ResultColumn> columns) {
    boolean computes =
        columns.stream()
            .anyMatch(column -> column.orgName().isEmpty() && Comparability.isDecimal(column));
    return computes && CHOOSING.stream().anyMatch(analysis.source().tokens()::mention);
  }
}
