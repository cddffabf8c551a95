package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Locked tables over shards do what they do on one plain database, for both sides. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class LockTablesIT {

  private static WritesFixture fixture;
  private Connection plain;
  private Connection plainOther;
  private Connection proxied;
  private Connection proxiedOther;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_locks");
    try (Connection direct = fixture.onPlain();
        Connection throughProxy = fixture.throughProxy()) {
      var comparison = new Comparison(throughProxy, direct);
      comparison.sameRows(fixture.rows().toArray(String[]::new));
      comparison.sameRows("CREATE VIEW v_new AS SELECT order_id FROM t_order");
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void connect() throws SQLException {
    plain = fixture.onPlain();
    plainOther = fixture.onPlain();
    proxied = fixture.throughProxy();
    proxiedOther = fixture.throughProxy();
    other("SET lock_wait_timeout = 0");
  }

  @AfterEach
  void disconnect() throws SQLException {
    for (Connection each : List.of(plain, plainOther, proxied, proxiedOther)) {
      each.close();
    }
  }

  private void one(String... statements) {
    new Comparison(proxied, plain).sameRows(statements);
  }

  private void other(String... statements) {
    new Comparison(proxiedOther, plainOther).sameRows(statements);
  }

  @Test
  void writesUnderAWriteLockAreTheSessionsAlone() {
    one(
        "LOCK TABLES t_order WRITE",
        "SELECT MAX(order_id) FROM t_order",
        "INSERT INTO t_order (order_id, user_id) VALUES (1000, 1), (1001, 2), (1002, 3)",
        "UPDATE t_order SET note = 'locked' WHERE t_order.order_id >= 1000",
        "SELECT t_order.order_id FROM t_order WHERE t_order.note = 'locked' ORDER BY t_order.order_id",
        "SELECT note, COUNT(*) AS n FROM t_order GROUP BY note ORDER BY n, note",
        "SELECT order_id, RANK() OVER (ORDER BY order_id) FROM t_order ORDER BY 1");
    other(
        "SELECT COUNT(*) FROM t_order",
        "UPDATE t_order SET note = 'mine'",
        "SELECT COUNT(*) FROM t_item");
    one("DELETE FROM t_order WHERE order_id >= 1000", "UNLOCK TABLES");
    other("SELECT COUNT(*) FROM t_order", "SELECT note FROM t_order WHERE order_id >= 1000");
  }

  /** A lock is of a table without an alias, which tables keep in front of FROM, too. */
  @Test
  void rowsOfSeveralLockedTablesAreDeleted() {
    String join = " t_order JOIN t_item ON t_item.order_id = t_order.order_id";
    String where = " WHERE t_order.order_id >= 1000";
    one(
        "LOCK TABLES t_order WRITE, t_item WRITE",
        "INSERT INTO t_order (order_id, user_id) VALUES (1000, 1), (1001, 2), (1002, 3), (1003, 4)",
        "INSERT INTO t_item (item_id, order_id, user_id) VALUES (1, 1000, 1), (2, 1001, 2), (3, 1002, 3)");
    for (String delete :
        List.of(
            "DELETE t_order, t_item FROM" + join + where + " AND t_order.user_id = 1",
            "DELETE t_order.*, t_item.* FROM" + join + where + " AND t_order.user_id = 2",
            "DELETE FROM t_item, t_order USING" + join + where + " AND t_order.order_id < 1002",
            "DELETE t_item FROM" + join + where,
            "DELETE t_order FROM t_order WHERE t_order.order_id = 1003")) {
      one(
          "INSERT IGNORE INTO t_item (item_id, order_id, user_id) VALUES (9, 1003, 4)",
          delete,
          "SELECT order_id, user_id FROM t_order WHERE order_id >= 1000 ORDER BY 1",
          "SELECT item_id, order_id FROM t_item WHERE order_id >= 1000 ORDER BY 1");
    }
    one("DELETE FROM t_item WHERE order_id >= 1000", "DELETE FROM t_order WHERE order_id >= 1000");
    one("UNLOCK TABLES");
  }

  @Test
  void whatIsNotLockedCannotBeUsed() {
    one(
        "LOCK TABLES t_order READ, t_dict READ LOCAL, v_new READ, t_conf WRITE",
        "SELECT COUNT(*) FROM t_order",
        "SELECT COUNT(*) FROM v_new",
        "SELECT o.order_id FROM t_order AS o",
        "INSERT INTO t_order (order_id, user_id) VALUES (1000, 1)",
        "INSERT INTO t_dict (code) VALUES (77)",
        "SELECT * FROM t_item",
        "SELECT * FROM t_order JOIN t_dict ON t_dict.code = t_order.order_id ORDER BY order_id",
        "UPDATE t_conf SET v = v",
        "DROP TABLE t_item",
        "SELECT 1",
        "UNLOCK TABLES",
        "SELECT COUNT(*) FROM t_item");
  }

  /** MariaDB refuses all of them alike. */
  @Test
  void nothingThatIsNotLockedIsRenamed() {
    for (String lock : List.of("READ", "WRITE")) {
      one(
          "LOCK TABLES t_order " + lock,
          "RENAME TABLE t_item TO t_renamed",
          "RENAME TABLE nowhere TO t_renamed",
          "SELECT COUNT(*) FROM t_order",
          "UNLOCK TABLES");
    }
  }

  /** Every kind of statement, about tables of data sources that have a lock, and that have none. */
  @Test
  void noStatementUsesWhatIsNotLocked() {
    for (String table : List.of("t_item", "t_far", "t_dict", "t_order", "nowhere")) {
      one(
          "LOCK TABLES t_conf WRITE",
          "INSERT INTO " + table + " VALUES (1)",
          "INSERT INTO t_conf (k) SELECT 1 FROM " + table,
          "INSERT INTO t_conf (k) VALUES ((SELECT COUNT(*) FROM " + table + "))",
          "REPLACE INTO " + table + " VALUES (1)",
          "UPDATE " + table + " SET v = 1",
          "DELETE FROM " + table,
          "TRUNCATE " + table,
          "TRUNCATE TABLE " + table,
          "ALTER TABLE " + table + " ADD x INT",
          "CREATE INDEX i ON " + table + " (v)",
          "DROP INDEX i ON " + table,
          "CREATE TABLE IF NOT EXISTS " + table + " (n INT)",
          "CREATE TABLE brand_new LIKE " + table,
          "DROP TABLE " + table,
          "DROP TABLE IF EXISTS " + table,
          "SHOW CREATE TABLE " + table,
          "DO (SELECT COUNT(*) FROM " + table + ")",
          "CREATE VIEW vv AS SELECT * FROM " + table,
          "CREATE TRIGGER tt BEFORE INSERT ON " + table + " FOR EACH ROW SET @x = 1",
          "HANDLER " + table + " OPEN",
          "SELECT COUNT(*) FROM " + table,
          "UNLOCK TABLES");
    }
  }

  @Test
  void whatCannotBeLockedIsTold() {
    one(
        "LOCK TABLES t_order READ, t_order WRITE",
        "LOCK TABLES t_order READ, nowhere READ",
        "LOCK TABLES t_order",
        "LOCK TABLES",
        "SELECT COUNT(*) FROM t_item");
    other("UPDATE t_order SET note = note");
  }

  @Test
  void aLockThatIsNotHadLeavesNone() {
    other("LOCK TABLES t_item WRITE");
    one(
        "SET lock_wait_timeout = 0",
        "LOCK TABLES t_order WRITE, t_item WRITE",
        "SELECT COUNT(*) FROM t_dict");
    other("UNLOCK TABLES", "SELECT COUNT(*) FROM t_order", "SELECT COUNT(*) FROM t_item");
    one("SELECT COUNT(*) FROM t_item");
  }

  @Test
  void beginUnlocksAndTransactionsWithoutItDoNot() {
    one("LOCK TABLES t_order WRITE", "BEGIN", "SELECT COUNT(*) FROM t_item", "ROLLBACK");
    other("SELECT COUNT(*) FROM t_order");
    one(
        "SET autocommit = 0",
        "LOCK TABLES t_order WRITE, t_item WRITE",
        "INSERT INTO t_order (order_id, user_id) VALUES (1000, 1), (1001, 2), (1002, 3)",
        "COMMIT");
    other("SELECT COUNT(*) FROM t_order");
    one(
        "DELETE FROM t_order WHERE order_id >= 1000",
        "ROLLBACK",
        "SELECT COUNT(*) FROM t_order",
        "DELETE FROM t_order WHERE order_id >= 1000",
        "UNLOCK TABLES",
        "ROLLBACK",
        "SET autocommit = 1");
    other("SELECT COUNT(*) FROM t_order", "SELECT COUNT(*) FROM t_item");
  }

  @Test
  void anotherLockTakesTheirPlace() {
    one("LOCK TABLES t_order WRITE", "LOCK TABLES t_item READ");
    other("UPDATE t_order SET note = note", "UPDATE t_item SET sku = sku");
    one("SELECT COUNT(*) FROM t_order", "SELECT COUNT(*) FROM t_item", "UNLOCK TABLES");
    other("UPDATE t_item SET sku = sku");
  }

  @Test
  void flushesEverywhere() {
    one("FLUSH TABLES", "FLUSH TABLES t_order, t_item", "FLUSH LOCAL TABLES", "FLUSH STATUS");
    one("FLUSH TABLES t_order WITH READ LOCK", "SELECT COUNT(*) FROM t_item");
    other("UPDATE t_order SET note = note", "SELECT COUNT(*) FROM t_order");
    one("UNLOCK TABLES", "SELECT COUNT(*) FROM t_item");
    other("UPDATE t_order SET note = note");
  }

  @Test
  void aClientThatGoesLeavesNoLock() throws SQLException {
    try (Connection locking = fixture.throughProxy();
        Statement statement = locking.createStatement()) {
      statement.execute("LOCK TABLES t_order WRITE, t_item WRITE, t_dict WRITE");
    }
    Eventually.holds(
        "locks of a closed session are gone",
        () -> !Transcript.of(proxiedOther, "SELECT 1 FROM t_order").isError());
    other("UPDATE t_order SET note = note", "UPDATE t_item SET sku = sku");
  }

  /** Whoever locks the same tables in another order waits, and gets them. */
  @Test
  void locksAreTakenInOneOrder() throws Exception {
    String first = "LOCK TABLES t_order WRITE, t_item WRITE, t_conf WRITE";
    String second = "LOCK TABLES t_conf WRITE, t_item WRITE, t_order WRITE";
    execute(proxied, "UPDATE t_conf SET v = '0' WHERE k = 1");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> counting =
          threads.invokeAll(List.of(counting(first), counting(second), counting(first)));
      for (Future<Integer> each : counting) {
        assertThat(each.get()).isEqualTo(10);
      }
    }
    try (Statement statement = proxied.createStatement();
        ResultSet rows = statement.executeQuery("SELECT v FROM t_conf WHERE k = 1")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getInt(1)).isEqualTo(30);
    }
  }

  private static Callable<Integer> counting(String lock) {
    return () -> {
      try (Connection connection = fixture.throughProxy();
          Statement statement = connection.createStatement()) {
        int rounds = 0;
        while (rounds < 10) {
          statement.execute(lock);
          int value;
          try (ResultSet rows = statement.executeQuery("SELECT v FROM t_conf WHERE k = 1")) {
            rows.next();
            value = rows.getInt(1);
          }
          statement.execute("UPDATE t_conf SET v = '" + (value + 1) + "' WHERE k = 1");
          statement.execute("UNLOCK TABLES");
          rounds++;
        }
        return rounds;
      }
    };
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** MariaDB renames by ALTER TABLE only; a table stays locked under its new name. */
  @Test
  void renamedTablesStayLocked() {
    for (String rename :
        List.of(
            "RENAME TABLE t_item TO t_item_old, t_conf TO t_conf_old",
            "RENAME TABLE t_conf TO t_mid, t_mid TO t_conf_old",
            "RENAME TABLE t_item TO t_item_old",
            "ALTER TABLE t_item RENAME TO t_item_old",
            "ALTER TABLE t_conf ADD COLUMN c INT, RENAME TO t_mid, RENAME t_conf_old")) {
      one(
          "LOCK TABLES t_item WRITE, t_conf WRITE, t_far READ",
          rename,
          "SELECT COUNT(*) FROM t_item_old",
          "SELECT COUNT(*) FROM t_conf_old",
          "UPDATE t_item_old SET sku = 'x' WHERE user_id = 1",
          "SELECT COUNT(*) FROM t_item",
          "SELECT COUNT(*) FROM t_conf",
          "RENAME TABLE t_far TO t_farther",
          "ALTER TABLE t_far RENAME t_farther",
          "RENAME TABLE t_order TO t_conf_older",
          "UNLOCK TABLES",
          "ALTER TABLE t_item_old RENAME TO t_item",
          "ALTER TABLE t_conf_old RENAME TO t_conf",
          "SELECT COUNT(*) FROM t_item",
          "SELECT COUNT(*) FROM t_conf");
    }
  }
}
