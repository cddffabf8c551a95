package io.anabranch.backend.deadlock;

import io.anabranch.backend.health.Asker;
import io.anabranch.backend.health.Asker.AskException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whose row lock, in the words of one kind of server.
 *
 * @see <a href="https://mariadb.com/kb/en/information-schema-innodb_lock_waits-table/">MariaDB</a>
 * @see <a
 *     href="https://dev.mysql.com/doc/refman/8.4/en/performance-schema-data-lock-waits-table.html">
 *     MySQL</a>
 */
enum LockQuestion {
  /** MariaDB, and MySQL before 8. */
  INNODB(
      """
      SELECT r.trx_mysql_thread_id AS waiter, b.trx_mysql_thread_id AS blocker,
             CONCAT(r.trx_id, ' ', b.trx_id, ' ', w.requested_lock_id) AS what
      FROM information_schema.innodb_lock_waits w
      JOIN information_schema.innodb_trx r ON r.trx_id = w.requesting_trx_id
      JOIN information_schema.innodb_trx b ON b.trx_id = w.blocking_trx_id\
      """,
      "GRANT PROCESS ON *.*"),

  /** MySQL 8 and later. */
  PERFORMANCE_SCHEMA(
      """
      SELECT r.processlist_id AS waiter, b.processlist_id AS blocker,
             CONCAT(w.requesting_engine_transaction_id, ' ', w.blocking_engine_transaction_id, ' ',
                    w.requesting_engine_lock_id) AS what
      FROM performance_schema.data_lock_waits w
      JOIN performance_schema.threads r ON r.thread_id = w.requesting_thread_id
      JOIN performance_schema.threads b ON b.thread_id = w.blocking_thread_id\
      """,
      "GRANT SELECT ON performance_schema.*");

  private final String sql;
  private final String grant;

  LockQuestion(String sql, String grant) {
    this.sql = sql;
    this.grant = grant;
  }

  /** The one that this server understands. */
  static LockQuestion of(Asker asker) throws AskException {
    String version = asker.ask("SELECT VERSION() AS version").getFirst().get("version");
    if (version == null || version.contains("MariaDB") || version.startsWith("5.")) {
      return INNODB;
    }
    return PERFORMANCE_SCHEMA;
  }

  /** The right that an account needs to ask. */
  String grant() {
    return grant;
  }

  Set<LockWait> ask(Asker asker) throws AskException {
    var waits = new HashSet<LockWait>();
    List<Map<String, @Nullable String>> rows = asker.ask(sql);
    for (Map<String, @Nullable String> row : rows) {
      String waiter = row.get("waiter");
      String blocker = row.get("blocker");
      if (waiter != null && blocker != null) {
        waits.add(
            new LockWait(
                Long.parseLong(waiter), Long.parseLong(blocker), String.valueOf(row.get("what"))));
      }
    }
    return waits;
  }
}
