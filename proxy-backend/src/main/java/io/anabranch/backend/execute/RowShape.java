package io.anabranch.backend.execute;

import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of a route look like: as the plan says (an AVG has its own scale, while the
 * database answers with the sum), unless a database answers with another type; then as it answers,
 * under the plan's names; as it answers where the plan says nothing. All databases have to agree.
 */
final class RowShape {

  private final List<ResultColumn> planned;
  private @Nullable List<ResultColumn> first;

  RowShape(List<ResultColumn> planned) {
    this.planned = planned;
  }

  /**
   * @param actual columns of one answer
   * @throws io.anabranch.rules.error.RefusedException if they do not fit the plan or the answers
   *     before
   */
  void check(List<ResultColumn> actual, String dataSource) {
    if (!planned.isEmpty() && actual.size() != planned.size()) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "a result of "
              + actual.size()
              + " columns from data source '"
              + dataSource
              + "' where "
              + planned.size()
              + " are expected",
          "make the definitions of the actual tables equal");
    }
    List<ResultColumn> before = first;
    if (before == null) {
      first = List.copyOf(actual);
      return;
    }
    for (int i = 0; i < actual.size(); i++) {
      boolean sameScale =
          isString(actual.get(i)) || before.get(i).decimals() == actual.get(i).decimals();
      if (!agree(before.get(i), actual.get(i)) || !sameScale) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "column '"
                + actual.get(i).name()
                + "', which has another type in data source '"
                + dataSource
                + "',",
            "make the definitions of the actual tables equal");
      }
    }
  }

  List<ResultColumn> columns() {
    List<ResultColumn> answered = first;
    return answered == null || planned.isEmpty()
        ? Objects.requireNonNullElse(answered, planned)
        : reconciled(answered);
  }

  private List<ResultColumn> reconciled(List<ResultColumn> actual) {
    var result = new ArrayList<ResultColumn>(actual.size());
    for (int i = 0; i < actual.size(); i++) {
      ResultColumn plan = planned.get(i);
      ResultColumn answer = actual.get(i);
      result.add(agree(plan, answer) ? plan : named(answer, plan));
    }
    return List.copyOf(result);
  }

  /** Whether values of both columns read and compare alike. */
  private static boolean agree(ResultColumn a, ResultColumn b) {
    boolean sameSign = (a.flags() & ColumnFlag.UNSIGNED) == (b.flags() & ColumnFlag.UNSIGNED);
    return (a.type() == b.type() && sameSign) || (isString(a) && isString(b));
  }

  private static boolean isString(ResultColumn column) {
    return encoding(column) == ColumnType.Encoding.LENGTH_ENCODED
        && column.type() != ColumnType.NEWDECIMAL.code()
        && column.type() != ColumnType.DECIMAL.code();
  }

  private static ColumnType.Encoding encoding(ResultColumn column) {
    return ColumnType.of(column.type()).encoding();
  }

  private static ResultColumn named(ResultColumn answer, ResultColumn names) {
    return new ResultColumn(
        names.schema(),
        names.table(),
        names.orgTable(),
        names.name(),
        names.orgName(),
        answer.collation(),
        answer.length(),
        answer.type(),
        answer.flags(),
        answer.decimals());
  }
}
