package io.anabranch.app.faults;

import com.mysql.cj.jdbc.JdbcConnection;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * What a client does, and the packets in which a fault may meet it. The table {@code account} has
 * rows of even ids behind the faulty link and of odd ones beside it.
 */
enum FaultCommand {
  POINT_SELECT(0, 0, "text: point_mark") {
    @Override
    String run(Connection connection) throws SQLException {
      return rows(connection, "SELECT balance AS point_mark FROM account WHERE id = 2");
    }
  },
  MANY_ROWS_OF_ONE(0, 0, "text: many_mark") {
    @Override
    String run(Connection connection) throws SQLException {
      return rows(
          connection,
          "SELECT id AS many_mark, balance FROM account WHERE id IN (2, 4, 6, 8, 10, 12) ORDER BY"
              + " id");
    }
  },
  MERGED_ROWS(0, 0, "text: merged_mark") {
    @Override
    String run(Connection connection) throws SQLException {
      return rows(connection, "SELECT id, balance AS merged_mark FROM account ORDER BY id");
    }
  },
  SUM(0, 0, "text: sum_mark") {
    @Override
    String run(Connection connection) throws SQLException {
      return rows(connection, "SELECT SUM(balance) AS sum_mark FROM account");
    }
  },
  PREPARED_SELECT(0, 0, "binary: prepared_mark") {
    @Override
    String run(Connection connection) throws SQLException {
      return prepared(connection, "SELECT balance AS prepared_mark FROM account WHERE id = ?", 2);
    }
  },
  PREPARED_MERGE(0, 0, "binary: spread_mark") {
    @Override
    String run(Connection connection) throws SQLException {
      return prepared(
          connection, "SELECT id AS spread_mark FROM account WHERE id > ? ORDER BY id", 0);
    }
  },
  INSERT(1, 0, "text: INSERT INTO account") {
    @Override
    String run(Connection connection) throws SQLException {
      return update(connection, "INSERT INTO account VALUES (1000, 1)");
    }
  },
  INSERT_OF_BOTH(1, 1, "text: INSERT INTO account|once: XA PREPARE|once: XA COMMIT") {
    @Override
    String run(Connection connection) throws SQLException {
      return update(connection, "INSERT INTO account VALUES (1000, 1), (1001, 1)");
    }
  },
  UPDATE_OF_ONE(1, 0, "text: UPDATE account") {
    @Override
    String run(Connection connection) throws SQLException {
      return update(connection, "UPDATE account SET balance = balance + 1 WHERE id = 4");
    }
  },
  UPDATE_OF_ALL(20, 20, "text: UPDATE account|once: XA PREPARE|once: XA COMMIT") {
    @Override
    String run(Connection connection) throws SQLException {
      return update(connection, "UPDATE account SET balance = balance + 1");
    }
  },
  PREPARED_UPDATE(5, 0, "binary: UPDATE account") {
    @Override
    String run(Connection connection) throws SQLException {
      try (PreparedStatement update =
          connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = 6")) {
        update.setInt(1, 5);
        return Integer.toString(update.executeUpdate());
      }
    }
  },
  LONG_DATA(1, 0, "binary: UPDATE account") {
    @Override
    String run(Connection connection) throws SQLException {
      try (PreparedStatement update =
          connection.prepareStatement(
              "UPDATE account SET balance = balance + LENGTH(?) WHERE id = 6")) {
        update.setBinaryStream(1, new ByteArrayInputStream(new byte[1]));
        return Integer.toString(update.executeUpdate());
      }
    }
  },
  TRANSACTION_OF_ONE(2, 0, "once: UPDATE account|text: COMMIT") {
    @Override
    String run(Connection connection) throws SQLException {
      return transaction(connection, 2, 4);
    }
  },
  TRANSACTION_OF_BOTH(
      1, 1, "once: UPDATE account|text: COMMIT|once: XA END|once: XA PREPARE|once: XA COMMIT") {
    @Override
    String run(Connection connection) throws SQLException {
      return transaction(connection, 2, 3);
    }
  },
  LOAD_LOCAL(2, 2, "text: LOAD DATA LOCAL") {
    @Override
    String run(Connection connection) throws SQLException {
      return update(
          connection, "LOAD DATA LOCAL INFILE '" + FaultMatrixIT.FILE + "' INTO TABLE account");
    }
  },
  SHOW(0, 0, "text: SHOW COLUMNS") {
    @Override
    String run(Connection connection) throws SQLException {
      return rows(connection, "SHOW COLUMNS FROM account");
    }
  },
  SET_AND_READ(0, 0, "text: 'set_mark'|text: read_mark") {
    @Override
    String run(Connection connection) throws SQLException {
      update(connection, "SET @x = 'set_mark'");
      return rows(connection, "SELECT @x AS read_mark FROM account WHERE id = 2");
    }
  },
  CREATE_AND_DROP(0, 0, "text: CREATE TABLE|once: DROP TABLE") {
    @Override
    String run(Connection connection) throws SQLException {
      update(connection, "CREATE TABLE IF NOT EXISTS extra (id INT PRIMARY KEY)");
      return update(connection, "DROP TABLE IF EXISTS extra");
    }
  },
  CURSOR(0, 0, "binary: cursor_mark|text: \u001c") {
    @Override
    Driver driver() {
      return Driver.MYSQL;
    }

    @Override
    String run(Connection connection) throws SQLException {
      try (PreparedStatement query =
          connection.prepareStatement("SELECT id AS cursor_mark FROM account ORDER BY id")) {
        query.setFetchSize(3);
        try (ResultSet rows = query.executeQuery()) {
          return text(rows);
        }
      }
    }
  },
  BATCH(3, 2, "text: INSERT INTO account|once: XA PREPARE|once: XA COMMIT") {
    @Override
    String run(Connection connection) throws SQLException {
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO account VALUES (?, 1)")) {
        for (int id = 1000; id < 1005; id++) {
          insert.setInt(1, id);
          insert.addBatch();
        }
        int count = insert.executeBatch().length;
        connection.commit();
        connection.setAutoCommit(true);
        return Integer.toString(count);
      }
    }
  },
  CHANGE_OF_USER(0, 0, "text: \u0011|text: changed_mark") {
    @Override
    Driver driver() {
      return Driver.MYSQL;
    }

    @Override
    String run(Connection connection) throws SQLException {
      update(connection, "SET @x = 1");
      connection.unwrap(JdbcConnection.class).changeUser(RunningProxy.USER, RunningProxy.PASSWORD);
      return rows(connection, "SELECT @x AS changed_mark FROM account WHERE id = 2");
    }
  },
  RESET(0, 0, "text: \u001f|text: reset_mark") {
    @Override
    Driver driver() {
      return Driver.MYSQL;
    }

    @Override
    String run(Connection connection) throws SQLException {
      update(connection, "SET @x = 1");
      connection.unwrap(JdbcConnection.class).resetServerState();
      return rows(connection, "SELECT @x AS reset_mark FROM account WHERE id = 2");
    }
  },
  CHANGE_OF_DATABASE(0, 0, "text: \u0002|text: database_mark") {
    @Override
    String run(Connection connection) throws SQLException {
      String database = connection.getCatalog();
      connection.setCatalog("information_schema");
      connection.setCatalog(database);
      return rows(connection, "SELECT balance AS database_mark FROM account WHERE id = 2");
    }
  },
  SEVERAL_STATEMENTS(1, 0, "text: UPDATE account|text: several_mark") {
    @Override
    String run(Connection connection) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "UPDATE account SET balance = balance + 1 WHERE id = 4; SELECT balance AS several_mark"
                + " FROM account WHERE id = 4");
        int count = statement.getUpdateCount();
        statement.getMoreResults();
        try (ResultSet rows = statement.getResultSet()) {
          return count + " " + text(rows);
        }
      }
    }
  },
  TEMPORARY_TABLE(0, 0, "text: CREATE TEMPORARY|text: temporary_mark") {
    @Override
    String run(Connection connection) throws SQLException {
      update(connection, "CREATE TEMPORARY TABLE kept (temporary_mark INT)");
      update(connection, "INSERT INTO kept (temporary_mark) VALUES (7)");
      String rows = rows(connection, "SELECT * FROM kept");
      update(connection, "DROP TEMPORARY TABLE kept");
      return rows;
    }
  },
  LOCKED_TABLE(1, 0, "text: LOCK TABLES|text: UPDATE account|text: UNLOCK") {
    @Override
    String run(Connection connection) throws SQLException {
      update(connection, "LOCK TABLES account WRITE");
      String count = update(connection, "UPDATE account SET balance = balance + 1 WHERE id = 4");
      update(connection, "UNLOCK TABLES");
      return count;
    }
  },
  PING(0, 0, "text: \u000e") {
    @Override
    String run(Connection connection) throws SQLException {
      return Boolean.toString(connection.isValid(6));
    }
  };

  /** What it adds to the sums of balances of even and of odd ids. */
  final int even;

  final int odd;

  private final String marks;

  /**
   * @param marks what is in its commands, and how each is met: {@code text}, at its packets; {@code
   *     once}, itself and the first packet of its answer; {@code binary}, prepared and executed
   */
  FaultCommand(int even, int odd, String marks) {
    this.even = even;
    this.odd = odd;
    this.marks = marks;
  }

  /** The packets in which a fault may meet it. */
  List<Trigger> triggers() {
    var all = new ArrayList<Trigger>();
    for (String each : marks.split("\\|", -1)) {
      String mark = each.substring(each.indexOf(' ') + 1);
      if (each.startsWith("text")) {
        all.addAll(texts(mark));
      } else if (each.startsWith("once")) {
        all.addAll(ends(mark));
      } else {
        all.addAll(binary(mark));
      }
    }
    return all;
  }

  /** Whose client sends it. */
  Driver driver() {
    return Driver.MARIADB;
  }

  /** What it answers, as text. */
  abstract String run(Connection connection) throws SQLException;

  boolean isWrite() {
    return even + odd > 0;
  }

  private static List<Trigger> texts(String mark) {
    return List.of(
        new Trigger("command", mark, 0),
        new Trigger("first packet", mark, 1),
        new Trigger("within the answer", mark, 4));
  }

  private static List<Trigger> ends(String mark) {
    String stage = mark.startsWith("XA") ? mark : "statement before COMMIT";
    return List.of(new Trigger(stage, mark, 0), new Trigger(stage + ": answer", mark, 1));
  }

  private static List<Trigger> binary(String mark) {
    return List.of(
        new Trigger("prepare", mark, 0),
        new Trigger("prepare: answer", mark, 1),
        new Trigger("execute", "\u0017", 0),
        new Trigger("execute: first packet", "\u0017", 1),
        new Trigger("execute: within the answer", "\u0017", 4));
  }

  private static String rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return text(rows);
    }
  }

  private static String prepared(Connection connection, String sql, int value) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, value);
      try (ResultSet rows = statement.executeQuery()) {
        return text(rows);
      }
    }
  }

  private static String text(ResultSet rows) throws SQLException {
    var text = new StringBuilder();
    int columns = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      for (int i = 1; i <= columns; i++) {
        text.append(rows.getString(i)).append(i == columns ? '\n' : ',');
      }
    }
    return text.toString();
  }

  private static String update(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return Integer.toString(statement.executeUpdate(sql));
    }
  }

  private static String transaction(Connection connection, int... ids) throws SQLException {
    connection.setAutoCommit(false);
    for (int id : ids) {
      update(connection, "UPDATE account SET balance = balance + 1 WHERE id = " + id);
    }
    connection.commit();
    connection.setAutoCommit(true);
    return "committed";
  }
}
