package io.anabranch.backend.merge;

import static io.anabranch.backend.merge.Rows.all;
import static io.anabranch.backend.merge.Rows.ascending;
import static io.anabranch.backend.merge.Rows.column;
import static io.anabranch.backend.merge.Rows.descending;
import static io.anabranch.backend.merge.Rows.source;
import static io.anabranch.backend.merge.Rows.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.backend.merge.group.Distinct;
import io.anabranch.backend.row.HeldRows;
import io.anabranch.backend.row.RowBudget;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Comparison;
import io.anabranch.rules.plan.PlanNode.Comparison.Operator;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class MergeTest {

  private static final List<ResultColumn> PAIR =
      List.of(column("id", ColumnType.LONG), column("source", ColumnType.VAR_STRING));

  @Test
  void mergesByNumberNotByText() {
    var merge =
        new OrderedMerge(
            List.of(
                source(PAIR, text(null, "a"), text("-5", "a"), text("9", "a"), text("100", "a")),
                source(PAIR, text("-10", "b"), text("9", "b"), text("10", "b"))),
            List.of(ascending(0)),
            RowFormat.TEXT);

    assertThat(all(merge))
        .containsExactly("NULL,a", "-10,b", "-5,a", "9,a", "9,b", "10,b", "100,a");
    assertThat(merge.next()).isNull();
  }

  @Test
  void mergesDescendingWithNullsLast() {
    var merge =
        new OrderedMerge(
            List.of(source(PAIR, text("3", "a"), text(null, "a")), source(PAIR, text("7", "b"))),
            List.of(descending(0)),
            RowFormat.TEXT);

    assertThat(all(merge)).containsExactly("7,b", "3,a", "NULL,a");
  }

  /** Databases look at the first bytes of a string when they sort. */
  @Test
  void refusesToSortWhatDatabasesHaveNotLookedAt() {
    String long1 = "x".repeat(1010);
    List<ResultColumn> columns = List.of(column("name", ColumnType.VAR_STRING));
    assertThat(mergeOf(columns, long1 + "a", long1 + "a"))
        .containsExactly(long1 + "a", long1 + "a");
    assertThat(mergeOf(columns, "y" + long1 + "b", "x" + long1 + "a"))
        .containsExactly("x" + long1 + "a", "y" + long1 + "b");
    assertThatThrownBy(() -> mergeOf(columns, long1 + "b", long1 + "a"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB2001")
        .hasMessageContaining("max_sort_length");
    assertThatThrownBy(() -> mergeOf(columns, long1, long1 + "a"))
        .isInstanceOf(RefusedException.class);
  }

  private static List<String> mergeOf(List<ResultColumn> columns, String left, String right) {
    return all(
        new OrderedMerge(
            List.of(source(columns, text(left)), source(columns, text(right))),
            List.of(ascending(0)),
            RowFormat.TEXT));
  }

  @Test
  void mergesByWeightAndPadsTheShorter() {
    List<ResultColumn> columns =
        List.of(column("name", ColumnType.VAR_STRING), column("w", ColumnType.VAR_STRING));
    var key = new SortKey(0, 1, new byte[] {' '}, false);
    var merge =
        new OrderedMerge(
            List.of(
                source(columns, text("a", "A"), text("b", "B")),
                source(columns, text("a\t", "A\t"), text("a ", "A "), text("a!", "A!"))),
            List.of(key),
            RowFormat.TEXT);

    assertThat(all(merge)).containsExactly("a\t,A\t", "a,A", "a ,A ", "a!,A!", "b,B");
  }

  @Test
  void refusesAValueWithoutWeight() {
    List<ResultColumn> columns =
        List.of(column("name", ColumnType.VAR_STRING), column("w", ColumnType.VAR_STRING));
    var merge =
        new OrderedMerge(
            List.of(source(columns, text("a", "A")), source(columns, text("b", null))),
            List.of(new SortKey(0, 1, new byte[0], false)),
            RowFormat.TEXT);

    assertThatThrownBy(merge::next)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("name");
  }

  @Test
  void refusesFloatsAsTextAndTakesThemAsBinary() {
    List<ResultColumn> columns = List.of(column("f", ColumnType.FLOAT, 0, 31));
    assertThatThrownBy(
            () -> new OrderedMerge(List.of(source(columns)), List.of(ascending(0)), RowFormat.TEXT))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("FLOAT");
    var merge =
        new OrderedMerge(
            List.of(
                source(columns, Rows.binary(columns, "2.5")),
                source(columns, Rows.binary(columns, "-1.5"))),
            List.of(ascending(0)),
            RowFormat.BINARY);

    assertThat(merge.next()).isEqualTo(Rows.binary(columns, "-1.5"));
  }

  @RepeatedTest(20)
  void mergingSortedListsIsSortingTheirConcatenation(RepetitionInfo repetition) {
    var random = new Random(repetition.getCurrentRepetition());
    var everything = new ArrayList<Integer>();
    var sources = new ArrayList<RowStream>();
    for (int i = 0; i < 1 + random.nextInt(9); i++) {
      List<Integer> numbers = random.ints(random.nextInt(40), -50, 50).boxed().sorted().toList();
      everything.addAll(numbers);
      String name = Integer.toString(i);
      sources.add(
          new Rows.Source(
              PAIR, numbers.stream().map(n -> text(Integer.toString(n), name)).toList()));
    }
    var merge = new OrderedMerge(sources, List.of(ascending(0)), RowFormat.TEXT);

    List<String> merged = all(merge);

    everything.sort(Comparator.naturalOrder());
    assertThat(merged)
        .extracting(row -> Integer.valueOf(row.substring(0, row.indexOf(','))))
        .containsExactlyElementsOf(everything);
    assertThat(merged)
        .as("equal rows come in the order of the sources")
        .isSortedAccordingTo(
            Comparator.comparing(
                    (String row) -> Integer.valueOf(row.substring(0, row.indexOf(','))))
                .thenComparing(row -> row.substring(row.indexOf(','))));
  }

  @Test
  void distinctKeepsTheFirstOfNeighbours() {
    var distinct =
        new Distinct(
            source(
                PAIR,
                text("1", "a"),
                text("01", "b"),
                text("2", "c"),
                text(null, "d"),
                text(null, "e")),
            List.of(ascending(0)),
            RowFormat.TEXT,
            new HeldRows(StatementMemory.UNLIMITED));

    assertThat(all(distinct)).containsExactly("1,a", "2,c", "NULL,d");
  }

  @Test
  void limitSkipsPassesAndEndsItsInput() {
    var input = source(PAIR, text("1", "a"), text("2", "a"), text("3", "a"), text("4", "a"));
    var limit = new Limit(input, 1, 2);

    assertThat(all(limit)).containsExactly("2,a", "3,a");
    assertThat(input.isClosed).isTrue();
    assertThat(input.read).isEqualTo(3);
  }

  @Test
  void limitZeroReadsNothing() {
    var input = source(PAIR, text("1", "a"));

    assertThat(all(new Limit(input, 0, 0))).isEmpty();
    assertThat(input.read).isZero();
  }

  @Test
  void limitWithoutCountPassesAllAfterTheOffset() {
    assertThat(all(new Limit(source(PAIR, text("1", "a"), text("2", "a")), 1, -1)))
        .containsExactly("2,a");
  }

  @Test
  void sortsStably() {
    var sort =
        new Sort(
            source(PAIR, text("2", "a"), text("1", "b"), text("2", "c"), text("1", "d")),
            List.of(descending(0)),
            RowFormat.TEXT,
            new RowBudget(4));

    assertThat(all(sort)).containsExactly("2,a", "2,c", "1,b", "1,d");
  }

  @Test
  void sortsNoMoreThanTheLimit() {
    var sort =
        new Sort(
            source(PAIR, text("2", "a"), text("1", "b")),
            List.of(ascending(0)),
            RowFormat.TEXT,
            new RowBudget(1));

    assertThatThrownBy(sort::next)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB2004");
  }

  @Test
  void trimsHiddenColumnsInBothFormats() {
    List<ResultColumn> columns =
        List.of(
            column("a", ColumnType.LONG),
            column("b", ColumnType.VAR_STRING),
            column("hidden", ColumnType.LONGLONG));
    var asText = new TrimColumns(source(columns, text("1", null, "9")), 2, RowFormat.TEXT);
    var asBinary =
        new TrimColumns(source(columns, Rows.binary(columns, "1", null, "9")), 2, RowFormat.BINARY);

    assertThat(asText.columns()).hasSize(2);
    assertThat(asText.next()).isEqualTo(text("1", null));
    assertThat(asBinary.next()).isEqualTo(Rows.binary(columns.subList(0, 2), "1", null));
  }

  @Test
  void havingComparesNumbersExactly() {
    List<ResultColumn> columns = List.of(column("total", ColumnType.NEWDECIMAL, 0, 2));
    var having =
        new Having(
            source(columns, text("10.00"), text("9.99"), text((String) null), text("10.01")),
            List.of(
                new Comparison(0, Operator.GREATER_OR_EQUAL, "10"),
                new Comparison(0, Operator.NOT_EQUAL, "10.01")),
            RowFormat.TEXT);

    assertThat(all(having)).containsExactly("10.00");
  }

  @Test
  void havingComparesWithDoublesWhereThatIsTheSame() {
    List<ResultColumn> columns = List.of(column("total", ColumnType.NEWDECIMAL, 0, 2));
    var exceeding =
        new Having(
            source(columns, text("10.00"), text("10.01"), text((String) null)),
            List.of(new Comparison(0, Operator.GREATER, "1e1", true)),
            RowFormat.TEXT);
    assertThat(all(exceeding)).containsExactly("10.01");

    var none =
        new Having(
            source(columns, text("10.00"), text((String) null)),
            List.of(new Comparison(0, Operator.UNKNOWN, "")),
            RowFormat.TEXT);
    assertThat(all(none)).isEmpty();

    var unclear =
        new Having(
            source(columns, text("100000000000000000.01")),
            List.of(new Comparison(0, Operator.EQUAL, "1e17", true)),
            RowFormat.TEXT);
    assertThatThrownBy(unclear::next)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("100000000000000000.01");
  }

  @Test
  void havingTestsForNull() {
    List<ResultColumn> columns = List.of(column("name", ColumnType.VAR_STRING));
    assertThat(
            all(
                new Having(
                    source(columns, text("a"), text((String) null)),
                    List.of(new Comparison(0, Operator.IS_NOT_NULL, "")),
                    RowFormat.TEXT)))
        .containsExactly("a");
  }

  @Test
  void havingRefusesWhatItCannotCompare() {
    List<ResultColumn> columns = List.of(column("name", ColumnType.VAR_STRING));
    assertThatThrownBy(
            () ->
                new Having(
                    source(columns),
                    List.of(new Comparison(0, Operator.EQUAL, "x")),
                    RowFormat.TEXT))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("HAVING name");
  }

  @Test
  void mapsCells() {
    var map =
        new MapCells(
            source(PAIR, text("1", "t_order_0"), text("2", "other")),
            new PlanNode.MapCells(
                new PlanNode.LocalRows(PAIR, List.of()),
                List.of(1),
                Map.of("t_order_0", "t_order")),
            RowFormat.TEXT);

    assertThat(all(map)).containsExactly("1,t_order", "2,other");
  }

  @Test
  void givesLocalRowsInBothFormats() {
    var node = new PlanNode.LocalRows(PAIR, List.of(List.of("1", "x")));

    assertThat(all(new LocalRows(node, RowFormat.TEXT))).containsExactly("1,x");
    assertThat(new LocalRows(node, RowFormat.BINARY).next()).isEqualTo(Rows.binary(PAIR, "1", "x"));
  }

  @Test
  void concatenatesInOrder() {
    var first = source(PAIR, text("1", "a"));
    var second = source(PAIR, text("2", "b"));
    var concat = new Concat(List.of(first, second));

    assertThat(all(concat)).containsExactly("1,a", "2,b");
    concat.close();
    assertThat(first.isClosed && second.isClosed).isTrue();
  }
}
