package io.anabranch.rules.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that differ from those of the configuration in case alone. */
class TablesByCaseTest {

  private final PlannerFixture fixture = new PlannerFixture();

  @Test
  void aNameInAnyCaseIsTheTableWhereServersDoNotTellThem() {
    assertThat(fixture.printed("SELECT * FROM T_ORDER WHERE order_id = 1 AND user_id = 1"))
        .contains("t_order_1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM T_ORDER",
        "SELECT * FROM t_log WHERE id IN (SELECT order_id FROM T_Order)",
        "INSERT INTO T_ORDER (order_id, user_id) VALUES (1, 1)",
        "UPDATE T_ORDER SET name = 'x' WHERE order_id = 1 AND user_id = 1",
        "DELETE FROM T_ORDER",
        "LOCK TABLES T_DICT READ",
        "SHOW CREATE TABLE T_ORDER"
      })
  void itIsNoneWhereTheyDo(String sql) {
    fixture.catalog.telling.addAll(Set.of("ds_0", "ds_1"));
    assertThatThrownBy(() -> fixture.plan(sql))
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.errno()).isEqualTo(1146))
        .hasMessageMatching(".*'shop\\.T_(?i:order|dict)' doesn't exist; AB1160: .* is 't_.*'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM T_ORDER_0",
        "SELECT * FROM T_ORDER, t_order_0",
        "DROP TABLE T_ORDER, t_order_0"
      })
  void partsStayOutOfReach(String sql) {
    fixture.catalog.telling.addAll(Set.of("ds_0", "ds_1"));
    assertThatThrownBy(() -> fixture.plan(sql)).isInstanceOf(RefusedException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO T_LOG SELECT * FROM t_log",
        "SELECT o.name FROM t_order o JOIN t_log O ON o.order_id = O.id",
        "CREATE TABLE T_ORDER (order_id INT)",
        "RENAME TABLE t_conf TO T_ORDER",
        "CREATE VIEW T_ORDER AS SELECT 1"
      })
  void bothInOneStatementAreRefused(String sql) {
    fixture.catalog.telling.addAll(Set.of("ds_0", "ds_1"));
    assertThatThrownBy(() -> fixture.plan(sql))
        .hasMessageContaining("AB2002")
        .hasMessageContaining("differ in case alone");
  }

  @Test
  void aliasesAndColumnsMayBeCalledSo() {
    fixture.catalog.telling.addAll(Set.of("ds_0", "ds_1"));
    assertThat(fixture.printed("SELECT T_ORDER.k FROM t_conf T_ORDER")).contains("t_conf");
    assertThat(fixture.printed("SELECT id AS T_ORDER FROM t_log WHERE id = 1")).contains("t_log_1");
  }

  @Test
  void dataSourcesThatDifferAreNotTakenForAlike() {
    fixture.catalog.telling.add("ds_1");
    assertThatThrownBy(() -> fixture.plan("SELECT * FROM T_ORDER"))
        .hasMessageContaining("only some data sources");
    assertThat(fixture.printed("SELECT * FROM t_order WHERE order_id = 1 AND user_id = 1"))
        .contains("t_order_1");
  }
}
