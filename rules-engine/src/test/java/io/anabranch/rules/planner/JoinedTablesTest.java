package io.anabranch.rules.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Definitions that bring the rows of another table along. */
class JoinedTablesTest {

  private final PlannerFixture fixture = new PlannerFixture();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE t_conf EXCHANGE PARTITION p WITH TABLE t_order",
        "ALTER TABLE t_conf EXCHANGE PARTITION p WITH TABLE shop.t_dict WITHOUT VALIDATION",
        "ALTER TABLE t_order EXCHANGE PARTITION p WITH TABLE t_conf",
        "ALTER TABLE t_dict EXCHANGE PARTITION p WITH TABLE t_conf",
        "ALTER TABLE t_conf CONVERT TABLE t_order TO PARTITION p VALUES LESS THAN (3)",
        "ALTER TABLE t_conf CONVERT PARTITION p TO TABLE t_order",
        "ALTER TABLE t_conf CONVERT PARTITION p TO TABLE t_dict",
        "ALTER TABLE t_order CONVERT PARTITION p TO TABLE t_new",
        "CREATE TABLE t_all (k INT) ENGINE=MERGE UNION=(t_order, t_log)",
        "CREATE TABLE t_all (k INT) ENGINE=MERGE UNION (t_dict)",
        "CREATE TEMPORARY TABLE t_all (k INT) ENGINE=MERGE UNION=(t_dict)",
        "ALTER TABLE t_conf UNION = (t_conf, shop.t_order)",
        "CREATE TABLE t_all (k INT) ENGINE=MERGE UNION=(t_conf)",
        "ALTER TABLE t_conf RENAME TO t_other, EXCHANGE PARTITION p WITH TABLE t_conf",
      })
  void areOfOneDataSourceAlone(String sql) {
    assertThatThrownBy(() -> fixture.plan(sql))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB2002");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE t_conf EXCHANGE PARTITION p WITH TABLE t_order_0",
        "ALTER TABLE t_conf CONVERT TABLE t_log_1 TO PARTITION p VALUES LESS THAN (3)",
        "ALTER TABLE t_conf CONVERT PARTITION p TO TABLE t_order_1",
        "CREATE TABLE t_all (k INT) ENGINE=MERGE UNION=(t_order_0)",
        "ALTER TABLE t_conf EXCHANGE PARTITION p WITH TABLE t_nowhere",
      })
  void partsAreUnknown(String sql) {
    assertThatThrownBy(() -> fixture.plan(sql))
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.errno()).isEqualTo(1146));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE t_conf EXCHANGE PARTITION p WITH TABLE shop.t_conf",
        "ALTER TABLE t_conf CONVERT TABLE t_conf TO PARTITION p VALUES LESS THAN (3)",
        "ALTER TABLE t_conf CONVERT PARTITION p TO TABLE shop.t_new",
        "ALTER TABLE t_conf UNION=(shop.t_conf)",
      })
  void goThereUnderTheNamesThatClientsKnow(String sql) {
    String printed = fixture.printed(sql).replace("`", "");
    assertThat(printed).contains("ds_1: " + sql.replace("shop.", ""));
  }
}
