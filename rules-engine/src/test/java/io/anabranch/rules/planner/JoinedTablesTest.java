package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.task.PlanScope;
import java.util.List;
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

  /** Of the encrypted tables t_conf and t_log, and of t_chosen, which is none. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE t_chosen EXCHANGE PARTITION p WITH TABLE {t}",
        "ALTER TABLE {t} EXCHANGE PARTITION p WITH TABLE t_chosen WITHOUT VALIDATION",
        "ALTER TABLE t_chosen CONVERT PARTITION p TO TABLE {t}",
        "ALTER TABLE {t} CONVERT PARTITION p TO TABLE t_new",
        "ALTER TABLE {t} ADD COLUMN x INT, CONVERT PARTITION p TO TABLE t_new",
        "ALTER TABLE t_chosen CONVERT TABLE {t} TO PARTITION p VALUES LESS THAN (3)",
        "ALTER TABLE {t} CONVERT TABLE t_chosen TO PARTITION p VALUES LESS THAN (3)",
        "ALTER TABLE t_chosen RENAME TO {t}, CONVERT PARTITION p TO TABLE t_new",
        "CREATE TABLE t_all (k INT) ENGINE=MERGE UNION=(t_chosen, {t})",
        "CREATE TABLE t_all (k INT) ENGINE=MERGE UNION ({t})",
        "CREATE TABLE {t} (k INT) ENGINE=MERGE UNION=(t_chosen)",
        "CREATE OR REPLACE TABLE t_all (k INT) ENGINE=MERGE UNION=({t})",
        "CREATE TEMPORARY TABLE t_all (k INT) ENGINE=MERGE UNION=({t})",
        "ALTER TABLE t_chosen UNION = (t_chosen, {t})",
        "ALTER TABLE t_chosen ENGINE=MERGE UNION ({t}) INSERT_METHOD=LAST",
        "ALTER TABLE {t} UNION=(t_chosen)",
      })
  void whatIsEncryptedStaysApart(String sql) {
    for (LogicalDatabase database : List.of(fixture.encrypted(), fixture.encryptedPlain())) {
      String table = database.isPassThrough() ? "t_log" : "t_conf";
      for (String name : List.of(table, database.name() + "." + table)) {
        String text = sql.replace("{t}", name);
        assertThatThrownBy(() -> plan(text, database))
            .as(text)
            .isInstanceOf(RefusedException.class)
            .hasMessageContaining("the table '" + table + "', which has encrypted columns");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE t_other EXCHANGE PARTITION p WITH TABLE t_chosen",
        "ALTER TABLE t_other ADD FOREIGN KEY (k) REFERENCES t_log (id)",
        "ALTER TABLE t_other UNION=(t_chosen)",
        "CREATE TABLE t_all (k INT) ENGINE=MERGE UNION=(t_chosen)",
      })
  void whatIsNotMayComeTogether(String sql) {
    assertThat(plan(sql, fixture.encryptedPlain())).isNotNull();
  }

  private StatementPlan plan(String sql, LogicalDatabase database) {
    return fixture
        .over(database)
        .plan(fixture.scan(sql), new PlanScope(database, UTF_8, false, false));
  }
}
