package io.anabranch.app.compatibility;

import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.protocol.type.Capability;
import io.anabranch.testkit.DatabaseServers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@link CompatibilityIT} tries beside {@link VariableCases} and {@link StatementFamilies}, in
 * the order of the page.
 */
final class CompatibilityCases {

  /** Names of capabilities with their bits. */
  static final Map<String, Long> CAPABILITIES = capabilities();

  /** Names of commands with a packet that has no effect. */
  static final Map<String, byte[]> COMMANDS = commands();

  /** Before the statements over shards. */
  static final List<String> SHARDED_SCHEMA =
      List.of(
          "CREATE TABLE t_order (order_id BIGINT NOT NULL, user_id INT NOT NULL, status VARCHAR(20), price DECIMAL(10,2), PRIMARY KEY (order_id, user_id))",
          "CREATE TABLE t_item (item_id BIGINT NOT NULL, order_id BIGINT NOT NULL, user_id INT NOT NULL, name VARCHAR(20), PRIMARY KEY (item_id, order_id, user_id))",
          "CREATE TABLE t_country (code CHAR(2) PRIMARY KEY, name VARCHAR(40))",
          "INSERT INTO t_order (order_id, user_id, status, price) VALUES (1, 1, 'new', 1.50), (2, 1, 'new', 2.25), (3, 2, 'old', 3), (4, 2, NULL, 4), (5, 3, 'old', 5)",
          "INSERT INTO t_item (item_id, order_id, user_id, name) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 3, 2, 'c'), (4, 5, 3, 'a')",
          "INSERT INTO t_country VALUES ('de', 'Germany'), ('fr', 'France')");

  /** One after the other in one session; the tables are those of {@link ShardedFixture}. */
  private static final List<String> SHARDED_STATEMENTS =
      List.of(
          "SELECT * FROM t_order WHERE user_id = 1 AND order_id = 2",
          "SELECT * FROM t_order ORDER BY order_id",
          "SELECT order_id FROM t_order ORDER BY price DESC LIMIT 1, 2",
          "SELECT DISTINCT status FROM t_order ORDER BY status",
          "SELECT COUNT(*), SUM(price), MIN(price), MAX(status), AVG(price) FROM t_order",
          "SELECT status, COUNT(*) FROM t_order GROUP BY status ORDER BY status",
          "SELECT status, SUM(price) / COUNT(*) AS mean FROM t_order GROUP BY status HAVING COUNT(*) > 1 ORDER BY 1",
          "SELECT o.order_id, i.name FROM t_order o JOIN t_item i ON o.order_id = i.order_id AND o.user_id = i.user_id ORDER BY i.item_id",
          "SELECT o.order_id, i.name FROM t_order o JOIN t_item i ON o.price = i.item_id ORDER BY 1, 2",
          "SELECT * FROM t_order WHERE price > (SELECT AVG(price) FROM t_order) ORDER BY order_id",
          "SELECT order_id FROM t_order o WHERE EXISTS (SELECT 1 FROM t_item i WHERE i.order_id = o.order_id AND i.user_id = o.user_id) ORDER BY 1",
          "SELECT order_id, RANK() OVER (ORDER BY price DESC) AS r FROM t_order ORDER BY 1",
          "WITH s AS (SELECT user_id, SUM(price) AS total FROM t_order GROUP BY user_id) SELECT * FROM s ORDER BY user_id",
          "SELECT order_id FROM t_order UNION SELECT item_id FROM t_item ORDER BY 1",
          "SELECT GROUP_CONCAT(order_id ORDER BY order_id) FROM t_order",
          "SELECT c.name, o.order_id FROM t_order o, t_country c WHERE c.code = 'de' ORDER BY 2",
          "SELECT * FROM t_order WHERE user_id = 1 ORDER BY order_id FOR UPDATE",
          "INSERT INTO t_order (order_id, user_id) VALUES (11, 1), (12, 2), (13, 3)",
          "INSERT INTO t_order (order_id, user_id) SELECT item_id + 100, user_id FROM t_item",
          "INSERT INTO t_order (order_id, user_id) VALUES (11, 1) ON DUPLICATE KEY UPDATE status = 'again'",
          "REPLACE INTO t_order (order_id, user_id) VALUES (11, 1)",
          "INSERT INTO t_order (order_id, user_id) VALUES (14, 1), (15, 2) RETURNING order_id, status",
          "DELETE FROM t_order WHERE order_id = 15 RETURNING order_id, user_id",
          "INSERT INTO t_item (item_id, order_id, user_id) SELECT order_id + 500, order_id, user_id FROM t_order WHERE order_id < 3",
          "DO (SELECT COUNT(*) FROM t_order)",
          "UPDATE t_order SET status = 'x' WHERE user_id = 1 AND order_id = 11",
          "UPDATE t_order SET status = 'y' WHERE price < 3",
          "UPDATE t_order SET price = 7 ORDER BY order_id DESC LIMIT 2",
          "UPDATE t_order SET user_id = 9 WHERE order_id = 13",
          "UPDATE t_order o JOIN t_item i ON o.order_id = i.order_id SET o.status = i.name",
          "DELETE FROM t_order WHERE order_id > 100",
          "DELETE FROM t_order ORDER BY order_id DESC LIMIT 1",
          "DELETE o FROM t_order o JOIN t_item i ON o.order_id = i.order_id WHERE i.name = 'c'",
          "SELECT * FROM t_order ORDER BY order_id, user_id",
          "UPDATE t_country SET name = 'Deutschland' WHERE code = 'de'",
          "SELECT * FROM t_country ORDER BY code",
          "ALTER TABLE t_order ADD COLUMN note VARCHAR(10)",
          "CREATE INDEX by_status ON t_order (status)",
          "SHOW COLUMNS FROM t_order",
          "SHOW INDEX FROM t_order",
          "SHOW TABLES",
          "TRUNCATE TABLE t_item",
          "DROP TABLE t_item",
          "CREATE VIEW v_order AS SELECT order_id FROM t_order",
          "SELECT * FROM v_order ORDER BY order_id",
          "DELETE FROM v_order WHERE order_id = 12",
          "DROP VIEW v_order",
          "CREATE TABLE t_copy AS SELECT * FROM t_order",
          "CREATE TRIGGER fills BEFORE INSERT ON t_order FOR EACH ROW SET NEW.status = UPPER(NEW.status)",
          "INSERT INTO t_order (order_id, user_id, status) VALUES (31, 1, 'a'), (32, 2, 'b')",
          "SELECT order_id, status FROM t_order WHERE order_id > 30 ORDER BY 1",
          "DROP TRIGGER fills",
          "LOCK TABLES t_order WRITE, t_country READ",
          "INSERT INTO t_order (order_id, user_id) VALUES (21, 1), (22, 2)",
          "UNLOCK TABLES",
          "FLUSH TABLES t_order",
          "HANDLER t_order OPEN");

