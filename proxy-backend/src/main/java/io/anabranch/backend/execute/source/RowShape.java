package io.anabranch.backend.execute.source;

import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of a route look like: as the plan says (an AVG has its own scale, while the
 * database answers with the sum), unless a database answers with another type; then as it answers,
 * under the plan's names; as it answers where the plan says nothing. All databases have to agree.
 */
public final class RowShape {

  private final List<ResultColumn> planned;
  private final boolean alike;
  private final @Nullable NameMapping names;
  private @Nullable List<ResultColumn> first;

  public RowShape(PlanNode.Route route) {
    this(route.columns(), route.alike(), route.names());
  }

  /** Of rows that a change answers with. */
  public RowShape(List<ResultColumn> planned) {
    this(planned, false, null);
  }

  private RowShape(List<ResultColumn> planned, boolean alike, @Nullable NameMapping names) {
    this.planned = planned;
    this.alike = alike;
    this.names = names;
  }

  /**
   * @param actual columns of one answer
   * @throws RefusedException if they do not fit the plan or the answers before
   */
  public void check(List<ResultColumn> actual, String dataSource) {
    if (!planned.isEmpty() && actual.size() != planned.size()) {
      String table = planned.getFirst().orgTable();
      throw ErrorCatalogue.DEFINITIONS_DIFFER.refuse(
          table,
          "data source '"
              + dataSource
              + "' gives "
              + actual.size()
              + " columns where "
              + planned.size()
              + " are expected",
          table);
    }
    for (int i = 0; i < planned.size(); i++) {
      refuseOtherName(planned.get(i), actual.get(i), dataSource);
    }
    List<ResultColumn> before = first;
    if (before == null) {
      first = List.copyOf(actual);
      return;
    }
    first = widest(before, actual);
    for (int i = 0; i < actual.size(); i++) {
      if (isNull(before.get(i)) || isNull(actual.get(i))) {
        continue;
      }
      boolean sameScale =
          isString(actual.get(i)) || before.get(i).decimals() == actual.get(i).decimals();
      if (!agree(before.get(i), actual.get(i)) || !sameScale) {
        throw differs(actual.get(i), dataSource);
      }
    }
  }

  /**
   * The same once {@link #columns} is settled.
   *
   * @param settled what it said
   */
  public void checkWithin(
      List<ResultColumn> settled, List<ResultColumn> actual, String dataSource) {
    check(actual, dataSource);
    for (int i = 0; i < settled.size(); i++) {
      if (IntegerWidths.width(actual.get(i)) > IntegerWidths.width(settled.get(i))) {
        throw differs(actual.get(i), dataSource);
      }
    }
  }

  /** A column of a table has a name: where {@code *} gives another one, the table has changed. */
  private static void refuseOtherName(ResultColumn plan, ResultColumn actual, String dataSource) {
    boolean isOfTable = !plan.orgName().isEmpty() && !plan.orgTable().isEmpty();
    if (isOfTable && !plan.name().equalsIgnoreCase(actual.name())) {
      throw ErrorCatalogue.DEFINITIONS_DIFFER.refuse(
          plan.orgTable(),
          "data source '"
              + dataSource
              + "' gives column '"
              + actual.name()
              + "' where '"
              + plan.name()
              + "' is expected",
          plan.orgTable());
    }
  }

  private static RefusedException differs(ResultColumn column, String dataSource) {
    return ErrorCatalogue.DEFINITIONS_DIFFER.refuse(
        column.orgTable(),
        "column '" + column.name() + "' has another type in data source '" + dataSource + "'",
        column.orgTable());
  }

  /**
   * The same with the wider integers of both, and the strings of NULL: a UNION makes an INT of a
   * short BIGINT, and an empty string of a NULL.
   */
  private static List<ResultColumn> widest(List<ResultColumn> some, List<ResultColumn> others) {
    var result = new ArrayList<>(some);
    for (int i = 0; i < some.size(); i++) {
      if (isNull(some.get(i))
          || IntegerWidths.width(others.get(i)) > IntegerWidths.width(some.get(i))) {
        result.set(i, others.get(i));
      }
    }
    return List.copyOf(result);
  }

