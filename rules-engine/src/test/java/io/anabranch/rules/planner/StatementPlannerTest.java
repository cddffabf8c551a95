package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.plan.slot.PreparedSlotValues;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.task.PlanScope;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatementPlannerTest {

  private final PlannerFixture fixture = new PlannerFixture();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select * from t                          | READ",
        "select 'last_insert_id()'                | READ",
        "select last_insert_id()                  | WRITE",
        "select GET_LOCK('x', 1)                  | WRITE",
        "select found_rows()                      | WRITE",
        "select @x := 1                           | WRITE",
        "select 1 into @x                         | WRITE",
        "select next value for s                  | WRITE",
        "select * from t for update               | WRITE",
        "select * from t lock in share mode       | WRITE",
        "insert into t values (1)                 | WRITE",
        "update t set a = 1                       | WRITE",
        "show tables                              | WRITE",
      })
  void sendsToReplicasOnlyWhatOnlyReads(String sql, Access access) {
    assertThat(passThrough(sql).access()).isEqualTo(access);
  }

  @Test
  void equalScopesAreOneInstance() {
    PlanScope first = fixture.planner.known(fixture.scope());
    assertThat(fixture.planner.known(fixture.scope())).isSameAs(first);
    assertThat(fixture.planner.known(new PlanScope(fixture.plain, UTF_8, true, false)))
        .isNotEqualTo(first);
  }

  @Test
  void leavesStatementsOfPassThroughDatabasesAlone() {
    assertThat(bind("selekt whatever from t.u.v")).isEqualTo(new BoundPlan.AsIs("ds_0"));
    assertThat(bind("select plain.id from t plain where plain.x = 1"))
        .isEqualTo(new BoundPlan.AsIs("ds_0"));
  }

  @Test
  void callsTheDatabaseByTheServersName() {
    assertThat(PlanPrinter.print(bind("select plain.t.id from `plain`.t where id = 'é'")))
        .isEqualTo("single\n  ds_0: select `backend`.t.id from `backend`.t where id = 'é'\n");
  }

  @Test
  void answersDatabaseCallsWithTheLogicalName() {
    assertThat(PlanPrinter.print(bind("select id, database( ), schema() = 'x' from t")))
        .isEqualTo(
            "single\n  ds_0: select id, IF(TRUE, 'plain', DATABASE()) AS `database( )`,"
                + " IF(TRUE, 'plain', DATABASE()) = 'x' AS `schema() = 'x'` from t\n");
    assertThat(PlanPrinter.print(bind("select database() as d, t.database from t")))
        .isEqualTo(
            "single\n  ds_0: select IF(TRUE, 'plain', DATABASE()) as d, t.database from t\n");
  }

  @Test
  void refusesTablesOfOtherLogicalDatabases() {
    assertThatThrownBy(() -> passThrough("select * from shop.t_order"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("USE");
  }

  /** Numbers of sessions are the proxy's: a database's connection of that number is another's. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "explain for connection 7",
        "DESC FOR CONNECTION 7",
        "describe format = json for connection 7",
        "EXPLAIN FORMAT=JSON INTO @plan FOR CONNECTION 7",
        "SHOW EXPLAIN FOR 7",
        "SHOW ANALYZE FORMAT=JSON FOR 7"
      })
  void asksNoDatabaseWhatASessionRuns(String sql) {
    assertThatThrownBy(() -> passThrough(sql))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB2002")
        .hasMessageContaining("another session");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "explain `for` connection",
        "EXPLAIN FORMAT=JSON SELECT 1 FOR UPDATE",
        "SHOW EXPLAIN"
      })
  void takesOtherWordsForNoSession(String sql) {
    assertThat(bind(sql)).isEqualTo(new BoundPlan.AsIs("ds_0"));
  }

  /** Many rows are put together where few are kept as one text: the same statement. */
  @ParameterizedTest
  @ValueSource(ints = {100, 101})
  void rowsOfOneNodeAreOneStatement(int rows) {
    String values = String.join(", ", Collections.nCopies(rows, "(1, 1, 'a')"));
    String insert = "INSERT INTO t_order (order_id, user_id, name) VALUES " + values;
    assertThat(PlanPrinter.print(fixture.bind(insert)))
        .isEqualTo(
            "single\n  ds_1: INSERT INTO t_order_1 (order_id, user_id, name) VALUES "
                + values
                + "\n");
  }

  @Test
  void followsHints() {
    String hint = "/* SHARDINGSPHERE_HINT: WRITE_ROUTE_ONLY=true */ ";
    assertThat(passThrough(hint + "select 1").access()).isEqualTo(Access.WRITE);
    assertThat(fixture.plan(hint + "select name from t_order").access()).isEqualTo(Access.WRITE);
    assertThat(fixture.plan("select name from t_order").access()).isEqualTo(Access.READ);
    assertThat(
            fixture.bind(
                "/* SHARDINGSPHERE_HINT: dataSourceName = ds_1 */ select * from t_order_0"))
        .isEqualTo(new BoundPlan.AsIs("ds_1"));
    assertThatThrownBy(() -> fixture.plan("/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=x */ select 1"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("ds_0, ds_1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select concat(a, now()), count(*), cast(b as decimal(10, 2)) from t where c in (1, 2)",
        "with x (a, b) as (select 1, 2) select * from x join (select 1) as y (c) on x.a = y.c",
        "select `a` from `t` where (`a` + 1) * (2) > 0 order by field(a, 3, 1)",
        "select rank() over (partition by a order by b) from t group by a having max(b) > 1",
        "values (1, 2), (3, 4)",
        "select sysdate(), previous value from t",
      })
  void replicasRunWhatSurelyChangesNothing(String sql) {
    assertThat(passThrough(sql).access()).isEqualTo(Access.READ);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select next_ticket(1)",
        "select `next_ticket`(1)",
        "select plain.next_ticket(1)",
        "select get_lock('a', 1)",
        "select @a := 1",
        "select a into @b from t",
        "select nextval(s)",
        "select next value for s",
        "select previous value for s",
        "select s.currval",
        "select a from t for update",
        "select a from t lock in share mode",
        "select /*!50100 1 */",
        "show tables",
        "describe t",
        "explain select 1"
      })
  void thePrimaryRunsWhatMayChangeSomethingAndWhatIsNoQuery(String sql) {
    assertThat(passThrough(sql).access()).isEqualTo(Access.WRITE);
  }

  @Test
  void keepsPlansUntilTheyAreInvalidated() {
    String sql = "select name from t_order where user_id = 1 and order_id = 1";
    Scan other = fixture.scan("select name from t_order where user_id = 2 and order_id = 5");
    StatementPlan plan = fixture.plan(sql);
    assertThat(fixture.planner.cached(other, fixture.scope())).isSameAs(plan);
    fixture.planner.invalidate();
    assertThat(fixture.planner.cached(other, fixture.scope())).isNull();
  }

  @Test
  void whatOnePlannerHearsOfDefinitionsCountsForThoseOfOtherConfigurations() {
    String sql = "select name from t_order where user_id = 1 and order_id = 1";
    StatementPlanner reloaded = fixture.over(fixture.shop);
    Scan scan = fixture.scan(sql);
    reloaded.plan(scan, fixture.scope());
    assertThat(reloaded.cached(scan, fixture.scope())).isNotNull();

    fixture.planner.invalidate();

    assertThat(reloaded.cached(scan, fixture.scope())).isNull();
    assertThat(reloaded.plans()).isEmpty();
    reloaded.plan(scan, fixture.scope());
    assertThat(reloaded.cached(scan, fixture.scope())).isNotNull();
  }

  @Test
  void oneNodesStatementsDoNotNeedTheOtherDataSources() {
    fixture.catalog.down.add("ds_0");
    String one = "select amount from t_order where user_id = 1 and order_id = 5";
    assertThat(fixture.bind(one)).isInstanceOf(BoundPlan.Single.class);
    assertThat(fixture.planner.cached(fixture.scan(one), fixture.scope()))
        .as("planned again until all can be asked")
        .isNull();
    assertThatThrownBy(() -> fixture.bind("select amount from t_order where order_id < 9"))
        .hasMessageContaining("'ds_0' cannot be reached");
    fixture.catalog.down.clear();
    assertThat(fixture.bind("select amount from t_order where order_id < 9"))
        .isInstanceOf(BoundPlan.Merged.class);
    assertThat(fixture.plan(one)).isNotNull();
    assertThat(fixture.planner.cached(fixture.scan(one), fixture.scope())).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 1",
        "select now()",
        "select name from t_dict where code = 'at'",
        "desc t_order",
        "select count(*), max(amount) from t_order where user_id = 1",
        "select name, count(*) from t_order where user_id = 1 group by name order by 2"
      })
  void whatAnyDataSourceCouldAnswerGoesToOneThatAnswers(String sql) {
    fixture.catalog.down.add("ds_0");
    fixture.catalog.noticed.add("ds_0");
    assertThat(PlanPrinter.print(fixture.bind(sql))).contains("ds_1").doesNotContain("ds_0");
    fixture.catalog.down.clear();
    fixture.catalog.noticed.clear();
    fixture.planner.invalidate();
    assertThat(PlanPrinter.print(fixture.bind("select 1"))).contains("ds_0");
  }

  @Test
  void guardsPositionsThatDecideTheShape() {
    fixture.plan("select amount, user_id from t_order order by 1");
    assertThat(
            fixture.planner.cached(
                fixture.scan("select amount, user_id from t_order order by 1"), fixture.scope()))
        .isNotNull();
    assertThat(
            fixture.planner.cached(
                fixture.scan("select amount, user_id from t_order order by 2"), fixture.scope()))
        .isNull();
  }

  /** Servers skip the zeros; to the plan cache both are one statement. */
  @Test
  void positionsMayHaveZerosInFront() {
    String sql = "select amount, user_id from t_order order by ";
    String plain = PlanPrinter.print(fixture.bind(sql + "2"));
    fixture.planner.invalidate();
    assertThat(PlanPrinter.print(fixture.bind(sql + "00002"))).isEqualTo(plain);
    assertThat(fixture.planner.cached(fixture.scan(sql + "1"), fixture.scope())).isNull();
    assertThat(PlanPrinter.print(fixture.bind(sql + "00003"))).startsWith("stage");
  }

  /** A strategy that plans another statement and declines knows slots of that one only. */
  @Test
  void guardsSlotsOfTheStatementItself() {
    String sql =
        "select count(distinct user_id) + count(distinct amount), round(avg(amount*2*3)) from t_order";
    assertThat(IntStream.of(fixture.plan(sql).guardedSlots())).allMatch(slot -> slot < 2);
    fixture.bind(sql);
  }

  /** What servers tell of themselves is part of the plan of the query inside. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*) from information_schema.tables",
        "insert into t_log (id) select count(*) from information_schema.tables",
        "insert into t_conf select count(*), 'x' from information_schema.tables",
        "set @n = (select count(*) from information_schema.tables)"
      })
  void keepsNoPlanOfWhatServersTell(String sql) {
    assertThat(fixture.plan(sql).isLasting()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select amount from t_order",
        "select amount into @a from t_order",
        "select sql_calc_found_rows amount from t_order limit 1",
        "insert into t_conf select user_id, name from t_order",
        "set @a = (select max(amount) from t_order)",
        "do (select max(amount) from t_order)",
        "update t_order o join t_log l on l.id = o.amount set o.name = 'x'",
        "update t_order set user_id = 3 where amount = 1"
      })
  void keepsNoPlanOfSourcesThatAreAway(String sql) {
    fixture.catalog.down.addAll(Set.of("ds_0", "ds_1"));
    try {
      assertThat(fixture.plan(sql).isLasting()).isFalse();
    } catch (RefusedException refused) {
      assertThat(refused.isUnreachable()).isTrue();
    }
  }

  @Test
  void sharesQueriesOfPreparedStatementsByNode() {
    Scan scan = fixture.scan("select name from t_order where user_id = ? and order_id = ?");
    StatementPlan plan = fixture.planner.plan(scan, fixture.scope());
    var values = new PreparedSlotValues(scan, UTF_8, LexerMode.DEFAULT);
    values.bind(bytes(1, 3));
    BoundPlan first = plan.bind(values);
    values.bind(bytes(1, 5));
    assertThat(plan.bind(values)).isSameAs(first);
    assertThat(PlanPrinter.print(first))
        .isEqualTo(
            "single\n  ds_1: select name from t_order_1 AS t_order where user_id = ? and order_id ="
                + " ? [0, 1]\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from (table t_order) x",
        "select 1 from t_order where exists (table t_user)",
        "select order_id from t_order union all table t_order",
        "insert into t_order table t_user",
        "show tables where (select count(*) from t_order) = 4"
      })
  void refusesTablesThatItDoesNotSee(String sql) {
    assertThatThrownBy(() -> fixture.bind(sql))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("sharded database");
  }

  @Test
  void tellsTheFirstKeyThatItMade() {
    assertThat(fixture.bind("insert into t_key (name) values ('a')"))
        .isInstanceOfSatisfying(
            BoundPlan.Single.class, one -> assertThat(one.key().first()).isEqualTo(101));
    assertThat(fixture.bind("insert into t_key values (7, 'a'), (null, 'b'), (null, 'c')"))
        .isInstanceOfSatisfying(
            BoundPlan.Merged.class, many -> assertThat(many.key().first()).isEqualTo(102));
    assertThat(fixture.bind("insert into t_key values (7, 'a')"))
        .isInstanceOfSatisfying(
            BoundPlan.Single.class, one -> assertThat(one.key().first()).isZero());
  }

  @Test
  void repeatsParametersForEachLeg() {
    Scan scan = fixture.scan("select name from t_order where user_id = ? and amount = ? limit ?");
    StatementPlan plan = fixture.planner.plan(scan, fixture.scope());
    var values = new PreparedSlotValues(scan, UTF_8, LexerMode.DEFAULT);
    values.bind(bytes(1, 9, 7));
    assertThat(PlanPrinter.print(plan.bind(values))).endsWith("LIMIT 7) LIMIT 7 [0, 1, 0, 1]\n");
  }

  /** Parameters of type TINY. */
  private static PreparedSlotValues.Parameters bytes(int... values) {
    return new PreparedSlotValues.Parameters() {
      @Override
      public int type(int parameter) {
        return 1;
      }

      @Override
      public byte[] value(int parameter) {
        return new byte[] {(byte) values[parameter]};
      }
    };
  }

  private StatementPlan passThrough(String sql) {
    return fixture.planner.plan(
        fixture.scan(sql), new PlanScope(fixture.plain, UTF_8, false, false));
  }

  private BoundPlan bind(String sql) {
    return passThrough(sql)
        .bind(new TextSlotValues().over(fixture.scan(sql), UTF_8, LexerMode.DEFAULT));
  }

  private PlanNode.Move move(String sql) {
    var values = new TextSlotValues().over(fixture.scan(sql), UTF_8, LexerMode.DEFAULT);
    var bound = (BoundPlan.Merged) fixture.plan(sql).bind(values);
    return (PlanNode.Move) bound.root();
  }

  /** A row that moves is deleted where it was: what refers to it would be gone with it. */
  @Test
  void rowsThatKeysFollowDoNotMove() {
    String sql = "update t_order set user_id = 5 where order_id = 1";
    assertThatCode(move(sql)::requireLeaving).doesNotThrowAnyException();
    fixture.catalog.writing.add("T_order_1");
    assertThatThrownBy(move(sql)::requireLeaving)
        .hasMessageContaining("a foreign key refers")
        .hasMessageContaining("'t_order'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "analyze", "optimize", "repair", "checksum"})
  void maintenanceNamesATableOnce(String verb) {
    assertThatCode(() -> fixture.plan(verb + " table t_order, t_item")).doesNotThrowAnyException();
    assertThatThrownBy(() -> fixture.plan(verb + " table t_order, t_item, `T_ORDER`"))
        .hasMessageContaining("Not unique table/alias: 'T_ORDER'");
  }

  /** Each subquery gets a copy of the clause. */
  @Test
  void longCommonTablesAreCopiedNotTooOften() {
    String with =
        "with c as (select order_id from t_order where amount in (1" + ", 1".repeat(3000) + ")) ";
    String one = "order_id in (select order_id from c)";
    String delete = "delete from t_order where user_id = 1 or ";
    assertThatCode(() -> fixture.plan(with + delete + one)).doesNotThrowAnyException();
    assertThatThrownBy(() -> fixture.plan(with + delete + one + (" or " + one).repeat(20)))
        .hasMessageContaining("AB2002")
        .hasMessageContaining("WITH clause");
  }

  /** It comes to its new node like one that is new, which it is not. */
  @Test
  void rowsThatTriggersFillDoNotMove() {
    String sql = "update t_order set user_id = 5 where order_id = 1";
    fixture.catalog.filling.put(
        "t_order_1", "IF NEW.amount > 3 THEN SIGNAL SQLSTATE '45000'; END IF");
    assertThatCode(move(sql)::requireLeaving).doesNotThrowAnyException();
    for (String body :
        List.of(
            "SET NEW.amount = 3",
            "SET `New`.`amount` = 3",
            "SET \"NEW\".\"amount\" = 3",
            "CALL fill(NEW.amount)",
            "BEGIN SET @a = 1, new.`amount` := 3; END",
            "SELECT 1 INTO NEW.amount")) {
      fixture.catalog.filling.put("T_order_1", body);
      fixture.planner.invalidate();
      assertThatThrownBy(move(sql)::requireLeaving)
          .as(body)
          .hasMessageContaining("BEFORE INSERT trigger")
          .hasMessageContaining("'t_order'");
    }
  }
}