  private CompatibilityCases() {}

  /** Those of {@link #SHARDED_STATEMENTS} that the servers of this run have. */
  static List<String> shardedStatements() {
    return SHARDED_STATEMENTS.stream()
        .filter(sql -> !DatabaseServers.areMySql() || !sql.contains("RETURNING"))
        .toList();
  }

  private static Map<String, Long> capabilities() {
    var all = new LinkedHashMap<String, Long>();
    all.put("CLIENT_LONG_PASSWORD", Capability.LONG_PASSWORD);
    all.put("CLIENT_FOUND_ROWS", Capability.FOUND_ROWS);
    all.put("CLIENT_LONG_FLAG", Capability.LONG_FLAG);
    all.put("CLIENT_CONNECT_WITH_DB", Capability.CONNECT_WITH_DB);
    all.put("CLIENT_COMPRESS", Capability.COMPRESS);
    all.put("CLIENT_ODBC", Capability.ODBC);
    all.put("CLIENT_LOCAL_FILES", Capability.LOCAL_FILES);
    all.put("CLIENT_IGNORE_SPACE", Capability.IGNORE_SPACE);
    all.put("CLIENT_PROTOCOL_41", Capability.PROTOCOL_41);
    all.put("CLIENT_INTERACTIVE", Capability.INTERACTIVE);
    all.put("CLIENT_SSL", Capability.SSL);
    all.put("CLIENT_TRANSACTIONS", Capability.TRANSACTIONS);
    all.put("CLIENT_SECURE_CONNECTION", Capability.SECURE_CONNECTION);
    all.put("CLIENT_MULTI_STATEMENTS", Capability.MULTI_STATEMENTS);
    all.put("CLIENT_MULTI_RESULTS", Capability.MULTI_RESULTS);
    all.put("CLIENT_PS_MULTI_RESULTS", Capability.PS_MULTI_RESULTS);
    all.put("CLIENT_PLUGIN_AUTH", Capability.PLUGIN_AUTH);
    all.put("CLIENT_CONNECT_ATTRS", Capability.CONNECT_ATTRS);
    all.put("CLIENT_PLUGIN_AUTH_LENENC_CLIENT_DATA", Capability.PLUGIN_AUTH_LENENC_CLIENT_DATA);
    all.put("CLIENT_CAN_HANDLE_EXPIRED_PASSWORDS", Capability.CAN_HANDLE_EXPIRED_PASSWORDS);
    all.put("CLIENT_SESSION_TRACK", Capability.SESSION_TRACK);
    all.put("CLIENT_DEPRECATE_EOF", Capability.DEPRECATE_EOF);
    all.put("CLIENT_OPTIONAL_RESULTSET_METADATA", Capability.OPTIONAL_RESULTSET_METADATA);
    all.put("CLIENT_ZSTD_COMPRESSION", Capability.ZSTD_COMPRESSION);
    all.put("CLIENT_QUERY_ATTRIBUTES", Capability.QUERY_ATTRIBUTES);
    all.put("CLIENT_MULTI_FACTOR_AUTHENTICATION", Capability.MULTI_FACTOR_AUTHENTICATION);
    all.put("CLIENT_CAPABILITY_EXTENSION", Capability.CAPABILITY_EXTENSION);
    all.put("CLIENT_SSL_VERIFY_SERVER_CERT", Capability.SSL_VERIFY_SERVER_CERT);
    all.put("CLIENT_REMEMBER_OPTIONS", Capability.REMEMBER_OPTIONS);
    all.put("MARIADB_PROGRESS", Capability.MARIADB_PROGRESS);
    all.put("MARIADB_COM_MULTI", Capability.MARIADB_COM_MULTI);
    all.put("MARIADB_STMT_BULK_OPERATIONS", Capability.MARIADB_STMT_BULK_OPERATIONS);
    all.put("MARIADB_EXTENDED_METADATA", Capability.MARIADB_EXTENDED_METADATA);
    all.put("MARIADB_CACHE_METADATA", Capability.MARIADB_CACHE_METADATA);
    all.put("MARIADB_BULK_UNIT_RESULTS", Capability.MARIADB_BULK_UNIT_RESULTS);
    return all;
  }

