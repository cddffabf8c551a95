package io.anabranch.app.compatibility;

import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.protocol.type.Capability;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@link CompatibilityIT} tries, in the order of the page. */
final class CompatibilityCases {

  /** Names of capabilities with their bits. */
  static final Map<String, Long> CAPABILITIES = capabilities();

  /** Names of commands with a packet that has no effect. */
  static final Map<String, byte[]> COMMANDS = commands();

  /** Session variables with an expression to set them to. */
  static final Map<String, String> VARIABLES = variables();

  /**
   * Families of statements; those of a family run one after the other in a session of their own.
   */
  static final Map<String, List<String>> STATEMENTS = statements();

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
  static final List<String> SHARDED_STATEMENTS =
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

  private static Map<String, String> variables() {
    var all = new LinkedHashMap<String, String>();
    all.put("autocommit", "0");
    all.put("sql_mode", "'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'");
    all.put("time_zone", "'+03:00'");
    all.put("character_set_client", "latin1");
    all.put("character_set_connection", "utf8mb4");
    all.put("character_set_results", "NULL");
    all.put("collation_connection", "utf8mb4_bin");
    all.put("collation_database", "utf8mb4_bin");
    all.put("tx_isolation", "'SERIALIZABLE'");
    all.put("tx_read_only", "1");
    all.put("sql_select_limit", "3");
    all.put("group_concat_max_len", "64");
    all.put("max_join_size", "1000");
    all.put("sql_big_selects", "0");
    all.put("sql_safe_updates", "1");
    all.put("sql_auto_is_null", "1");
    all.put("sql_notes", "0");
    all.put("sql_warnings", "1");
    all.put("sql_quote_show_create", "0");
    all.put("foreign_key_checks", "0");
    all.put("unique_checks", "0");
    all.put("auto_increment_increment", "5");
    all.put("auto_increment_offset", "2");
    all.put("insert_id", "77");
    all.put("last_insert_id", "78");
    all.put("lc_time_names", "'de_DE'");
    all.put("div_precision_increment", "8");
    all.put("net_read_timeout", "61");
    all.put("net_write_timeout", "62");
    all.put("wait_timeout", "63");
    all.put("interactive_timeout", "64");
    all.put("lock_wait_timeout", "5");
    all.put("innodb_lock_wait_timeout", "6");
    all.put("max_statement_time", "7");
    all.put("optimizer_switch", "'index_merge=off'");
    all.put("sort_buffer_size", "65536");
    all.put("join_buffer_size", "65536");
    all.put("tmp_table_size", "65536");
    all.put("max_heap_table_size", "65536");
    all.put("big_tables", "0");
    all.put("default_week_format", "3");
    all.put("explicit_defaults_for_timestamp", "0");
    all.put("completion_type", "1");
    all.put("profiling", "0");
    all.put("updatable_views_with_limit", "0");
    all.put("max_sort_length", "64");
    all.put("max_error_count", "10");
    all.put("query_prealloc_size", "16384");
    all.put("low_priority_updates", "1");
    all.put("default_storage_engine", "MyISAM");
    all.put("binlog_format", "'ROW'");
    all.put("sql_log_bin", "1");
    all.put("read_only", "1");
    all.put("nowhere_to_be_found", "1");
    return all;
  }

