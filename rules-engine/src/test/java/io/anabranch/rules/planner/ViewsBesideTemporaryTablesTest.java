package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.task.PlanScope;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No view sees a temporary table: servers look its tables up among those that last. */
class ViewsBesideTemporaryTablesTest {

  private final PlannerFixture fixture = new PlannerFixture();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t_order   | SELECT * FROM v_few",
        "T_Order   | SELECT * FROM v_few",
        "t_order   | SELECT who FROM v_few WHERE order_id = 1 AND who = 1",
        "t_order_0 | SELECT * FROM v_few",
        "T_ORDER_1 | SELECT * FROM v_few",
        "t_order   | SELECT COUNT(*) FROM t_log l JOIN v_few v ON v.order_id = l.id",
        "t_order   | SELECT * FROM v_sums",
        "T_ORDER   | SELECT SUM(n) FROM v_sums",
        "t_key     | SELECT * FROM v_keys",
        "v_few     | SELECT * FROM v_over",
        "V_FEW     | SELECT * FROM v_over",
        "t_order   | SELECT * FROM v_over",
        "T_DICT    | UPDATE v_dict SET word = 'x' WHERE code = 1",
        "t_dict    | DELETE FROM v_dict WHERE code = 1",
        "t_order   | UPDATE v_checked SET name = 'x' WHERE order_id = 1 AND user_id = 1",
        "t_Order   | INSERT INTO v_few (order_id, who, kind) VALUES (1, 1, 'a')",
        "t_order   | INSERT INTO t_log (id, name) SELECT order_id, 'x' FROM v_few",
        "t_order   | EXPLAIN SELECT * FROM v_sums",
      })
  void isRefusedInTheTextOfAView(String temporary, String sql) {
    plan(sql, "other");
    assertThatThrownBy(() -> plan(sql, temporary))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("beside a temporary table '")
        .hasMessageContaining("drop the temporary table");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "T_order | SELECT * FROM v_few",
        "T_ORDER | SELECT * FROM v_sums",
        "V_FEW   | SELECT * FROM v_over",
        "T_DICT  | UPDATE v_dict SET word = 'x' WHERE code = 1",
      })
  void isAnotherTableWhereServersTellCase(String temporary, String sql) {
    StatementPlan usual = plan(sql, "other");
    fixture.catalog.telling.addAll(Set.of("ds_0", "ds_1"));
    assertThat(plan(sql, temporary).getClass()).isEqualTo(usual.getClass());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t_order | SELECT * FROM v_few",
        "v_few   | SELECT * FROM v_over",
      })
  void isRefusedThereToo(String temporary, String sql) {
    fixture.catalog.telling.addAll(Set.of("ds_0", "ds_1"));
    assertThatThrownBy(() -> plan(sql, temporary)).hasMessageContaining("beside a temporary table");
  }

  @Test
  void namesOfTheStatementAreThoseOfTheSession() {
    assertThat(endpoint("SELECT * FROM v_few", "v_few")).isEqualTo("ds_1");
    assertThat(endpoint("SELECT a FROM T_Order", "t_order")).isEqualTo("ds_1");
  }

  @Test
  void aDataSourceReadsItsOwnViewItself() {
    assertThat(endpoint("SELECT * FROM v_dict", "t_dict")).isEqualTo("ds_0");
  }

  private String endpoint(String sql, String temporary) {
    var values = new TextSlotValues().over(fixture.scan(sql), UTF_8, LexerMode.DEFAULT);
    return switch (plan(sql, temporary).bind(values)) {
      case BoundPlan.AsIs(String endpoint) -> endpoint;
      case BoundPlan.Single single -> single.query().dataSource();
      case BoundPlan.Merged merged -> merged.toString();
    };
  }

  private StatementPlan plan(String sql, String temporary) {
    var schema = new TableSchema(temporary, List.of(new Column("a", "int(11)", null, true, false)));
    var own = TemporaryTables.NONE.with(temporary, new TemporaryTables.Table("ds_1", schema));
    PlanScope scope = new PlanScope(fixture.shop, UTF_8, false, false).having(own);
    return fixture.planner.plan(fixture.scan(sql), scope);
  }
}
