package io.anabranch.rules.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.routing.key.BlockColumns;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.sql.MarkedText;
import io.anabranch.rules.sql.QueryBlock;
import io.anabranch.rules.sql.SqlParser;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteCompilerTest {

  private static final Map<String, KeyType> ORDER =
      Map.of(
          "user_id", KeyType.INTEGER,
          "order_id", KeyType.INTEGER,
          "status", KeyType.INTEGER,
          "name", KeyType.OTHER);

  private static final Map<String, KeyType> ITEM =
      Map.of(
          "user_id", KeyType.INTEGER,
          "order_id", KeyType.INTEGER,
          "item_id", KeyType.INTEGER);

  /** t_order: 2 data sources × 4 tables; nodes are numbered 0…3 in ds_0, 4…7 in ds_1. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user_id = 3 and order_id = 6          | 6",
        "order_id = 6 and user_id = 3          | 6",
        "user_id = 3                           | 4,5,6,7",
        "order_id = 6                          | 2,6",
        "3 = user_id and 6 = order_id          | 6",
        "status = 1                            | 0,1,2,3,4,5,6,7",
        "status = 1 and order_id = 6           | 2,6",
        "user_id = -1 and order_id = -1        | 7",
        "user_id in (1, 3) and order_id = 1    | 5",
        "user_id in (1, 2) and order_id = 1    | 1,5",
        "order_id in (1, 5, 9)                 | 1,5",
        "user_id = 1 and order_id in (1, 2)    | 5,6",
        "user_id = 1 and user_id = 2           | ''",
        "user_id = 1 and user_id = 3           | 4,5,6,7",
        "user_id = null                        | ''",
        "user_id in (1, null)                  | 4,5,6,7",
        "user_id <=> 1                         | 4,5,6,7",
        "user_id <=> null                      | 0,1,2,3,4,5,6,7",
        "user_id is null                       | 0,1,2,3,4,5,6,7",
        "user_id <> 1                          | 0,1,2,3,4,5,6,7",
        "not user_id = 1                       | 0,1,2,3,4,5,6,7",
        "not (user_id = 1)                     | 0,1,2,3,4,5,6,7",
        "user_id not in (1)                    | 0,1,2,3,4,5,6,7",
        "user_id not between 1 and 1           | 0,1,2,3,4,5,6,7",
        "user_id = 1 or order_id = 1           | 1,4,5,6,7",
        "user_id = 1 or status = 1             | 0,1,2,3,4,5,6,7",
        "user_id = 1 or user_id = 3            | 4,5,6,7",
        "user_id = 1 or user_id = 2            | 0,1,2,3,4,5,6,7",
        "(user_id = 1 and order_id = 1) or (user_id = 2 and order_id = 2) | 2,5",
        "user_id = 1 and (order_id = 1 or order_id = 2)                   | 5,6",
        "user_id = 1 xor order_id = 1          | 0,1,2,3,4,5,6,7",
        "user_id = 1 and order_id + 1 = 2      | 4,5,6,7",
        "user_id = 1 + 1                       | 0,1,2,3,4,5,6,7",
        "abs(user_id) = 1                      | 0,1,2,3,4,5,6,7",
        "user_id = order_id                    | 0,1,2,3,4,5,6,7",
        "user_id = (select 1)                  | 0,1,2,3,4,5,6,7",
        "user_id in (select 1)                 | 0,1,2,3,4,5,6,7",
        "user_id in (1, status)                | 0,1,2,3,4,5,6,7",
        "user_id = '1'                         | 4,5,6,7",
        "user_id = ' 1'                        | 4,5,6,7",
        "user_id = '1abc'                      | 4,5,6,7",
        "user_id = '007'                       | 4,5,6,7",
        "user_id = '7.0'                       | 4,5,6,7",
        "user_id = '7.5'                       | 0,1,2,3,4,5,6,7",
        "user_id = '.7e1'                      | 4,5,6,7",
        "user_id = 'abc'                       | 0,1,2,3",
        "user_id = '-1'                        | 4,5,6,7",
        "user_id = '9007199254740993'          | 0,1,2,3,4,5,6,7",
        "user_id in ('7.0', 8)                 | 0,1,2,3,4,5,6,7",
        "not (user_id <> 1)                    | 4,5,6,7",
        "! (user_id != 1)                      | 4,5,6,7",
        "not (user_id <> 1 or order_id <> 2)   | 6",
        "not (user_id <> 1 and user_id <> 2)   | 0,1,2,3,4,5,6,7",
        "not (not (user_id = 1))               | 0,1,2,3,4,5,6,7",
        "not (order_id < 1 or order_id > 2)    | 1,2,5,6",
        "not (user_id) <> 1                    | 0,1,2,3,4,5,6,7",
        "not (user_id <> 1) = 0                | 0,1,2,3,4,5,6,7",
        "not user_id <> 1                      | 0,1,2,3,4,5,6,7",
        "user_id = 1 or 1 = 0                  | 4,5,6,7",
        "user_id = 1 or 1 = 1                  | 0,1,2,3,4,5,6,7",
        "user_id = 1 or 0                      | 4,5,6,7",
        "user_id = 1 or null                   | 4,5,6,7",
        "user_id = 1 or false                  | 4,5,6,7",
        "user_id = 1 or 'x' = 'X'              | 0,1,2,3,4,5,6,7",
        "1 > 2                                 | ''",
        "0                                     | ''",
        "5                                     | 0,1,2,3,4,5,6,7",
        "null <=> null                         | 0,1,2,3,4,5,6,7",
        "order_id > '1' and order_id < '3x'    | 1,2,3,5,6,7",
        "order_id in (1, 2) and order_id > 1   | 1,2,5,6",
        "user_id = true                        | 4,5,6,7",
        "user_id = 'x' is not true             | 0,1,2,3,4,5,6,7",
        "user_id = 1 is true                   | 0,1,2,3,4,5,6,7",
        "user_id = 1 = 1                       | 0,1,2,3,4,5,6,7",
        "order_id between 1 and 2              | 1,2,5,6",
        "order_id between 1 and 100            | 0,1,2,3,4,5,6,7",
        "order_id between null and 2           | ''",
        "order_id >= 1 and order_id <= 2       | 1,2,5,6",
        "order_id <= 2 and order_id >= 1       | 1,2,5,6",
        "2 >= order_id and 1 <= order_id       | 1,2,5,6",
        "order_id > 1                          | 0,1,2,3,4,5,6,7",
        "order_id > 1 and order_id = 2         | 2,6",
        "order_id < null                       | ''",
        "order_id between 1 and 2 = 3          | 0,1,2,3,4,5,6,7",
        "order_id between 1 and status         | 0,1,2,3,4,5,6,7",
        "(user_id, order_id) = (1, 2)          | 6",
        "(user_id, order_id) in ((1, 2), (2, 3)) | 3,6",
        "row(user_id, order_id) = row(1, 2)    | 6",
        "(user_id, status) in ((1, 2), (3, 3)) | 4,5,6,7",
        "user_id = 1 and rand() < 2            | 4,5,6,7",
        "exists (select 1) and user_id = 1     | 4,5,6,7",
        "case when user_id = 1 then 1 end      | 0,1,2,3,4,5,6,7",
        "if(user_id = 1, 1, 0)                 | 0,1,2,3,4,5,6,7",
        "user_id like '1'                      | 0,1,2,3,4,5,6,7",
        "user_id = cast('1' as signed)         | 0,1,2,3,4,5,6,7",
        "user_id = @x                          | 0,1,2,3,4,5,6,7",
        "t_order.user_id = 1 and T_ORDER.ORDER_ID = 1 | 5",
        "shop.t_order.user_id = 1              | 4,5,6,7",
        "other.user_id = 1                     | 0,1,2,3,4,5,6,7",
        "user_id in (1) = 0                    | 0,1,2,3,4,5,6,7",
        "user_id in (1) is false               | 0,1,2,3,4,5,6,7",
        "user_id = 1 in (0)                    | 0,1,2,3,4,5,6,7",
        "user_id = 1 between 0 and 1           | 0,1,2,3,4,5,6,7",
        "user_id between 1 and 1 is false      | 0,1,2,3,4,5,6,7",
        "user_id = 1 is null                   | 0,1,2,3,4,5,6,7",
        "user_id = 1 is not null               | 0,1,2,3,4,5,6,7",
        "user_id = 1 like 0                    | 0,1,2,3,4,5,6,7",
        "user_id = 1 <=> 0                     | 0,1,2,3,4,5,6,7",
        "user_id = 1 <> 1                      | 0,1,2,3,4,5,6,7",
        "user_id = 1 > 0                       | 0,1,2,3,4,5,6,7",
        "user_id > 1 = 0                       | 0,1,2,3,4,5,6,7",
        "- user_id = 1                         | 0,1,2,3,4,5,6,7",
        "user_id = ! 1                         | 0,1,2,3,4,5,6,7",
        "user_id = ~ 1                         | 0,1,2,3,4,5,6,7",
        "user_id = - - 1                       | 0,1,2,3,4,5,6,7",
        "user_id = 1 & 2                       | 0,1,2,3,4,5,6,7",
        "user_id = 1 div 2                     | 0,1,2,3,4,5,6,7",
        "user_id = 1 collate utf8mb4_bin       | 0,1,2,3,4,5,6,7",
        "user_id = binary 1                    | 0,1,2,3,4,5,6,7",
        "user_id = all (select 1)              | 0,1,2,3,4,5,6,7",
        "user_id = any (select 1)              | 0,1,2,3,4,5,6,7",
        "user_id = interval 1 day + order_id   | 0,1,2,3,4,5,6,7",
        "(user_id = 1) = 0                     | 0,1,2,3,4,5,6,7",
        "(user_id = 1) is false                | 0,1,2,3,4,5,6,7",
        "(user_id) in (1)                      | 4,5,6,7",
        "(user_id, order_id) not in ((1, 2))   | 0,1,2,3,4,5,6,7",
        "(user_id, order_id) <> (1, 2)         | 0,1,2,3,4,5,6,7",
        "(user_id, order_id) < (1, 2)          | 0,1,2,3,4,5,6,7",
        "user_id = 1 or not order_id = 1 and user_id = 1 | 4,5,6,7",
        "user_id = 1 and not (order_id = 1)    | 4,5,6,7",
        "not user_id = 1 and order_id = 1      | 1,5",
        "not (user_id = 1 and order_id = 1)    | 0,1,2,3,4,5,6,7",
        "! (user_id = 1)                       | 0,1,2,3,4,5,6,7",
        "user_id = 1 xor user_id = 1           | 0,1,2,3,4,5,6,7",
        "user_id = 1 and 1 or 1                | 0,1,2,3,4,5,6,7",
        "user_id && 1                          | 0,1,2,3,4,5,6,7",
      })
  void routesConditions(String where, String expected) {
    assertThat(route("select * from t_order where " + where)).isEqualTo(expected);
  }

  @Test
  void routesEverywhereWithoutConditions() {
    assertThat(route("select * from t_order")).isEqualTo("0,1,2,3,4,5,6,7");
  }

  @Test
  void believesNoOrWhereTheModeMayReadItOtherwise() {
    var facts =
        new SqlParser()
            .parse(
                new MarkedText(
                    "select * from t_order where user_id = :s0 || user_id = :s1",
                    List.of(),
                    token -> MarkedText.NO_TOKEN),
                true)
            .orElseThrow();
    assertThat(nodes(facts.blocks().getFirst(), 0, order(), TestValues.of(1, 3)))
        .isEqualTo("0,1,2,3,4,5,6,7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5.0  | 1",
        "5.5  | 0,1,2,3",
        "1e0  | 1",
        "1.5e0  | 0,1,2,3",
        "1e30 | 0,1,2,3",
      })
  void takesWholeNumbersOnly(String number, String expected) {
    SqlValue value =
        number.contains("e")
            ? new SqlValue.Floating(Double.parseDouble(number))
            : new SqlValue.Decimal(new BigDecimal(number));
    var table = TestTables.oneLevel("t", 2, 4);
    var block = block("select * from t where id = 1");
    var route =
        new RouteCompiler(block, new BlockColumns(block, List.of(Map.of("id", KeyType.INTEGER))))
            .compile(table, 0);
    assertThat(text(route, TestValues.of(value))).isEqualTo(expected);
  }

  @Test
  void routesParametersWhoseValueIsUnknownEverywhere() {
    var block = block("select * from t where id = 1");
    var route =
        new RouteCompiler(block, new BlockColumns(block, List.of(Map.of("id", KeyType.INTEGER))))
            .compile(TestTables.oneLevel("t", 2, 4), 0);
    assertThat(text(route, TestValues.of(SqlValue.Unknown.UNKNOWN))).isEqualTo("0,1,2,3");
    assertThat(route.only(TestValues.of(6))).isEqualTo(2);
  }

  @Test
  void routesStringsOnlyWhereEqualMeansIdentical() {
    var block = block("select * from t where id = 1");
    var table = TestTables.oneLevel("t", 2, 4);
    var ignoringCase =
        new RouteCompiler(
                block,
                new BlockColumns(
                    block, List.of(Map.of("id", KeyType.of("varchar(9)", "utf8mb4_general_ci")))))
            .compile(table, 0);
    var exact =
        new RouteCompiler(
                block,
                new BlockColumns(
                    block, List.of(Map.of("id", KeyType.of("varchar(9)", "utf8mb4_bin")))))
            .compile(table, 0);
    assertThat(text(ignoringCase, TestValues.of("a"))).isEqualTo("0,1,2,3");
    assertThat(text(exact, TestValues.of("a"))).isEqualTo("1");
    assertThat(text(exact, TestValues.of("a  "))).isEqualTo("1");
    assertThat(text(exact, TestValues.of(1))).isEqualTo("0,1,2,3");
  }

  /** First the nodes of t_order, then those of t_order_item. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t_order o join t_order_item i on o.user_id = i.user_id and o.order_id = i.order_id where"
            + " o.user_id = 1 and o.order_id = 2 | 6 | 6",
        "t_order o join t_order_item i on o.user_id = i.user_id and o.order_id = i.order_id where"
            + " i.user_id = 1 and i.order_id = 2 | 6 | 6",
        "t_order o, t_order_item i where o.user_id = i.user_id and o.user_id = 1 | 4,5,6,7 |"
            + " 4,5,6,7",
        "t_order o join t_order_item i using (user_id, order_id) where o.user_id = 1 | 4,5,6,7 |"
            + " 4,5,6,7",
        "t_order o left join t_order_item i on o.user_id = i.user_id and i.user_id = 1 |"
            + " 0,1,2,3,4,5,6,7 | 4,5,6,7",
        "t_order o left join t_order_item i on o.user_id = i.user_id where o.user_id = 1 |"
            + " 4,5,6,7 | 4,5,6,7",
        "t_order o left join t_order_item i on o.user_id = i.user_id and o.user_id = 1 |"
            + " 0,1,2,3,4,5,6,7 | 4,5,6,7",
        "t_order o right join t_order_item i on o.user_id = i.user_id and i.user_id = 1 |"
            + " 4,5,6,7 | 0,1,2,3,4,5,6,7",
        "t_order o join t_order_item i on o.user_id <> i.user_id where o.user_id = 1 | 4,5,6,7 |"
            + " 0,1,2,3,4,5,6,7",
        "t_order o join t_order_item i on o.user_id = i.user_id where (o.user_id = 1 or i.user_id ="
            + " 3) | 4,5,6,7 | 4,5,6,7",
        "t_order o join t_order_item i on o.user_id = i.user_id where user_id = 1 |"
            + " 0,1,2,3,4,5,6,7 | 0,1,2,3,4,5,6,7",
        "t_order o join t_order_item i on o.status = i.item_id where item_id = 4 and i.order_id = 1"
            + " | 0,1,2,3,4,5,6,7 | 1,5",
      })
  void carriesConditionsOverJoins(String from, String orders, String items) {
    var block = block("select * from " + from);
    var values = values("select * from " + from);
    assertThat(nodes(block, 0, order(), values)).isEqualTo(orders);
    assertThat(nodes(block, 1, TestTables.twoLevels("t_order_item", 2, 4), values))
        .isEqualTo(items);
  }

  @Test
  void passesOnWhatTheAlgorithmRefuses() {
    var block = block("select * from t where id = 1");
    var route =
        new RouteCompiler(block, new BlockColumns(block, List.of(Map.of("id", KeyType.DATE))))
            .compile(TestTables.oneLevel("t", 2, 4), 0);
    var values = TestValues.of("2026-01-01");
    assertThatThrownBy(() -> route.nodes(values)).isInstanceOf(RefusedException.class);
  }

  private static ShardedTable order() {
    return TestTables.twoLevels("t_order", 2, 4);
  }

  private static String route(String sql) {
    return nodes(block(sql), 0, order(), values(sql));
  }

  private static String nodes(
      QueryBlock block, int position, ShardedTable table, TestValues values) {
    var types = new HashMap<String, Map<String, KeyType>>();
    types.put("t_order", ORDER);
    types.put("t_order_item", ITEM);
    var columns =
        new BlockColumns(block, block.tables().stream().map(ref -> types.get(ref.name())).toList());
    var route = new RouteCompiler(block, columns).compile(table, position);
    int only = route.only(values);
    String nodes = text(route, values);
    if (only != TableRoute.UNSURE) {
      assertThat(nodes).isEqualTo(only == TableRoute.NOWHERE ? "" : Integer.toString(only));
    }
    return nodes;
  }

  private static String text(TableRoute route, TestValues values) {
    return String.join(",", route.nodes(values).stream().mapToObj(Integer::toString).toList());
  }

  /** The literals of the test's SQL become slots, as the lexer makes them. */
  private static QueryBlock block(String sql) {
    var slots = new AtomicInteger();
    String text =
        LITERAL
            .matcher(sql)
            .replaceAll(ignored -> " " + MarkedText.SLOT + slots.getAndIncrement() + " ");
    return new SqlParser()
        .parse(new MarkedText(text, List.of(), token -> MarkedText.NO_TOKEN), false)
        .orElseThrow()
        .blocks()
        .getFirst();
  }

  private static final java.util.regex.Pattern LITERAL =
      java.util.regex.Pattern.compile("'[^']*'|\\b\\d+\\b");

  private static TestValues values(String sql) {
    var values = new java.util.ArrayList<Object>();
    var matcher = LITERAL.matcher(sql);
    while (matcher.find()) {
      String literal = matcher.group();
      values.add(
          literal.startsWith("'")
              ? literal.substring(1, literal.length() - 1)
              : Integer.valueOf(literal));
    }
    return TestValues.of(values.toArray());
  }
}
