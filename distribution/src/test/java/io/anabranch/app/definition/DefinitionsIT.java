package io.anabranch.app.definition;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Definitions of sharded tables count rows and name constraints as on one plain database. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class DefinitionsIT {

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_definitions");
    fixture.same(fixture.rows().toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  void copyingAlterCountsTheRowsOfAllNodes() throws SQLException {
    fixture.same(
        "ALTER TABLE t_item CHANGE sku code VARCHAR(21) CHARACTER SET latin1",
        "ALTER TABLE t_item CHANGE code sku VARCHAR(20) CHARACTER SET utf8mb4",
        "ALTER TABLE t_dict CHANGE name name VARCHAR(41) CHARACTER SET latin1",
        "CREATE INDEX by_sku ON t_item (sku)",
        "DROP INDEX by_sku ON t_item",
        // called like one of the parts, in all of them
        "CREATE INDEX by_t_item_1 ON t_item (sku)",
        "SHOW WARNINGS",
        "ALTER TABLE t_item ADD KEY t_item_0 (quantity)",
        "SHOW WARNINGS",
        "ALTER TABLE t_item DROP KEY t_item_0, DROP KEY by_t_item_1");
  }

  @Test
  void constraintsAreCalledAsTheClientCallsThem() throws SQLException {
    fixture.same(
        "ALTER TABLE t_item ADD CONSTRAINT few CHECK (quantity < 100)",
        "INSERT INTO t_item (item_id, order_id, user_id, quantity) VALUES (99, 2, 2, 200)",
        "UPDATE t_item SET quantity = 200",
        "ALTER TABLE t_item DROP CONSTRAINT few",
        "ALTER TABLE t_item ADD CONSTRAINT one UNIQUE (order_id, item_id, user_id)",
        "ALTER TABLE t_item DROP INDEX one",
        "ALTER TABLE t_item ADD CONSTRAINT belongs FOREIGN KEY (order_id, user_id)"
            + " REFERENCES t_order (order_id, user_id)",
        "INSERT INTO t_item (item_id, order_id, user_id) VALUES (99, 200, 2)",
        "INSERT INTO t_item (item_id, order_id, user_id) VALUES (98, 2, 2)",
        "DELETE FROM t_order WHERE order_id = 2 AND user_id = 2",
        "UPDATE t_item SET order_id = 200 WHERE item_id = 98 AND order_id = 2 AND user_id = 2",
        "DELETE FROM t_item WHERE item_id = 98",
        "ALTER TABLE t_item DROP CONSTRAINT belongs",
        "ALTER TABLE t_item DROP CONSTRAINT IF EXISTS belongs");
  }

  /** A node has the rows of its own users alone, whatever other columns refer to. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "(quantity, order_id) REFERENCES t_order (user_id, order_id)",
        "(order_id, quantity) REFERENCES t_order (order_id, user_id) ON DELETE CASCADE",
        "(user_id) REFERENCES t_order (order_id)",
        "(item_id) REFERENCES t_order (order_id)"
      })
  void keysThatReferToRowsOfOtherNodesAreRefused(String key) throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Statement statement = proxied.createStatement()) {
      assertThatThrownBy(() -> statement.execute("ALTER TABLE t_item ADD FOREIGN KEY " + key))
          .hasMessageContaining("AB2002: a foreign key of the sharded table 't_item' to rows of");
    }
  }

  /** Each node would count its rows from 1, so that numbers came twice. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ADD n INT NOT NULL AUTO_INCREMENT UNIQUE",
        "ADD COLUMN n BIGINT AUTO_INCREMENT, ADD KEY (n)",
        "ADD COLUMN (m INT, n INT AUTO_INCREMENT UNIQUE)",
        "ADD n SERIAL",
        "ADD m INT, ADD `n` INT KEY AUTO_INCREMENT FIRST, DROP PRIMARY KEY",
      })
  void newNumbersOfRowsAreRefused(String change) throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Statement statement = proxied.createStatement()) {
      for (String table : List.of("t_item", "t_dict")) {
        assertThatThrownBy(() -> statement.execute("ALTER TABLE " + table + " " + change))
            .hasMessageContaining("AB2002: a new AUTO_INCREMENT column 'n' of table '" + table);
      }
    }
    fixture.same(
        "SELECT * FROM t_item ORDER BY item_id, order_id, user_id",
        "SELECT * FROM t_dict ORDER BY code");
  }

  @Test
  void aKeyThatMayNotBeNullIsToldSo() throws SQLException {
    fixture.same(
        "UPDATE t_order SET user_id = NULL WHERE order_id = 1",
        "UPDATE t_order SET user_id = NULL WHERE order_id = 100001");
  }
}
