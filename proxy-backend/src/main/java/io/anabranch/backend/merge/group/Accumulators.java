package io.anabranch.backend.merge.group;

import io.anabranch.backend.row.CellKind;
import io.anabranch.backend.row.HeldRow;
import io.anabranch.backend.row.HeldRows;
import io.anabranch.backend.row.KeyOrder;
import io.anabranch.backend.row.Numbers;
import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode.Aggregate;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The aggregate functions over partial results. */
final class Accumulators {

  /** Of a DECIMAL. */
  private static final int MOST_DIGITS = 65;

  /** Digits in one word of a DECIMAL, as servers reckon. */
  private static final int WORD_DIGITS = 9;

  private final List<ResultColumn> columns;
  private final RowFormat format;
  private final HeldRows held;
  private final HeldRow first;

  /**
   * @param columns of the input
   * @param first the first row of the group that is being read
   */
  Accumulators(List<ResultColumn> columns, RowFormat format, HeldRows held, HeldRow first) {
    this.held = held;
    this.first = first;
    this.columns = columns;
    this.format = format;
  }

  /**
   * @param result what the client is told about the cell: its type and scale decide how it is
   *     computed
   * @param isPlain whether there are no group keys
   */
  Accumulator of(Aggregate aggregate, ResultColumn result, boolean isPlain) {
    int column = aggregate.column();
    CellKind kind = CellKind.of(columns.get(column));
    return switch (aggregate.function()) {
      case FIRST -> isPlain ? new FirstValue(row(), column) : new OfFirstRow(first, column);
      case COUNT -> new Count(column, kind, format);
      case SUM -> new Total(sum(column, kind, result));
      case AVG -> new Average(sum(column, kind, result), result.decimals(), counting(aggregate));
      case AVG_COMPARED ->
          new Average(
              sum(column, kind, result), wholeWords(result.decimals()), counting(aggregate));
      case MIN -> new Extreme(key(aggregate, false), row(), column, -1);
      case MAX -> new Extreme(key(aggregate, false), row(), column, 1);
      case BIT_AND, BIT_OR, BIT_XOR -> new Bits(aggregate.function(), column, kind, format);
      case COUNT_DISTINCT -> distinct(aggregate, new Ones());
      case SUM_DISTINCT -> distinct(aggregate, new Total(sum(column, kind, result)));
      case AVG_DISTINCT ->
          distinct(
              aggregate, new Average(sum(column, kind, result), result.decimals(), new Ones()));
    };
  }

  private static int wholeWords(int digits) {
    return Math.ceilDiv(digits, WORD_DIGITS) * WORD_DIGITS;
  }

  /** Whether one of them keeps a row of its own. */
  static boolean keepsRow(Aggregate aggregate, boolean isPlain) {
    return switch (aggregate.function()) {
      case FIRST -> isPlain;
      case MIN, MAX, COUNT_DISTINCT, SUM_DISTINCT, AVG_DISTINCT -> true;
      case COUNT, SUM, AVG, AVG_COMPARED, BIT_AND, BIT_OR, BIT_XOR -> false;
    };
  }

  private HeldRow row() {
    return new HeldRow(format.reader(columns), held);
  }

  /**
   * @param areSorted whether rows come in the order of its values
   */
  private KeyOrder key(Aggregate aggregate, boolean areSorted) {
    return new KeyOrder(
        new SortKey(aggregate.column(), aggregate.companion(), aggregate.padWeight(), false),
        columns,
        format,
        areSorted);
  }

  private Sum sum(int column, CellKind kind, ResultColumn result) {
    return CellKind.of(result).isFloating()
        ? new FloatingSum(column, kind, format)
        : new ExactSum(column, kind, format, result.decimals());
  }

  private Counting counting(Aggregate aggregate) {
    int column = aggregate.companion();
    return new Count(column, CellKind.of(columns.get(column)), format);
  }

  private Distinct distinct(Aggregate aggregate, Accumulator counted) {
    return new Distinct(key(aggregate, true), row(), counted);
  }

  /** Something that has counted. */
  private interface Counting extends Accumulator {
    long count();
  }

  /** A sum as MySQL computes it: exact or floating. */
  private sealed interface Sum {
    void start();

    void add(RowReader row);

    boolean isNull();

    void finish(RowEncoder out);