  private static Map<String, List<String>> statements() {
    var all = new LinkedHashMap<String, List<String>>();
    all.put(
        "CREATE, ALTER, RENAME, TRUNCATE, DROP TABLE",
        List.of(
            "CREATE OR REPLACE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
            "ALTER TABLE t ADD COLUMN b INT, ADD INDEX (b)",
            "RENAME TABLE t TO u",
            "SHOW CREATE TABLE u",
            "TRUNCATE u",
            "DROP TABLE u",
            "DROP TABLE u"));
    all.put(
        "INSERT, REPLACE, UPDATE, DELETE",
        List.of(
            "CREATE OR REPLACE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
            "INSERT INTO t (a, s) VALUES (1, 'one'), (2, 'two'), (3, NULL)",
            "INSERT INTO t (id, a) VALUES (1, 5) ON DUPLICATE KEY UPDATE a = a + 1",
            "REPLACE INTO t VALUES (2, 22, 'x')",
            "UPDATE t SET a = a + 1 ORDER BY id LIMIT 2",
            "DELETE FROM t WHERE a > 20",
            "SELECT * FROM t ORDER BY id"));
    all.put(
        "INSERT … RETURNING",
        List.of(
            "CREATE OR REPLACE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
            "INSERT INTO t (a) VALUES (1), (2) RETURNING id, a"));
    all.put(
        "Queries: joins, CTE, window functions, UNION",
        List.of(
            "CREATE OR REPLACE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
            "INSERT INTO t (a, s) VALUES (1, 'one'), (2, 'two'), (3, NULL)",
            "SELECT * FROM t x LEFT JOIN t y ON x.a = y.id ORDER BY x.id",
            "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT * FROM n",
            "SELECT a, ROW_NUMBER() OVER (ORDER BY a DESC) AS r FROM t ORDER BY a",
            "(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1 DESC",
            "VALUES (1, 2), (3, 4)"));
    all.put(
        "Transactions and savepoints",
        List.of(
            "CREATE OR REPLACE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
            "BEGIN",
            "INSERT INTO t (a, s) VALUES (1, 'one'), (2, 'two'), (3, NULL)",
            "SAVEPOINT one",
            "DELETE FROM t",
            "ROLLBACK TO one",
            "RELEASE SAVEPOINT one",
            "COMMIT",
            "SELECT COUNT(*) FROM t",
            "START TRANSACTION READ ONLY",
            "DELETE FROM t",
            "ROLLBACK",
            "SET autocommit = 0",
            "DELETE FROM t",
            "ROLLBACK",
            "SET autocommit = 1",
            "SELECT COUNT(*) FROM t"));
    all.put(
        "XA",
        List.of(
            "XA START 'a'",
            "SELECT 1",
            "XA END 'a'",
            "XA PREPARE 'a'",
            "XA RECOVER",
            "XA ROLLBACK 'a'"));
    all.put(
        "LOCK TABLES",
        List.of(
            "CREATE OR REPLACE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
            "LOCK TABLES t WRITE",
            "INSERT INTO t (a) VALUES (1)",
            "SELECT * FROM mysql.user LIMIT 0",
            "UNLOCK TABLES"));
    all.put(
        "GET_LOCK",
        List.of("SELECT GET_LOCK('c', 1)", "SELECT IS_FREE_LOCK('c')", "SELECT RELEASE_LOCK('c')"));
    all.put(
        "Temporary tables",
        List.of(
            "CREATE TEMPORARY TABLE tt (a INT)",
            "INSERT INTO tt VALUES (1)",
            "SELECT * FROM tt",
            "DROP TEMPORARY TABLE tt"));
    all.put(
        "User variables",
        List.of(
            "SET @a = 5, @b := 'x'",
            "SELECT @a + 1, @b",
            "SELECT @a := @a + 1",
            "SELECT @a",
            "SELECT 7 INTO @c",
            "SELECT @c"));
    all.put(
        "State inside of functions, triggers and blocks",
        List.of(
            "CREATE TABLE summed (a INT)",
            "CREATE TRIGGER sums BEFORE INSERT ON summed FOR EACH ROW SET @sum = @sum + NEW.a",
            "CREATE FUNCTION counted() RETURNS INT READS SQL DATA RETURN @counted := @counted + 1",
            "SET @sum = 0, @counted = 5",
            "INSERT INTO summed VALUES (1), (2)",
            "SELECT @sum + 0",
            "SET @other = 1",
            "SELECT counted()",
            "SELECT @counted + 0, @sum + 0",
            "BEGIN NOT ATOMIC SET @counted = 9; END",
            "SELECT @counted + 0",
            "EXECUTE IMMEDIATE 'SET @sum = 11'",
            "SELECT @sum + 0",
            "DROP FUNCTION counted",
            "DROP TABLE summed"));
    all.put(
        "PREPARE, EXECUTE, DEALLOCATE",
        List.of(
            "PREPARE p FROM 'SELECT ? + ?'",
            "SET @x = 1, @y = 2",
            "EXECUTE p USING @x, @y",
            "DEALLOCATE PREPARE p",
            "EXECUTE p",
            "EXECUTE IMMEDIATE 'SELECT 1'"));
    all.put(
        "PREPARE of SET", List.of("PREPARE p FROM 'SET @p = ?'", "EXECUTE p USING 4", "SELECT @p"));
    all.put(
        "Stored procedures with results and OUT parameters",
        List.of(
            "CREATE OR REPLACE PROCEDURE pr(IN a INT, OUT b INT) BEGIN SELECT a; SET b = a + 1; END",
            "CALL pr(4, @out)",
            "SELECT @out",
            "DROP PROCEDURE pr"));
    all.put(
        "Functions, triggers, views, sequences",
        List.of(
            "CREATE OR REPLACE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
            "CREATE OR REPLACE FUNCTION f(a INT) RETURNS INT DETERMINISTIC RETURN a + LAST_INSERT_ID() * 0",
            "SELECT f(2)",
            "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.a = NEW.a * 10",
            "INSERT INTO t (a) VALUES (4)",
            "CREATE OR REPLACE VIEW v AS SELECT a FROM t",
            "SELECT * FROM v",
            "CREATE OR REPLACE SEQUENCE sq",
            "SELECT NEXTVAL(sq)",
            "SELECT LASTVAL(sq)",
            "DROP VIEW v",
            "DROP FUNCTION f",
            "DROP SEQUENCE sq"));
    all.put(
        "LAST_INSERT_ID(), ROW_COUNT(), FOUND_ROWS()",
        List.of(
            "CREATE OR REPLACE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
            "INSERT INTO t (a, s) VALUES (1, 'one'), (2, 'two'), (3, NULL)",
            "SELECT LAST_INSERT_ID()",
            "UPDATE t SET a = 9 WHERE id < 3",
            "SELECT ROW_COUNT()",
            "SELECT SQL_CALC_FOUND_ROWS * FROM t LIMIT 1",
            "SELECT FOUND_ROWS()",
            "INSERT INTO t (id) VALUES (50)",
            "SELECT LAST_INSERT_ID()"));
    all.put(
        "SHOW WARNINGS, SHOW ERRORS",
        List.of(
            "CREATE OR REPLACE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
            "INSERT IGNORE INTO t (a) VALUES ('x')",
            "SHOW WARNINGS",
            "SELEC",
            "SHOW ERRORS",
            "SHOW COUNT(*) WARNINGS",
            "SELECT 1/0",
            "SHOW WARNINGS LIMIT 1"));
    all.put(
        "SHOW TABLES, COLUMNS, INDEX, CREATE, TABLE STATUS",
        List.of(
            "CREATE OR REPLACE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
            "SHOW TABLES LIKE 't'",
            "SHOW FULL COLUMNS FROM t",
            "SHOW INDEX FROM t",
            "SHOW CREATE TABLE t"));
    all.put(
        "EXPLAIN, DESCRIBE, ANALYZE",
        List.of(
            "CREATE OR REPLACE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
            "EXPLAIN SELECT * FROM t WHERE id = 1",
            "DESCRIBE t",
            "ANALYZE TABLE t",
            "CHECK TABLE t",
            "CHECKSUM TABLE t"));
    all.put(
        "HANDLER",
        List.of(
            "CREATE OR REPLACE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20))",
            "INSERT INTO t (a, s) VALUES (1, 'one'), (2, 'two'), (3, NULL)",
            "HANDLER t OPEN",
            "HANDLER t READ FIRST",
            "HANDLER t CLOSE"));
    all.put("SET STATEMENT … FOR", List.of("SET STATEMENT sql_mode = '' FOR SELECT @@sql_mode"));
    all.put(
        "Compound statements outside of programs",
        List.of(
            "BEGIN NOT ATOMIC DECLARE x INT DEFAULT 4; SELECT x; END",
            "FOR i IN 1..2 DO SELECT i; END FOR"));
    all.put(
        "SET NAMES, character set introducers",
        List.of(
            "SET NAMES latin1",
            "SELECT _utf8mb4 x'C3A9', 'a' COLLATE latin1_bin",
            "SET CHARACTER SET utf8mb4",
            "SELECT @@character_set_client"));
    all.put(
        "SET NAMES gbk, sjis, euckr",
        List.of("SET NAMES gbk", "SELECT HEX('a')", "SET NAMES sjis", "SET NAMES euckr"));
    all.put(
        "Comments alone, executable comments",
        List.of("/* nothing */", "-- nothing", "SELECT 1 /*! + 1 */ /*!99999 + 1 */ # end", ""));
    all.put(
        "KILL of an unknown session, FLUSH, DO", List.of("KILL 999999999", "FLUSH TABLES", "DO 1"));
    all.put(
        "DATABASE(), USER(), CURRENT_USER(), VERSION()",
        List.of("SELECT DATABASE()", "SELECT VERSION()"));
    all.put(
        "Statements that end in errors",
        List.of(
            "SELECT * FROM nowhere",
            "SELECT nothing",
            "SELECT 'a",
            "INSERT INTO nowhere VALUES (1)",
            "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'own', MYSQL_ERRNO = 5001"));
    return all;
  }
}
