package io.anabranch.backend.merge;

import static io.anabranch.backend.merge.Rows.all;
import static io.anabranch.backend.merge.Rows.ascending;
import static io.anabranch.backend.merge.Rows.column;
import static io.anabranch.backend.merge.Rows.source;
import static io.anabranch.backend.merge.Rows.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.backend.merge.group.GroupedAggregate;
import io.anabranch.backend.row.HeldRows;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.PlanNode.Aggregate;
import io.anabranch.rules.plan.PlanNode.Aggregate.Function;
import io.anabranch.rules.plan.ResultColumn;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class GroupedAggregateTest {

  private static final ResultColumn COUNT = column("count", ColumnType.LONGLONG);
  private static final ResultColumn SUM = column("sum", ColumnType.NEWDECIMAL, 0, 2);
  private static final ResultColumn AVG = column("avg", ColumnType.NEWDECIMAL, 0, 6);

  private static Aggregate aggregate(Function function, int column, int companion) {
    return new Aggregate(function, column, companion, new byte[0]);
  }

  private static Aggregate aggregate(Function function, int column) {
    return aggregate(function, column, -1);
  }

  @Test
  void aggregatesNothing() {
    List<ResultColumn> columns = List.of(COUNT, SUM, AVG, SUM, COUNT);
    var group =
        new GroupedAggregate(
            source(columns),
            List.of(),
            List.of(
                aggregate(Function.COUNT, 0),
                aggregate(Function.SUM, 1),
                aggregate(Function.AVG, 3, 4)),
            RowFormat.TEXT,
            new HeldRows(StatementMemory.UNLIMITED));

    assertThat(all(group)).containsExactly("0,NULL,NULL");
  }

  @Test
  void givesNoGroupsForNothing() {
    var group =
        new GroupedAggregate(
            source(List.of(COUNT)),
            List.of(ascending(0)),
            List.of(aggregate(Function.COUNT, 0)),
            RowFormat.TEXT,
            new HeldRows(StatementMemory.UNLIMITED));

    assertThat(all(group)).isEmpty();
  }

  @Test
  void combinesPartialResultsOfShards() {
    List<ResultColumn> columns = List.of(COUNT, SUM, AVG, SUM, COUNT);
    var group =
        new GroupedAggregate(
            source(
                columns,
                text("2", "0.10", null, "0.10", "2"),
                text("0", null, null, null, "0"),
                text("1", "-100000000000000000000.01", null, "0.10", "1")),
            List.of(),
            List.of(
                aggregate(Function.COUNT, 0),
                aggregate(Function.SUM, 1),
                aggregate(Function.AVG, 3, 4)),
            RowFormat.TEXT,
            new HeldRows(StatementMemory.UNLIMITED));

    assertThat(all(group)).containsExactly("3,-99999999999999999999.91,0.066667");
  }

  @Test
  void roundsAveragesHalfAwayFromZero() {
    List<ResultColumn> columns = List.of(column("avg", ColumnType.NEWDECIMAL, 0, 1), SUM, COUNT);
    var group =
        new GroupedAggregate(
            source(columns, text(null, "-0.25", "1")),
            List.of(),
            List.of(aggregate(Function.AVG, 1, 2)),
            RowFormat.TEXT,
            new HeldRows(StatementMemory.UNLIMITED));

    assertThat(all(group)).containsExactly("-0.3");
  }

  @Test
  void sumsDoublesAsDoubles() {
    ResultColumn total = column("d", ColumnType.DOUBLE, 0, 31);
    var group =
        new GroupedAggregate(
            source(List.of(total), text("0.1"), text("0.2"), text((String) null)),
            List.of(),
            List.of(aggregate(Function.SUM, 0)),
            RowFormat.TEXT,
            new HeldRows(StatementMemory.UNLIMITED));

    assertThat(all(group)).containsExactly("0.30000000000000004");
  }

  @Test
  void printsLargeDoublesAsServersDo() {
    ResultColumn total = column("d", ColumnType.DOUBLE, 0, 31);
    var group =
        new GroupedAggregate(
            source(List.of(total), text("1e15"), text("1")),
            List.of(),
            List.of(aggregate(Function.SUM, 0)),
            RowFormat.TEXT,
            new HeldRows(StatementMemory.UNLIMITED));

    assertThat(all(group)).containsExactly("1.000000000000001e15");
  }

  @Test
  void findsExtremesByTypeAndCollation() {
    List<ResultColumn> columns =
        List.of(
            column("n", ColumnType.LONG),
            column("n", ColumnType.LONG),
            column("s", ColumnType.VAR_STRING),
            column("weight", ColumnType.VAR_STRING));
    var group =
        new GroupedAggregate(
            source(
                columns,
                text("10", "10", "a", "A"),
                text(null, null, null, null),
                text("9", "9", "B", "B")),
            List.of(),
            List.of(
                aggregate(Function.MIN, 0),
                aggregate(Function.MAX, 1),
                aggregate(Function.MAX, 2, 3)),
            RowFormat.TEXT,
            new HeldRows(StatementMemory.UNLIMITED));

    assertThat(all(group)).containsExactly("9,10,B");
  }

  @Test
  void combinesBits() {
    ResultColumn bits = column("b", ColumnType.LONGLONG, ColumnFlag.UNSIGNED, 0);
    var group =
        new GroupedAggregate(
            source(
                List.of(bits, bits, bits),
                text("18446744073709551615", "9223372036854775808", "3"),
                text("6", "1", "5")),
            List.of(),
            List.of(
                aggregate(Function.BIT_AND, 0),
                aggregate(Function.BIT_OR, 1),
                aggregate(Function.BIT_XOR, 2)),
            RowFormat.TEXT,
            new HeldRows(StatementMemory.UNLIMITED));

    assertThat(all(group)).containsExactly("6,9223372036854775809,6");
  }

  @Test
  void countsDistinctValuesWithinGroups() {
    List<ResultColumn> columns =
        List.of(column("g", ColumnType.LONG), COUNT, SUM, AVG, column("v", ColumnType.LONG));
    var group =
        new GroupedAggregate(
            source(
                columns,
                text("1", null, null, null, null),
                text("1", null, null, null, "4"),
                text("1", null, null, null, "4"),
                text("1", null, null, null, "5"),
                text("2", null, null, null, "5"),
                text("3", null, null, null, null)),
            List.of(ascending(0)),
            List.of(
                aggregate(Function.FIRST, 0),
                aggregate(Function.COUNT_DISTINCT, 4),
                aggregate(Function.SUM_DISTINCT, 4),
                aggregate(Function.AVG_DISTINCT, 4)),
            RowFormat.TEXT,
            new HeldRows(StatementMemory.UNLIMITED));

    assertThat(all(group))
        .containsExactly("1,2,9.00,4.500000", "2,1,5.00,5.000000", "3,0,NULL,NULL");
  }

  @Test
  void writesBinaryRows() {
    List<ResultColumn> columns =
        List.of(COUNT, SUM, column("d", ColumnType.DOUBLE, 0, 31), column("s", ColumnType.STRING));
    var group =
        new GroupedAggregate(
            source(
                columns,
                Rows.binary(columns, "2", "1.50", "0.5", "x"),
                Rows.binary(columns, "3", "0.25", "0.25", null)),
            List.of(),
            List.of(
                aggregate(Function.COUNT, 0),
                aggregate(Function.SUM, 1),
                aggregate(Function.SUM, 2),
                aggregate(Function.MAX, 3)),
            RowFormat.BINARY,
            new HeldRows(StatementMemory.UNLIMITED));

    assertThat(group.next()).isEqualTo(Rows.binary(columns, "5", "1.75", "0.75", "x"));
    assertThat(group.next()).isNull();
  }

  @Test
  void prefersAValueOverTheNullOfAnEmptyShardWithoutGroups() {
    var group =
        new GroupedAggregate(
            source(List.of(column("n", ColumnType.LONG), COUNT), text(null, "0"), text("7", "2")),
            List.of(),
            List.of(aggregate(Function.FIRST, 0), aggregate(Function.COUNT, 1)),
            RowFormat.TEXT,
            new HeldRows(StatementMemory.UNLIMITED));

    assertThat(all(group)).containsExactly("7,2");
  }

  @RepeatedTest(20)
  void aggregatingPartitionsIsAggregatingTheWhole(RepetitionInfo repetition) {
    var random = new Random(repetition.getCurrentRepetition());
    var whole = new TreeMap<Integer, List<BigDecimal>>();
    var shards = new ArrayList<RowStream>();
    List<ResultColumn> columns =
        List.of(column("g", ColumnType.LONG), COUNT, SUM, AVG, SUM, COUNT, SUM, SUM);
    for (int shard = 0; shard < 4; shard++) {
      var part = new TreeMap<Integer, List<BigDecimal>>();
      for (int i = random.nextInt(30); i > 0; i--) {
        var value = new BigDecimal(random.nextInt(20001) - 10000).movePointLeft(2);
        int key = random.nextInt(5);
        part.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
        whole.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
      }
      var rows = new ArrayList<byte[]>();
      part.forEach(
          (key, values) -> {
            String sum = sum(values).toPlainString();
            String count = Integer.toString(values.size());
            String least = values.stream().min(BigDecimal::compareTo).orElseThrow().toPlainString();
            String most = values.stream().max(BigDecimal::compareTo).orElseThrow().toPlainString();
            rows.add(text(key.toString(), count, sum, null, sum, count, least, most));
          });
      shards.add(new Rows.Source(columns, rows));
    }
    var group =
        new GroupedAggregate(
            new OrderedMerge(shards, List.of(ascending(0)), RowFormat.TEXT),
            List.of(ascending(0)),
            List.of(
                aggregate(Function.FIRST, 0),
                aggregate(Function.COUNT, 1),
                aggregate(Function.SUM, 2),
                aggregate(Function.AVG, 4, 5),
                aggregate(Function.MIN, 6),
                aggregate(Function.MAX, 7)),
            RowFormat.TEXT,
            new HeldRows(StatementMemory.UNLIMITED));
    // MIN and MAX stand in other positions than their inputs; descriptions go by position.
    var expected = new ArrayList<String>();
    whole.forEach(
        (key, values) ->
            expected.add(
                key
                    + ","
                    + values.size()
                    + ","
                    + sum(values).toPlainString()
                    + ","
                    + sum(values)
                        .divide(new BigDecimal(values.size()), 6, RoundingMode.HALF_UP)
                        .toPlainString()
                    + ","
                    + values.stream().min(BigDecimal::compareTo).orElseThrow().toPlainString()
                    + ","
                    + values.stream().max(BigDecimal::compareTo).orElseThrow().toPlainString()));

    assertThat(all(group)).containsExactlyElementsOf(expected);
  }

  private static BigDecimal sum(List<BigDecimal> values) {
    return values.stream().reduce(BigDecimal.ZERO.setScale(2), BigDecimal::add);
  }
}
