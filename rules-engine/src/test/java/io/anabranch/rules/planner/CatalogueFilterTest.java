package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.PermittedDatabases;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.LockedTables;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.task.PlanScope;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogueFilterTest {

  private static final PermittedDatabases PLAIN = PermittedDatabases.of(Set.of("plain"));

  private final PlannerFixture fixture = new PlannerFixture();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "do (select 1 from information_schema.tables)"
            + "| do (select 1 from (SELECT * FROM information_schema.`tables` WHERE TABLE_SCHEMA"
            + " IN ('backend', 'information_schema')) AS tables)",
        "insert into t select a.x from t a, information_schema.schemata b"
            + "| insert into t select a.x from t a, (SELECT * FROM information_schema.`schemata`"
            + " WHERE SCHEMA_NAME IN ('backend', 'information_schema')) b",
        "insert into t select information_schema.views.x from information_schema.views where 1"
            + "| insert into t select views.x from (SELECT * FROM information_schema.`views`"
            + " WHERE TABLE_SCHEMA IN ('backend', 'information_schema')) AS views where 1",
        "insert into t select 1 from ((information_schema.views as v)) join(information_schema.views) where 1"
            + "| insert into t select 1 from   (SELECT * FROM information_schema.`views` WHERE"
            + " TABLE_SCHEMA IN ('backend', 'information_schema')) as v   join (SELECT * FROM"
            + " information_schema.`views` WHERE TABLE_SCHEMA IN ('backend', 'information_schema'))"
            + " AS views  where 1",
        "do (select 1 from information_schema.engines)"
            + "| do (select 1 from information_schema.engines)",
        "show columns from information_schema.innodb_trx"
            + "| show columns from information_schema.innodb_trx",
        "describe information_schema.innodb_trx | describe information_schema.innodb_trx",
      })
  void leavesOwnRowsOnly(String sql, String sent) {
    assertThat(sent(sql, PLAIN)).isEqualTo(sent);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "do (select 1 from information_schema.innodb_sys_tables)",
        "do (select 1 from information_schema.user_privileges)",
        "do (select 1 from information_schema.processlist)",
        "select * from information_schema.nosuch",
        "show columns from t where exists (select 1 from information_schema.innodb_trx)",
      })
  void tablesOfAdministratorsAre1227(String sql) {
    refused(sql, 1227);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "do (select 1 from information_schema /*! .tables */)",
        "do (select 1 from /*! information_schema.tables */)",
        "create view v as select 1 from information_schema.tables",
        "create procedure p() select 1 from information_schema.tables",
        "update information_schema.tables a, t set t.x = a.table_name",
        "table information_schema.tables",
        "show procedure status where 1) or (1",
        "show procedure status /*! where 1 */",
      })
  void whatIsNotClearIsRefused(String sql) {
    refused(sql, 1235);
  }

  @Test
  void administratorsSeeAll() {
    String sql = "do (select 1 from information_schema.tables)";
    assertThat(bind(sql, PermittedDatabases.ALL)).isEqualTo(new BoundPlan.AsIs("ds_0"));
  }

  @Test
  void shardedDatabasesKeepTheirTablesOfAdministrators() {
    assertThatThrownBy(() -> plan("select * from information_schema.innodb_trx", fixture.shop))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("PROCESS");
  }

  private void refused(String sql, int errno) {
    assertThatThrownBy(() -> bind(sql, PLAIN))
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.errno()).isEqualTo(errno));
  }

  private String sent(String sql, PermittedDatabases permitted) {
    return text(bind(sql, permitted));
  }

  private static String text(BoundPlan plan) {
    assertThat(plan).isInstanceOf(BoundPlan.Single.class);
    return ((BoundPlan.Single) plan).query().sqlText();
  }

  private BoundPlan bind(String sql, PermittedDatabases permitted) {
    return plan(sql, fixture.plain, permitted);
  }

  private BoundPlan plan(String sql, LogicalDatabase database) {
    return plan(sql, database, PermittedDatabases.of(Set.of(database.name())));
  }

  private BoundPlan plan(String sql, LogicalDatabase database, PermittedDatabases permitted) {
    var scope =
        new PlanScope(
            database,
            UTF_8,
            false,
            false,
            permitted,
            Map.of(),
            0,
            TemporaryTables.NONE,
            LockedTables.NONE);
    return fixture
        .planner
        .plan(fixture.scan(sql), scope)
        .bind(new TextSlotValues().over(fixture.scan(sql), UTF_8, LexerMode.DEFAULT));
  }
}