    /** Writes the sum divided by {@code count}, which is not 0. */
    void finishDivided(RowEncoder out, long count, int scale);
  }

  /** Of integers and decimals. */
  private static final class ExactSum implements Sum {

    /** What servers make of a number with more digits, where they clip it. */
    private static final BigInteger MOST = BigInteger.TEN.pow(MOST_DIGITS).subtract(BigInteger.ONE);

    private final int column;
    private final CellKind kind;
    private final RowFormat format;
    private final int scale;
    private @Nullable BigDecimal total;

    ExactSum(int column, CellKind kind, RowFormat format, int scale) {
      this.column = column;
      this.kind = kind;
      this.format = format;
      this.scale = scale;
    }

    @Override
    public void start() {
      total = null;
    }

    @Override
    public void add(RowReader row) {
      if (!row.isNull(column)) {
        BigDecimal value = Numbers.decimal(row, column, kind, format);
        requireDigits(value, true);
        total = total == null ? value : total.add(value);
      }
    }

    private static void requireDigits(BigDecimal value, boolean partial) {
      int digits = value.precision();
      boolean clipped =
          partial && digits == MOST_DIGITS && value.unscaledValue().abs().equals(MOST);
      if (clipped || digits > MOST_DIGITS) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "a DECIMAL sum of more than " + MOST_DIGITS + " digits", "sum a CAST(… AS DOUBLE)");
      }
    }

    @Override
    public boolean isNull() {
      return total == null;
    }

    @Override
    public void finish(RowEncoder out) {
      finishDivided(out, 1, scale);
    }

    @Override
    public void finishDivided(RowEncoder out, long count, int digits) {
      if (total == null) {
        out.addNull();
        return;
      }
      requireDigits(total, false);
      out.addText(quotient(total, count, digits).toPlainString());
    }

    /** Servers divide into whole words, cut the rest off, and round what they have. */
    private static BigDecimal quotient(BigDecimal total, long count, int digits) {
      return total
          .divide(BigDecimal.valueOf(count), wholeWords(digits), RoundingMode.DOWN)
          .setScale(digits, RoundingMode.HALF_UP);
    }
  }

  /** Of floating numbers. */
  private static final class FloatingSum implements Sum {
    private final int column;
    private final CellKind kind;
    private final RowFormat format;
    private double total;
    private boolean isNull;

    FloatingSum(int column, CellKind kind, RowFormat format) {
      this.column = column;
      this.kind = kind;
      this.format = format;
    }

    @Override
    public void start() {
      total = 0;
      isNull = true;
    }

    @Override
    public void add(RowReader row) {
      if (!row.isNull(column)) {
        total += Numbers.floating(row, column, kind, format);
        isNull = false;
      }
    }

    @Override
    public boolean isNull() {
      return isNull;
    }

    @Override
    public void finish(RowEncoder out) {
      finishDivided(out, 1, 0);
    }

    @Override
    public void finishDivided(RowEncoder out, long count, int digits) {
      if (isNull) {
        out.addNull();
      } else {
        out.addDouble(total / count);
      }
    }
  }

  private record Total(Sum sum) implements Accumulator {
    @Override
    public void start() {
      sum.start();
    }

    @Override
    public void add(RowReader row) {
      sum.add(row);
    }

    @Override
    public void finish(RowEncoder out) {
      sum.finish(out);
    }
  }

  private record Average(Sum sum, int scale, Counting counting) implements Accumulator {
    @Override
    public void start() {
      sum.start();
      counting.start();
    }

    @Override
    public void add(RowReader row) {
      sum.add(row);
      counting.add(row);
    }

    @Override
    public void finish(RowEncoder out) {
      if (sum.isNull() || counting.count() == 0) {
        out.addNull();
      } else {
        sum.finishDivided(out, counting.count(), scale);
      }
    }
  }

  /** Adds partial counts. */
  private static final class Count implements Counting {
    private final int column;
    private final CellKind kind;
    private final RowFormat format;
    private long total;

    Count(int column, CellKind kind, RowFormat format) {
      this.column = column;
      this.kind = kind;
      this.format = format;
    }

    @Override
    public void start() {
      total = 0;
    }

    @Override
    public void add(RowReader row) {
      if (!row.isNull(column)) {
        total += Numbers.decimal(row, column, kind, format).longValueExact();
      }
    }

    @Override
    public long count() {
      return total;
    }

    @Override
    public void finish(RowEncoder out) {
      out.addText(Long.toString(total));
    }
  }

  /** Counts what it is given. */
  private static final class Ones implements Counting {
    private long total;

    @Override
    public void start() {
      total = 0;
    }

    @Override
    public void add(RowReader row) {
      total++;
    }

    @Override
    public long count() {
      return total;
    }

    @Override
    public void finish(RowEncoder out) {
      out.addText(Long.toString(total));
    }
  }

  /**
   * The value of the group's first row. Without group keys a database without rows gives a row of
   * NULLs, so there the first that is not NULL.
   */
  private static final class FirstValue implements Accumulator {
    private final HeldRow kept;
    private final int column;
    private boolean isEmpty;

    FirstValue(HeldRow kept, int column) {
      this.kept = kept;
      this.column = column;
    }

    @Override
    public void start() {
      isEmpty = true;
    }

    @Override
    public void add(RowReader row) {
      if (isEmpty && !row.isNull(column)) {
        kept.keep(row.payload());
        isEmpty = false;
      }
    }

    @Override
    public void finish(RowEncoder out) {
      if (isEmpty) {
        out.addNull();
      } else {
        out.copy(kept.cells(), column);
      }
    }
  }

  /** Of the group's first row, which all of them share. */
  private record OfFirstRow(HeldRow first, int column) implements Accumulator {

    @Override
    public void start() {}

    @Override
    public void add(RowReader row) {}

    @Override
    public void finish(RowEncoder out) {
      out.copy(first.cells(), column);
    }
  }

  /** MIN and MAX: NULLs do not count. */
  private static final class Extreme implements Accumulator {
    private final KeyOrder order;
    private final HeldRow best;
    private final int column;
    private final int sign;
    private boolean isEmpty;

    /**
     * @param sign 1 for the greatest, -1 for the least
     */
    Extreme(KeyOrder order, HeldRow best, int column, int sign) {
      this.order = order;
      this.best = best;
      this.column = column;
      this.sign = sign;
    }

    @Override
    public void start() {
      isEmpty = true;
    }

    @Override
    public void add(RowReader row) {
      if (row.isNull(column)) {
        return;
      }
      if (isEmpty || order.compare(row, best.cells()) * sign > 0) {
        best.keep(row.payload());
        isEmpty = false;
      }
    }

    @Override
    public void finish(RowEncoder out) {
      if (isEmpty) {
        out.addNull();
      } else {
        out.copy(best.cells(), column);
      }
    }
  }

  /** BIT_AND, BIT_OR, BIT_XOR over 64 bits. */
  private static final class Bits implements Accumulator {
    private final Aggregate.Function function;
    private final int column;
    private final CellKind kind;
    private final RowFormat format;
    private long bits;

    Bits(Aggregate.Function function, int column, CellKind kind, RowFormat format) {
      this.function = function;
      this.column = column;
      this.kind = kind;
      this.format = format;
    }

    @Override
    public void start() {
      bits = function == Aggregate.Function.BIT_AND ? -1 : 0;
    }

    @Override
    public void add(RowReader row) {
      if (row.isNull(column)) {
        return;
      }
      long value = Numbers.decimal(row, column, kind, format).toBigInteger().longValue();
      if (function == Aggregate.Function.BIT_AND) {
        bits &= value;
      } else if (function == Aggregate.Function.BIT_OR) {
        bits |= value;
      } else {
        bits ^= value;
      }
    }

    @Override
    public void finish(RowEncoder out) {
      out.addText(Long.toUnsignedString(bits));
    }
  }

  /** Gives each value of a sorted group once to another function, NULL never. */
  private static final class Distinct implements Accumulator {
    private final KeyOrder order;
    private final HeldRow previous;
    private final Accumulator counted;
    private boolean isFirst;

    Distinct(KeyOrder order, HeldRow previous, Accumulator counted) {
      this.order = order;
      this.previous = previous;
      this.counted = counted;
    }

    @Override
    public void start() {
      isFirst = true;
      counted.start();
    }

    @Override
    public void add(RowReader row) {
      if (order.isNull(row) || (!isFirst && order.compare(previous.cells(), row) == 0)) {
        return;
      }
      isFirst = false;
      previous.keep(row.payload());
      counted.add(row);
    }

    @Override
    public void finish(RowEncoder out) {
      counted.finish(out);
    }
  }
}
