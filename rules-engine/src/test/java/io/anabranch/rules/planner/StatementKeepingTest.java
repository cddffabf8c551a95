package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.model.protection.Protection;
import io.anabranch.rules.plan.PlanRules.Keeping;
import io.anabranch.rules.task.PlanScope;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose answers may be others', and which tables statements change, as their plans tell. */
class StatementKeepingTest {

  private final PlannerFixture fixture = new PlannerFixture();
  private final StatementPlanner planner =
      fixture.under(new Protection(List.of(), List.of(), true));

  private Keeping sharded(String sql) {
    return planner.plan(fixture.scan(sql), fixture.scope()).rules().keeping();
  }

  private Keeping plain(String sql) {
    var scope = new PlanScope(fixture.plain, UTF_8, false, false);
    return planner.plan(fixture.scan(sql), scope).rules().keeping();
  }

  private static Set<String> names(String list) {
    return Arrays.stream(list.split(" ")).collect(Collectors.toSet());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM T_Order WHERE order_id = 1 | t_order",
        "SELECT name FROM t_order WHERE order_id = 1 AND user_id = 2 | t_order",
        "SELECT o.name FROM t_order o JOIN shop.t_order_item i USING (order_id, user_id) | t_order t_order_item",
        "SELECT COUNT(*), MAX(amount) FROM t_order GROUP BY kind | t_order",
        "SELECT code FROM t_dict WHERE code IN (SELECT k FROM t_conf) | t_dict t_conf"
      })
  void readsOfTables(String sql, String tables) {
    assertThat(sharded(sql)).isEqualTo(new Keeping.Answer(names(tables)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1",
        "SELECT NOW(), name FROM t_order",
        "SELECT SYSDATE(), name FROM t_order",
        "SELECT RAND(), name FROM t_order WHERE order_id = 1 AND user_id = 1",
        "SELECT @a, name FROM t_order WHERE order_id = 1 AND user_id = 1",
        "SELECT name FROM t_order WHERE order_id = 1 AND user_id = 1 FOR UPDATE",
        "SELECT name FROM v_keys",
        "SHOW TABLES",
        "SET @a = UPPER('x')"
      })
  void othersAreTheirOwn(String sql) {
    assertThat(sharded(sql)).isEqualTo(new Keeping.Nothing());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INSERT INTO t_dict VALUES (1, 'a') | t_dict",
        "REPLACE INTO T_DICT VALUES (1, 'a') | t_dict",
        "UPDATE t_order SET name = 'a' WHERE order_id = 1 AND user_id = 1 | t_order",
        "DELETE FROM shop.t_order WHERE order_id = 1 AND user_id = 1 | t_order"
      })
  void changesOfTables(String sql, String tables) {
    assertThat(sharded(sql)).isEqualTo(new Keeping.Change(names(tables)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TRUNCATE TABLE t_dict",
        "ALTER TABLE t_dict ADD COLUMN c INT",
        "CALL p()",
        "DO f()",
        "SET @a = f()",
        "SELECT f(1) FROM t_dict",
        "INSERT INTO t_dict VALUES (f(), 'a')",
        "INSERT INTO v_dict VALUES ('a', 1)",
        "SET STATEMENT max_statement_time = 9 FOR DELETE FROM t_dict",
        "ANALYZE DELETE FROM t_dict",
        "EXPLAIN ANALYZE UPDATE t_dict SET code = 1",
        "UPDATE other.t_dict SET code = 1"
      })
  void othersMayChangeAny(String sql) {
    assertThat(plain(sql)).isEqualTo(new Keeping.ChangeOfAny());
  }

  @Test
  void triggersAndReferencesWriteElsewhere() {
    fixture.catalog.writing.add("t_order_1");
    assertThat(sharded("DELETE FROM t_order WHERE order_id = 1 AND user_id = 1"))
        .isEqualTo(new Keeping.ChangeOfAny());
    assertThat(sharded("DELETE FROM t_dict WHERE code = 1"))
        .isEqualTo(new Keeping.Change(Set.of("t_dict")));
  }

  @Test
  void namesOfPartsAreAlsoOthers() {
    assertThat(plain("SELECT name FROM t_dict WHERE code = 1"))
        .isEqualTo(new Keeping.Answer(Set.of("t_dict")));
    assertThat(plain("SELECT name FROM t_order_0")).isEqualTo(new Keeping.Nothing());
    assertThat(plain("DELETE FROM t_order_0")).isEqualTo(new Keeping.ChangeOfAny());
  }

  @Test
  void someEnginesShowTheRowsOfOthers() {
    fixture.catalog.engines.put("t_dict", "Aria");
    fixture.catalog.engines.put("t_order_1", "MRG_MYISAM");
    assertThat(sharded("SELECT name FROM t_dict WHERE code = 1"))
        .isEqualTo(new Keeping.Answer(Set.of("t_dict")));
    assertThat(sharded("SELECT name FROM t_order WHERE order_id = 1 AND user_id = 1"))
        .isEqualTo(new Keeping.Nothing());
    assertThat(sharded("DELETE FROM t_order WHERE order_id = 1 AND user_id = 1"))
        .isEqualTo(new Keeping.ChangeOfAny());
  }

  @Test
  void whatCannotBeAskedMayBeAnything() {
    fixture.catalog.noticed.add("ds_1");
    assertThat(sharded("SELECT name FROM t_dict WHERE code = 1")).isEqualTo(new Keeping.Nothing());
    assertThat(sharded("DELETE FROM t_dict WHERE code = 1")).isEqualTo(new Keeping.ChangeOfAny());
  }

  @Test
  void nobodyIsAskedWhereNoRuleKeepsAnswers() {
    Keeping keeping = fixture.plan("DELETE FROM t_dict WHERE code = 1").rules().keeping();
    assertThat(keeping).isEqualTo(new Keeping.Nothing());
  }
}