  public List<ResultColumn> columns() {
    List<ResultColumn> answered = first;
    if (answered == null) {
      return planned;
    }
    if (names != null) {
      return names.logical(answered);
    }
    return planned.isEmpty() ? answered : reconciled(answered);
  }

  private List<ResultColumn> reconciled(List<ResultColumn> actual) {
    var result = new ArrayList<ResultColumn>(actual.size());
    for (int i = 0; i < actual.size(); i++) {
      ResultColumn plan = planned.get(i);
      ResultColumn answer = actual.get(i);
      boolean narrow = IntegerWidths.width(plan) < IntegerWidths.width(answer);
      boolean fits = agree(plan, answer) || (isNull(plan) && isNullOfUnion(answer));
      result.add(!alike && fits && !narrow ? sent(plan, answer) : named(answer, plan));
    }
    return List.copyOf(result);
  }

  /** Whether values of both columns read and compare alike, but for the width of integers. */
  private static boolean agree(ResultColumn a, ResultColumn b) {
    boolean sameSign = (a.flags() & ColumnFlag.UNSIGNED) == (b.flags() & ColumnFlag.UNSIGNED);
    return (a.type() == b.type() && (sameSign || readsAlike(a)))
        || (IntegerWidths.width(a) > 0 && IntegerWidths.width(b) > 0 && sameSign)
        || (isString(a) && isString(b));
  }

  /**
   * Whether values are sent alike, unsigned or not: a TIMESTAMP column says that it is unsigned,
   * MySQL's DECIMAL and a DOUBLE with ZEROFILL, until they have been through a UNION.
   */
  private static boolean readsAlike(ResultColumn column) {
    return switch (ColumnType.of(column.type())) {
      case DATE, TIME, DATETIME, TIMESTAMP, DECIMAL, NEWDECIMAL, FLOAT, DOUBLE -> true;
      default -> false;
    };
  }

  /** A NULL without any type: none of its rows has a value. */
  private static boolean isNull(ResultColumn column) {
    return column.type() == ColumnType.NULL.code();
  }

  /** What a UNION makes of it; the empty string of a parameter is no NULL. */
  private static boolean isNullOfUnion(ResultColumn column) {
    return isString(column) && column.length() == 0 && (column.flags() & ColumnFlag.NOT_NULL) == 0;
  }

  private static boolean isString(ResultColumn column) {
    return encoding(column) == ColumnType.Encoding.LENGTH_ENCODED
        && column.type() != ColumnType.NEWDECIMAL.code()
        && column.type() != ColumnType.DECIMAL.code();
  }

  private static ColumnType.Encoding encoding(ResultColumn column) {
    return ColumnType.of(column.type()).encoding();
  }

  /** Only who sends strings knows their character set: a session may ask for that of the column. */
  private static ResultColumn sent(ResultColumn plan, ResultColumn answer) {
    // strings have none: a UNION tells some, and so do descriptions of what is only prepared
    int decimals = Math.min(plan.decimals(), answer.decimals());
    boolean differs = plan.collation() != answer.collation() || plan.decimals() != decimals;
    return isString(plan) && differs
        ? new ResultColumn(
            plan.schema(),
            plan.table(),
            plan.orgTable(),
            plan.name(),
            plan.orgName(),
            answer.collation(),
            plan.collation() == answer.collation() ? plan.length() : answer.length(),
            plan.type(),
            plan.flags(),
            decimals,
            plan.extended())
        : plan;
  }

  private static ResultColumn named(ResultColumn answer, ResultColumn names) {
    return answer.named(
        names.schema(), names.table(), names.orgTable(), names.name(), names.orgName());
  }
}
