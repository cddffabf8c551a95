package io.anabranch.backend.merge;

import io.anabranch.backend.row.CellKind;
import io.anabranch.backend.row.Numbers;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode.Comparison;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.value.NumberText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes the rows for which all comparisons are true. */
final class Having implements RowStream {

  private final RowStream input;
  private final RowReader row;
  private final RowFormat format;
  private final List<Test> tests = new ArrayList<>();

  /**
   * @throws io.anabranch.rules.error.RefusedException for a column that is no number, unless it is
   *     compared with NULL only
   */
  Having(RowStream input, List<Comparison> conjunction, RowFormat format) {
    this.input = input;
    this.format = format;
    row = format.reader(input.columns());
    for (Comparison comparison : conjunction) {
      tests.add(Test.of(comparison, input.columns().get(comparison.column())));
    }
  }

  @Override
  public List<ResultColumn> columns() {
    return input.columns();
  }

  @Override
  public byte @Nullable [] next() {
    for (byte[] payload = input.next(); payload != null; payload = input.next()) {
      row.read(payload);
      if (passes()) {
        return payload;
      }
    }
    return null;
  }

  @Override
  public void close() {
    input.close();
  }

  private boolean passes() {
    for (Test test : tests) {
      if (!test.holds(row, format)) {
        return false;
      }
    }
    return true;
  }

  /** One comparison, its constant parsed. */
  private record Test(Comparison comparison, CellKind kind, BigDecimal constant) {

    static Test of(Comparison comparison, ResultColumn column) {
      CellKind kind = CellKind.of(column);
      boolean needsValue =
          switch (comparison.operator()) {
            case IS_NULL, IS_NOT_NULL, UNKNOWN -> false;
            case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> true;
          };
      if (!needsValue) {
        return new Test(comparison, kind, BigDecimal.ZERO);
      }
      boolean isNumber = kind.isExactNumber() || kind.isFloating();
      if (!isNumber || !isDecimal(comparison.constant())) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "HAVING " + column.name() + " compared with " + comparison.constant(),
            "compare numbers with number literals");
      }
      return new Test(comparison, kind, new BigDecimal(comparison.constant()));
    }

    boolean holds(RowReader row, RowFormat format) {
      int column = comparison.column();
      if (row.isNull(column)) {
        return comparison.operator() == Comparison.Operator.IS_NULL;
      }
      return switch (comparison.operator()) {
        case IS_NULL, UNKNOWN -> false;
        case IS_NOT_NULL -> true;
        case EQUAL -> order(row, format) == 0;
        case NOT_EQUAL -> order(row, format) != 0;
        case LESS -> order(row, format) < 0;
        case LESS_OR_EQUAL -> order(row, format) <= 0;
        case GREATER -> order(row, format) > 0;
        case GREATER_OR_EQUAL -> order(row, format) >= 0;
      };
    }

    /** As MySQL: floating numbers compare as DOUBLE with whatever, exact ones exactly. */
    private int order(RowReader row, RowFormat format) {
      int column = comparison.column();
      if (kind.isFloating()) {
        double value = Numbers.floating(row, column, kind, format);
        double other = constant.doubleValue();
        return value < other ? -1 : value > other ? 1 : 0;
      }
      BigDecimal value = Numbers.decimal(row, column, kind, format);
      int exact = value.compareTo(constant);
      boolean isClear =
          !comparison.isFloating()
              || exact == Double.compare(value.doubleValue(), constant.doubleValue());
      if (!isClear) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "HAVING that compares " + value + " with the DOUBLE " + constant,
            "compare with a whole or decimal number");
      }
      return exact;
    }

    private static boolean isDecimal(String text) {
      if (NumberText.isTooLong(text)) {
        return false;
      }
      try {
        return new BigDecimal(text).precision() > 0;
      } catch (NumberFormatException notANumber) {
        return false;
      }
    }
  }
}
