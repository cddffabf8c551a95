package io.anabranch.app;

import io.anabranch.testkit.DatabaseServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Connections that a database server ends, as an administrator's KILL does. */
final class BrokenConnections {

  private static final int NO_SUCH_THREAD = 1094;

  private BrokenConnections() {}

  /** Ends all connections to the schema; returns when the server has none of them any more. */
  static void to(String schema, DatabaseServer server) {
    String ids =
        server.queryOne(
            "SELECT IFNULL(GROUP_CONCAT(id), '') FROM information_schema.processlist WHERE db = '"
                + schema
                + "'");
    if (ids.isEmpty()) {
      return;
    }
    try (Connection killer = server.connect("");
        Statement statement = killer.createStatement()) {
      for (String id : ids.split(",", -1)) {
        kill(statement, id);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    Eventually.holds(
        "the connections are gone",
        () ->
            server
                .queryOne(
                    "SELECT COUNT(*) FROM information_schema.processlist WHERE id IN (" + ids + ")")
                .equals("0"));
  }

  /** Those that end by themselves meanwhile are as welcome. */
  private static void kill(Statement statement, String id) throws SQLException {
    try {
      statement.execute("KILL " + id);
    } catch (SQLException e) {
      if (e.getErrorCode() != NO_SUCH_THREAD) {
        throw e;
      }
    }
  }
}
