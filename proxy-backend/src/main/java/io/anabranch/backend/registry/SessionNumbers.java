package io.anabranch.backend.registry;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.BitSet;

/**
 * The numbers of members in a table. One that was not given back stays its member's for a day: the
 * proxy may live on without the registry, and its clients with it.
 */
final class SessionNumbers {

  private static final int DUPLICATE = 1062;
  private static final int NONE = 0;

  private SessionNumbers() {}

  /** That of a member, which has it again for a day; {@code 0}: there is none left. */
  static int of(Connection connection, String namespace, String member, int most)
      throws SQLException {
    int own = renewed(connection, namespace, member);
    while (own == NONE) {
      int free = free(connection, namespace, most);
      if (free == NONE) {
        return NONE;
      }
      own = take(connection, namespace, member, free);
    }
    return own;
  }

  private static int renewed(Connection connection, String namespace, String member)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "UPDATE anabranch_member_number SET beat = CURRENT_TIMESTAMP(3)"
                + " WHERE namespace = ? AND member = ?")) {
      statement.setString(1, namespace);
      statement.setString(2, member);
      statement.executeUpdate();
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT number FROM anabranch_member_number WHERE namespace = ? AND member = ?")) {
      statement.setString(1, namespace);
      statement.setString(2, member);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getInt(1) : NONE;
      }
    }
  }

  private static int free(Connection connection, String namespace, int most) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "DELETE FROM anabranch_member_number WHERE namespace = ?"
                + " AND beat < CURRENT_TIMESTAMP(3) - INTERVAL 1 DAY")) {
      statement.setString(1, namespace);
      statement.executeUpdate();
    }
    var taken = new BitSet();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT number FROM anabranch_member_number WHERE namespace = ?")) {
      statement.setString(1, namespace);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          taken.set(row.getInt(1));
        }
      }
    }
    int free = taken.nextClearBit(1);
    return free > most ? NONE : free;
  }

  private static int take(Connection connection, String namespace, String member, int number)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO anabranch_member_number (namespace, number, member) VALUES (?, ?, ?)")) {
      statement.setString(1, namespace);
      statement.setInt(2, number);
      statement.setString(3, member);
      statement.executeUpdate();
      return number;
    } catch (SQLException failure) {
      if (failure.getErrorCode() != DUPLICATE) {
        throw failure;
      }
      return NONE;
    }
  }

  /** Gives it back. */
  static int giveBack(Connection connection, String namespace, String member) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "DELETE FROM anabranch_member_number WHERE namespace = ? AND member = ?")) {
      statement.setString(1, namespace);
      statement.setString(2, member);
      return statement.executeUpdate();
    }
  }
}
