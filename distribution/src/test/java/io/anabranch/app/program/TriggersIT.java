package io.anabranch.app.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Triggers of sharded, broadcast and single tables do what they do on one plain database. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class TriggersIT {

  private static final String SCHEMA = "it_triggers";

  private static WritesFixture fixture;
  private static DatabaseServers databases;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    databases = servers;
    fixture = WritesFixture.start(servers, SCHEMA);
    fixture.same("INSERT INTO t_dict (code, name) VALUES (1, 'one'), (2, 'two'), (3, 'three')");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @AfterEach
  void dropTriggers() throws SQLException {
    for (String name : List.of("stamps", "copies", "follows", "drops", "everywhere", "counts")) {
      endsAlike("DROP TRIGGER IF EXISTS " + name);
    }
    for (String table : List.of("t_order", "t_item", "t_conf", "t_far")) {
      endsAlike("DELETE FROM " + table);
    }
  }

  /** Succeeds or fails on both; warnings are not compared. */
  private static void endsAlike(String sql) throws SQLException {
    try (Connection direct = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      Transcript answer = Transcript.of(proxied, sql);
      assertThat(answer.isError())
          .as(sql + answer.head())
          .isEqualTo(Transcript.of(direct, sql).isError());
    }
  }

  private static void sameTables() throws SQLException {
    fixture.same(
        "SELECT order_id, user_id, status, note FROM t_order ORDER BY order_id",
        "SELECT item_id, order_id, user_id, sku, quantity FROM t_item ORDER BY 1, 2, 3",
        "SELECT code, name FROM t_dict ORDER BY code",
        "SELECT * FROM t_conf ORDER BY v");
  }

  @Test
  void changesTheRowItself() throws SQLException {
    fixture.same(
        "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW"
            + " SET NEW.note = CONCAT(UPPER(NEW.status), ':', NEW.order_id)");
    fixture.same(
        "CREATE TRIGGER follows BEFORE INSERT ON t_order FOR EACH ROW FOLLOWS stamps BEGIN"
            + " IF NEW.total IS NULL THEN SET NEW.total = 0; END IF;"
            + " IF NEW.total < 0 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no debts'; END IF;"
            + " IF EXISTS (SELECT 1 FROM t_dict WHERE code = NEW.order_id) THEN"
            + " SET NEW.status = (SELECT d.name FROM t_dict d WHERE d.code = NEW.order_id); END IF; END");
    fixture.same(
        "INSERT INTO t_order (order_id, user_id) VALUES (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)");
    fixture.same("INSERT INTO t_order (order_id, user_id, total) VALUES (6, 6, -1)");
    sameTables();
  }

  @Test
  void writesBesideTheRow() throws SQLException {
    fixture.same(
        "CREATE TRIGGER copies AFTER INSERT ON t_order FOR EACH ROW INSERT INTO t_item"
            + " (item_id, order_id, user_id, sku) VALUES (NEW.order_id * 10, NEW.order_id, NEW.user_id, 'made')");
    fixture.same(
        "CREATE TRIGGER counts AFTER UPDATE ON t_order FOR EACH ROW UPDATE t_item SET quantity ="
            + " IFNULL(quantity, 0) + 1 WHERE t_item.order_id = OLD.order_id AND user_id = OLD.user_id");
    fixture.same(
        "CREATE TRIGGER drops BEFORE DELETE ON t_order FOR EACH ROW BEGIN"
            + " DELETE FROM t_item WHERE order_id = OLD.order_id AND user_id = OLD.user_id AND item_id > 0; END");
    fixture.same(
        "INSERT INTO t_order (order_id, user_id) VALUES (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)");
    fixture.same("UPDATE t_order SET note = 'x' WHERE order_id < 4");
    fixture.same("DELETE FROM t_order WHERE order_id IN (1, 5)");
    sameTables();
  }

  /** Rows that come from another node are not new. */
  @Test
  void rowsThatMoveAreNotFilledAnew() throws SQLException {
    fixture.same(
        "INSERT INTO t_order (order_id, user_id, note) VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c')");
    fixture.same(
        "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW SET NEW.note = 'new'");
    try (Connection proxied = fixture.throughProxy()) {
      assertThat(
              Transcript.of(proxied, "UPDATE t_order SET user_id = user_id + 1 WHERE order_id < 3")
                  .head())
          .startsWith("error 1235 ")
          .contains("AB2002", "BEFORE INSERT trigger");
    }
    fixture.same("UPDATE t_order SET user_id = user_id + 2 WHERE order_id < 3");
    sameTables();
    fixture.same("DROP TRIGGER stamps");
    fixture.same("UPDATE t_order SET user_id = user_id + 1 WHERE order_id < 3");
    sameTables();
  }

  @Test
  void ofBroadcastAndSingleTables() throws SQLException {
    fixture.same(
        "CREATE TRIGGER everywhere BEFORE UPDATE ON t_dict FOR EACH ROW SET NEW.name = UPPER(NEW.name)");
    fixture.same("CREATE TRIGGER copies AFTER INSERT ON t_far FOR EACH ROW SET @seen = NEW.k");
    fixture.same("UPDATE t_dict SET name = 'uno' WHERE code = 1");
    fixture.same("INSERT INTO t_far (k, v) VALUES (1, 'v')");
    sameTables();
    fixture.same("SHOW CREATE TRIGGER nowhere");
  }

  /** Which keys a trigger makes is told by no answer: no copy could be given another one's. */
  @ParameterizedTest
  @ValueSource(strings = {"BEFORE INSERT", "AFTER INSERT", "AFTER UPDATE", "BEFORE DELETE"})
  void ofBroadcastTablesMakesNoKeys(String time) throws SQLException {
    String body = " FOR EACH ROW %s t_numbered (v) VALUES (1)";
    try (Connection proxied = fixture.throughProxy()) {
      assertThat(
              Transcript.of(
                      proxied,
                      "CREATE TABLE IF NOT EXISTS t_numbered (id INT AUTO_INCREMENT PRIMARY KEY, v INT)")
                  .isError())
          .isFalse();
      for (String verb : List.of("INSERT INTO", "REPLACE INTO")) {
        assertThat(
                Transcript.of(
                        proxied,
                        "CREATE TRIGGER audit " + time + " ON t_dict" + body.formatted(verb))
                    .head())
            .contains("AB2002", "AUTO_INCREMENT of the table 't_numbered'");
      }
    }
    for (DatabaseServer server : List.of(databases.primaryA(), databases.primaryB())) {
      server.execute(
          "CREATE TRIGGER "
              + SCHEMA
              + ".audit "
              + time
              + " ON "
              + SCHEMA
              + ".t_dict"
              + body.formatted("INSERT INTO " + SCHEMA + ".").replace(". ", "."));
    }
    try (Connection proxied = fixture.throughProxy()) {
      for (String sql :
          List.of(
              "INSERT INTO t_dict (code, name) VALUES (70, 'x')",
              "REPLACE INTO t_dict (code, name) VALUES (70, 'x')",
              "UPDATE t_dict SET name = 'y' WHERE code = 1",
              "DELETE FROM t_dict WHERE code = 70")) {
        assertThat(Transcript.of(proxied, sql).head())
            .as(sql)
            .contains("AB2001", "AUTO_INCREMENT of the table 't_numbered'");
      }
      assertThat(Transcript.of(proxied, "DROP TRIGGER audit").head()).doesNotContain("error");
    }
  }

  @Test
  void isShownAsItWasMade() throws SQLException {
    fixture.same("CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW SET NEW.note = 'x'");
    fixture.same(
        "CREATE TRIGGER copies AFTER INSERT ON t_order FOR EACH ROW INSERT INTO t_item"
            + " (item_id, order_id, user_id) VALUES (1, NEW.order_id, NEW.user_id)");
    fixture.same(
        "CREATE TRIGGER everywhere BEFORE UPDATE ON t_dict FOR EACH ROW SET NEW.name = 'x'");
    try (Connection direct = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      for (String sql :
          List.of(
              "SHOW CREATE TRIGGER copies",
              "SHOW TRIGGERS",
              "SHOW TRIGGERS LIKE 't\\_d%'",
              "SHOW TRIGGERS FROM it_triggers WHERE Event = 'INSERT'",
              "SELECT trigger_name, event_object_table, action_statement, action_timing"
                  + " FROM information_schema.triggers WHERE trigger_schema = DATABASE() ORDER BY 1")) {
        List<String> expected = Transcript.of(direct, sql.replace("FROM it_triggers", "")).rows();
        assertThat(withoutTimes(Transcript.of(proxied, sql).rows()))
            .as(sql)
            .isEqualTo(withoutTimes(expected));
      }
    }
  }

  private static List<String> withoutTimes(List<String> rows) {
    return rows.stream()
        .sorted()
        .map(row -> row.replaceAll("\\|[^|]*20\\d\\d-[^|]*\\|", "|…|").replace("_plain", ""))
        .map(row -> row.replace("IGNORE_SPACE,", ""))
        .toList();
  }

  @Test
  void isMadeAndDroppedByOneName() throws SQLException {
    String sql = "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW SET NEW.note = 'a'";
    fixture.same(sql);
    endsAlike(sql);
    endsAlike(sql.replace("t_order", "t_item").replace("note", "sku"));
    endsAlike(sql.replace("TRIGGER", "TRIGGER IF NOT EXISTS"));
    fixture.same(sql.replace("CREATE", "CREATE OR REPLACE").replace("'a'", "'b'"));
    fixture.same("INSERT INTO t_order (order_id, user_id) VALUES (1, 1), (2, 2)");
    sameTables();
    for (String none : List.of("stamps_t_order_0", "STAMPS_T_ORDER_1", "t_order", "nowhere")) {
      fixture.same("DROP TRIGGER " + none, "SHOW CREATE TRIGGER " + none);
      fixture.same("DROP TRIGGER IF EXISTS " + none, "SHOW WARNINGS");
    }
    fixture.same("DROP TRIGGER stamps");
    fixture.same("DROP TRIGGER stamps");
    fixture.same("DROP TRIGGER IF EXISTS stamps", "SHOW WARNINGS");
    fixture.same("INSERT INTO t_order (order_id, user_id) VALUES (3, 1), (4, 2)");
    sameTables();
  }

  /** One of another schema is not that of the same name here. */
  @Test
  void isMadeAndDroppedInItsOwnSchema() throws SQLException {
    String sql = "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW SET NEW.note = 'a'";
    try (Connection proxied = fixture.throughProxy()) {
      assertThat(Transcript.of(proxied, sql).isError()).isFalse();
      for (String other :
          List.of(
              "DROP TRIGGER elsewhere.stamps",
              "DROP TRIGGER IF EXISTS elsewhere.stamps",
              sql.replace("stamps", "elsewhere.seconds"))) {
        assertThat(Transcript.of(proxied, other).head()).as(other).startsWith("error 1049");
      }
      assertThat(Transcript.of(proxied, "DROP TRIGGER stamps").isError()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TRIGGER stamps AFTER INSERT ON t_order FOR EACH ROW INSERT INTO t_conf (v) VALUES ('x')",
        "CREATE TRIGGER stamps AFTER INSERT ON t_order FOR EACH ROW UPDATE t_dict SET name = 'x'",
        "CREATE TRIGGER stamps AFTER INSERT ON t_order FOR EACH ROW INSERT INTO t_item (item_id, order_id, user_id) VALUES (1, NEW.order_id, 7)",
        "CREATE TRIGGER stamps AFTER INSERT ON t_order FOR EACH ROW INSERT INTO t_item (item_id, order_id, user_id) VALUES (1, NEW.order_id, NEW.user_id), (2, 3, 4)",
        "CREATE TRIGGER stamps AFTER UPDATE ON t_order FOR EACH ROW INSERT INTO t_item (item_id, order_id, user_id) VALUES (1, NEW.order_id, NEW.user_id)",
        "CREATE TRIGGER stamps AFTER INSERT ON t_order FOR EACH ROW INSERT INTO t_item SELECT 1, NEW.order_id, NEW.user_id, 'x', 1",
        "CREATE TRIGGER stamps AFTER DELETE ON t_order FOR EACH ROW DELETE FROM t_item WHERE order_id = OLD.order_id",
        "CREATE TRIGGER stamps AFTER DELETE ON t_order FOR EACH ROW DELETE FROM t_item WHERE order_id = OLD.order_id AND user_id = OLD.user_id OR sku = 'x'",
        "CREATE TRIGGER stamps AFTER DELETE ON t_order FOR EACH ROW UPDATE t_item SET user_id = 3 WHERE order_id = OLD.order_id AND user_id = OLD.user_id",
        "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW SET NEW.total = (SELECT SUM(quantity) FROM t_item)",
        "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW SET NEW.total = (SELECT COUNT(*) FROM t_dict a JOIN t_log b ON a.code = b.id)",
        "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW SET NEW.user_id = 3",
        "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW SET `NEW`.`user_id` = 3",
        "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW SELECT 1, 2 INTO @a, `new`.user_id",
        "CREATE TRIGGER stamps BEFORE INSERT ON t_key FOR EACH ROW SET NEW.id = 3",
        "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW SET NEW.total = (SELECT COUNT(*) FROM (t_dict a JOIN t_item b ON a.code = b.item_id))",
        "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW SET NEW.total = (SELECT COUNT(*) FROM t_dict STRAIGHT_JOIN t_item)",
        "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW SET NEW.note = 'x', NEW.order_id = 3",
        "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW CALL p()",
        "CREATE TRIGGER stamps BEFORE INSERT ON t_order FOR EACH ROW SET NEW.note = myfunction(NEW.total)",
        "CREATE TRIGGER stamps AFTER INSERT ON t_dict FOR EACH ROW INSERT INTO t_conf (v) VALUES ('x')",
        "CREATE TRIGGER stamps BEFORE INSERT ON t_dict FOR EACH ROW SET NEW.name = UUID()",
        "CREATE TRIGGER stamps AFTER INSERT ON t_conf FOR EACH ROW INSERT INTO t_far VALUES (1, 'x')",
        "CREATE TRIGGER stamps AFTER INSERT ON t_conf FOR EACH ROW DELETE FROM t_dict",
        "CREATE TRIGGER stamps AFTER INSERT ON t_conf FOR EACH ROW UPDATE t_conf c JOIN t_dict d ON d.code = c.k SET d.name = 'x'",
        "CREATE TRIGGER stamps AFTER INSERT ON t_order FOR EACH ROW UPDATE t_item i JOIN t_dict d SET d.name = 'x' WHERE i.order_id = NEW.order_id AND i.user_id = NEW.user_id",
        "CREATE TRIGGER stamps AFTER INSERT ON t_order FOR EACH ROW UPDATE t_item i, t_dict d SET d.name = 'x' WHERE i.order_id = NEW.order_id AND i.user_id = NEW.user_id",
        "CREATE TRIGGER stamps AFTER INSERT ON t_order FOR EACH ROW BEGIN DECLARE CONTINUE HANDLER FOR NOT FOUND DELETE FROM t_dict; SET @a = 1; END",
      })
  void refusesWhatMayLieElsewhere(String sql) throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      Transcript answer = Transcript.of(proxied, sql);
      assertThat(answer.isRefusal()).as("%s: %s", sql, answer.head()).isTrue();
    }
  }
}
