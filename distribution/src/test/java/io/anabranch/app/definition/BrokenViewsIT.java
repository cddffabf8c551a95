package io.anabranch.app.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Views whose tables, columns or views are gone, in every kind of statement. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class BrokenViewsIT {

  private static final String[] VIEWS = {
    "CREATE VIEW b_column AS SELECT order_id, note FROM t_order",
    "CREATE VIEW b_renamed AS SELECT order_id, weight FROM t_order",
    "CREATE VIEW b_table AS SELECT id, level FROM t_log",
    "CREATE VIEW b_join AS SELECT o.order_id AS id, l.level FROM t_order o JOIN t_log l ON l.id = o.order_id",
    "CREATE VIEW b_sums AS SELECT level, COUNT(*) AS n, MIN(id) AS id FROM t_log GROUP BY level",
    "CREATE VIEW b_single AS SELECT k AS id, v FROM t_conf",
    "CREATE VIEW b_far AS SELECT k AS id, v FROM t_far",
    "CREATE VIEW b_copies AS SELECT code AS id, name FROM t_dict",
    "CREATE VIEW whole AS SELECT order_id AS id FROM t_order",
    "CREATE VIEW b_view AS SELECT id FROM whole",
    "CREATE VIEW b_over AS SELECT id, level FROM b_table",
  };

  private static final String[] BREAKING = {
    "ALTER TABLE t_order DROP COLUMN note",
    "ALTER TABLE t_order CHANGE weight heavy FLOAT",
    "DROP TABLE t_log",
    "DROP TABLE t_conf",
    "ALTER TABLE t_far CHANGE v w VARCHAR(40)",
    "ALTER TABLE t_dict CHANGE name called VARCHAR(40)",
    "DROP VIEW whole",
  };

  private static final List<String> BROKEN =
      List.of(
          "b_column",
          "b_renamed",
          "b_table",
          "b_join",
          "b_sums",
          "b_single",
          "b_far",
          "b_copies",
          "b_view",
          "b_over");

  /** With the view's name in the place of %s. */
  private static final List<String> STATEMENTS =
      List.of(
          "SELECT * FROM %s",
          "SELECT COUNT(*) FROM %s",
          "SELECT 1 FROM %s AS v",
          "TABLE %s",
          "SELECT * FROM %s ORDER BY 1 LIMIT 1",
          "SELECT i.sku FROM t_item i JOIN %s v ON i.item_id = 1",
          "SELECT i.sku FROM t_item i LEFT JOIN %s v ON 1 = 1 WHERE i.user_id = 1 AND i.order_id = 1",
          "SELECT sku FROM t_item WHERE EXISTS (SELECT 1 FROM %s)",
          "SELECT sku FROM t_item WHERE user_id = 1 AND order_id = 1 AND EXISTS (SELECT 1 FROM %s)",
          "SELECT * FROM (SELECT * FROM %s) AS d",
          "WITH c AS (SELECT * FROM %s) SELECT * FROM c",
          "SELECT item_id FROM t_item UNION SELECT 1 FROM %s",
          "EXPLAIN SELECT * FROM %s",
          "PREPARE s FROM 'SELECT * FROM %s'",
          "INSERT INTO t_item (item_id, order_id, user_id) SELECT 1, 1, 1 FROM %s",
          "CREATE TABLE made AS SELECT * FROM %s",
          "CREATE VIEW b_new AS SELECT * FROM %s",
          "UPDATE t_item i JOIN %s v ON 1 = 1 SET i.sku = 'x' WHERE i.user_id = 1 AND i.order_id = 1",
          "INSERT INTO %s VALUES (1, 1)",
          "REPLACE INTO %s VALUES (1, 1)",
          "DESCRIBE %s",
          "SHOW COLUMNS FROM %s",
          "SHOW FULL COLUMNS FROM %s",
          "CREATE TABLE %s (id INT)",
          "DROP TABLE %s",
          "TRUNCATE TABLE %s");

  /** MariaDB does them where no column of theirs is gone. */
  private static final List<String> CHANGES =
      List.of(
          "UPDATE %s SET id = 1 WHERE id = 1",
          "DELETE FROM %s WHERE id = 1", "LOCK TABLES %s READ");

  @Test
  void areToldOfAsOnOneServer(DatabaseServers servers) throws SQLException {
    try (WritesFixture fixture = WritesFixture.start(servers, "it_broken");
        Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      var comparison =
          new Comparison(
              proxied, plain, text -> text.replace(fixture.schema + "_plain", fixture.schema));
      comparison.sameRows(VIEWS);
      comparison.sameRows(BREAKING);
      var statements = new ArrayList<String>();
      for (String view : BROKEN) {
        STATEMENTS.forEach(each -> statements.add(each.formatted(view)));
      }
      for (String view : List.of("b_table", "b_single", "b_over", "b_view")) {
        CHANGES.forEach(each -> statements.add(each.formatted(view)));
      }
      comparison.same(statements.toArray(String[]::new));
      for (String view : BROKEN) {
        comparison.sameRows("SHOW INDEX FROM " + view);
        isShown(proxied, fixture.schema, view);
        isChecked(proxied, fixture.schema, view);
      }
      comparison.sameRows(
          "CREATE OR REPLACE VIEW b_column AS SELECT order_id, user_id FROM t_order",
          "ALTER VIEW b_renamed AS SELECT order_id, heavy FROM t_order",
          "SELECT * FROM b_column ORDER BY 1",
          "SELECT * FROM b_renamed ORDER BY 1",
          "RENAME TABLE b_far TO b_farther",
          "SELECT * FROM b_far",
          "SELECT * FROM b_farther",
          "ALTER TABLE t_far CHANGE w v VARCHAR(40)",
          "SELECT * FROM b_farther ORDER BY 1",
          "DROP VIEW b_table, b_join, b_single, b_sums",
          "DROP VIEW IF EXISTS b_over",
          "DROP VIEW IF EXISTS b_view",
          "DROP VIEW IF EXISTS b_copies",
          "DROP VIEW IF EXISTS b_farther",
          "SELECT * FROM b_table",
          "SHOW FULL TABLES LIKE 'b%'");
    }
  }

  private static void isShown(Connection proxied, String schema, String view) {
    for (String sql : List.of("SHOW CREATE VIEW " + view, "SHOW CREATE TABLE " + view)) {
      Transcript shown = Transcript.of(proxied, sql);
      assertThat(shown.rows()).as("%s: %s", sql, shown.head()).hasSize(1);
      assertThat(shown.rows().getFirst())
          .as(sql)
          .contains("VIEW `" + view + "`")
          .doesNotContainPattern("t_(order|log|item)_[0-9]");
      assertThat(Transcript.of(proxied, "SHOW WARNINGS").rows().toString())
          .as(sql)
          .contains("View '" + schema + "." + view + "' references invalid");
    }
  }

  /** Other words on each server: that there is an error, and no name of a data source's. */
  private static void isChecked(Connection proxied, String schema, String view) {
    Transcript checked = Transcript.of(proxied, "CHECK TABLE " + view);
    assertThat(checked.rows()).as(view).hasSizeGreaterThan(1);
    assertThat(String.join("\n", checked.rows()))
        .contains(schema + "." + view)
        .contains("Corrupt")
        .doesNotContainPattern("t_(order|log|item)_[0-9]");
  }
}
