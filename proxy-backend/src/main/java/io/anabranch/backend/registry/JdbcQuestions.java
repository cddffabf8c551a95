package io.anabranch.backend.registry;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What members ask each other, in a table: a row has its answer some time, and goes. */
record JdbcQuestions(String namespace) {

  String ask(Connection connection, String member, String text) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "DELETE FROM anabranch_member_question WHERE namespace = ?"
                + " AND asked < CURRENT_TIMESTAMP(3) - INTERVAL 1 MINUTE")) {
      statement.setString(1, namespace);
      statement.executeUpdate();
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO anabranch_member_question (namespace, member, question)"
                + " VALUES (?, ?, ?)",
            Statement.RETURN_GENERATED_KEYS)) {
      statement.setString(1, namespace);
      statement.setString(2, member);
      statement.setString(3, text);
      statement.executeUpdate();
      try (ResultSet key = statement.getGeneratedKeys()) {
        key.next();
        return key.getString(1);
      }
    }
  }

  List<MemberQuestion> of(Connection connection, String member) throws SQLException {
    var found = new ArrayList<MemberQuestion>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT id, question FROM anabranch_member_question"
                + " WHERE namespace = ? AND member = ? AND answer IS NULL"
                + " AND asked >= CURRENT_TIMESTAMP(3) - INTERVAL 10 SECOND ORDER BY id")) {
      statement.setString(1, namespace);
      statement.setString(2, member);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(new MemberQuestion(row.getString(1), member, row.getString(2)));
        }
      }
    }
    return found;
  }

  int answer(Connection connection, MemberQuestion question, String answer) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "UPDATE anabranch_member_question SET answer = ? WHERE id = ?")) {
      statement.setString(1, answer);
      statement.setString(2, question.id());
      return statement.executeUpdate();
    }
  }

  @Nullable String answered(Connection connection, String question) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT answer FROM anabranch_member_question WHERE id = ?")) {
      statement.setString(1, question);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }

  int forget(Connection connection, String question) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("DELETE FROM anabranch_member_question WHERE id = ?")) {
      statement.setString(1, question);
      return statement.executeUpdate();
    }
  }
}
