package io.anabranch.backend.topology.position;

import io.anabranch.rules.sql.TableNames;
import java.util.Locale;

/**
 * How far writes have come, by GTID: what a replica must have applied to show them. Immutable.
 *
 * @see <a href="https://mariadb.com/kb/en/gtid/">MariaDB's GTIDs</a>
 * @see <a
 *     href="https://dev.mysql.com/doc/refman/8.4/en/replication-gtids-concepts.html">MySQL's</a>
 */
public sealed interface Position permits DomainPosition, UuidPosition {

  /**
   * @param text as {@code @@last_gtid}, {@code @@gtid_binlog_pos}, {@code @@gtid_executed} or the
   *     session tracker tell it
   * @throws IllegalArgumentException if it is no GTID
   */
  static Position parse(String text) {
    return text.indexOf(':') >= 0 ? UuidPosition.of(text) : DomainPosition.of(text);
  }

  /** Both, where they are needed: whoever has reached it has reached each, and perhaps more. */
  Position plus(Position other);

  /** Both, where they have been reached: all of it has been, and perhaps more. */
  Position withReached(Position other);

  /** Whether whoever has reached this has surely reached {@code other}. */
  boolean includes(Position other);

  /** As the databases write it. */
  String text();

  /**
   * A query with one row of one column: 0 as soon as the replica that runs it has reached this
   * position, anything else if it has not in time.
   */
  default String await(long milliseconds) {
    String function =
        this instanceof DomainPosition ? "MASTER_GTID_WAIT" : "WAIT_FOR_EXECUTED_GTID_SET";
    return String.format(
        Locale.ROOT,
        "SELECT %s(%s, %d.%03d)",
        function,
        TableNames.literal(text()),
        milliseconds / 1000,
        milliseconds % 1000);
  }
}