  private static Map<String, byte[]> commands() {
    var all = new LinkedHashMap<String, byte[]>();
    all.put("COM_SLEEP", bytes(0));
    all.put("COM_QUERY", bytes(3, 83, 69, 76, 69, 67, 84, 32, 49));
    all.put(
        "COM_INIT_DB",
        bytes(2, 105, 116, 95, 99, 111, 109, 112, 97, 116, 105, 98, 105, 108, 105, 116, 121));
    all.put("COM_FIELD_LIST", bytes(4, 110, 111, 119, 104, 101, 114, 101, 0));
    all.put("COM_CREATE_DB", bytes(5, 120));
    all.put("COM_DROP_DB", bytes(6, 120));
    all.put("COM_REFRESH", bytes(7, 1));
    all.put("COM_STATISTICS", bytes(9));
    all.put("COM_PROCESS_INFO", bytes(10));
    all.put("COM_CONNECT", bytes(11));
    all.put("COM_PROCESS_KILL", bytes(12, -1, -1, -1, 127));
    all.put("COM_DEBUG", bytes(13));
    all.put("COM_PING", bytes(14));
    all.put("COM_TIME", bytes(15));
    all.put("COM_DELAYED_INSERT", bytes(16));
    all.put("COM_CONNECT_OUT", bytes(20));
    all.put("COM_STMT_PREPARE", bytes(22, 83, 69, 76, 69, 67, 84, 32, 63));
    all.put("COM_STMT_EXECUTE of an unknown statement", bytes(23, 9, 9, 0, 0, 0, 1, 0, 0, 0));
    all.put("COM_STMT_RESET of an unknown statement", bytes(26, 9, 9, 0, 0));
    all.put("COM_STMT_FETCH of an unknown statement", bytes(28, 9, 9, 0, 0, 1, 0, 0, 0));
    all.put("COM_SET_OPTION", bytes(27, 0, 0));
    all.put("COM_DAEMON", bytes(29));
    all.put("COM_RESET_CONNECTION", bytes(31));
    all.put("0x20 (COM_CLONE)", bytes(32));
    all.put("COM_QUIT", bytes(1));
    return all;
  }

  private static byte[] bytes(int... values) {
    var bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
