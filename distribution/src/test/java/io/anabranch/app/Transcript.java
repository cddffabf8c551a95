package io.anabranch.app;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a client can see of a statement's answer, as text, so that two servers can be
 * compared.
 *
 * @param head columns, or the counts of an OK, or the error
 */
public record Transcript(String head, List<String> rows) {

  /** One server has nothing to say of it. */
  private static final int KEY_ACROSS_SHARDS = 32050;

  public Transcript {
    rows = List.copyOf(rows);
  }

  public boolean isRefusal() {
    return head.matches("(?s)error \\d+ \\w+ .*\\bAB2\\d{3}\\b.*");
  }

  public boolean isError() {
    return head.startsWith("error ");
  }

  /** Warnings that name no row come in no particular order. */
  Transcript withSortedWarnings() {
    String[] parts = head.split("(?= warning )");
    Arrays.sort(parts, 1, parts.length);
    return new Transcript(String.join("", parts), rows);
  }

  /**
   * Strings without case, accents and the blanks at their end or in front of a dash. Of values that
   * are equal under the collation MySQL may show any: for GROUP BY, DISTINCT, MIN and MAX.
   */
  public Transcript folded() {
    return new Transcript(
        head,
        rows.stream()
            .map(row -> Normalizer.normalize(row, Normalizer.Form.NFD))
            .map(
                row ->
                    row.replaceAll("\\p{M}", "")
                        .replaceAll(" +(?=['-])", "")
                        .toLowerCase(Locale.ROOT))
            .toList());
  }

  /** The error's number and SQLSTATE alone. */
  public Transcript withoutMessage() {
    return new Transcript(head.replaceFirst("(?s)^(error \\d+ \\w+) .*", "$1"), rows);
  }

  /** Runs text statements; a parameter array makes it a prepared statement. */
  public static Transcript of(Connection connection, String sql, @Nullable Object... parameters) {
    try {
      if (parameters.length == 0) {
        try (Statement statement = connection.createStatement()) {
          return answer(statement, statement.execute(sql, Statement.RETURN_GENERATED_KEYS));
        }
      }
      try (PreparedStatement statement =
          connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
        for (int i = 0; i < parameters.length; i++) {
          statement.setObject(i + 1, parameters[i]);
        }
        return answer(statement, statement.execute());
      }
    } catch (SQLException e) {
      return error(e);
    }
  }

  private static Transcript error(SQLException e) {
    String head =
        "error %d %s %s"
            .formatted(
                e.getErrorCode(), e.getSQLState(), withoutIds(String.valueOf(e.getMessage())));
    return new Transcript(head, List.of());
  }

  /** The same with a prepared statement, whose rows come in the binary protocol. */
  public static Transcript prepared(Connection connection, String sql) {
    try (PreparedStatement statement =
        connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
      return answer(statement, statement.execute());
    } catch (SQLException e) {
      return error(e);
    }
  }

  /** The MariaDB driver puts the connection's id in front. */
  private static String withoutIds(String message) {
    return message.replaceFirst("^\\(conn=\\d+\\) ", "");
  }

  private static Transcript answer(Statement statement, boolean hasRows) throws SQLException {
    if (!hasRows) {
      var head = new StringBuilder("affected " + statement.getUpdateCount() + " keys");
      try (ResultSet keys = statement.getGeneratedKeys()) {
        while (keys.next()) {
          head.append(' ').append(keys.getString(1));
        }
      }
      return new Transcript(head + warnings(statement), List.of());
    }
    try (ResultSet result = statement.getResultSet()) {
      ResultSetMetaData columns = result.getMetaData();
      var head = new StringBuilder();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        head.append(
            "%s|%s|%s|%s|%s|%d|%d|%d|%b|%d%n"
                .formatted(
                    columns.getColumnLabel(i),
                    columns.getColumnName(i),
                    columns.getTableName(i),
                    columns.getColumnTypeName(i),
                    columns.getColumnClassName(i),
                    columns.getPrecision(i),
                    scale(columns, i),
                    columns.getColumnDisplaySize(i),
                    columns.isSigned(i),
                    columns.isNullable(i)));
      }
      var rows = new ArrayList<String>();
      while (result.next()) {
        var row = new StringBuilder();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          // As an object the driver makes a date of a YEAR, and fails where it is none.
          boolean isYear = columns.getColumnTypeName(i).equals("YEAR");
          row.append(isYear ? result.getString(i) : cell(result.getObject(i))).append('|');
        }
        rows.add(row.toString());
      }
      return new Transcript(head.toString(), rows);
    }
  }

  /**
   * For strings the server itself says 0 or 39, depending on whether the value went through a
   * temporary table.
   */
  private static int scale(ResultSetMetaData columns, int i) throws SQLException {
    return columns.getColumnClassName(i).equals("java.lang.String") ? 0 : columns.getScale(i);
  }

  /** The answer of a write without its warnings. */
  public Transcript withoutWarnings() {
    return new Transcript(head.replaceFirst("(?s) warning.*$", ""), rows);
  }

  private static String warnings(Statement statement) {
    var text = new StringBuilder();
    try {
      for (SQLWarning w = statement.getWarnings(); w != null; w = w.getNextWarning()) {
        if (w.getErrorCode() == KEY_ACROSS_SHARDS) {
          continue;
        }
        text.append(" warning ").append(w.getErrorCode()).append(' ').append(w.getMessage());
      }
    } catch (SQLException refused) {
      text.append(" warnings ").append(refused.getMessage());
    }
    return text.toString();
  }

  private static String cell(Object value) {
    return switch (value) {
      case null -> "NULL";
      case byte[] bytes -> "0x" + HexFormat.of().formatHex(bytes);
      case String text -> "'" + text + "'";
      default -> value.getClass().getSimpleName() + " " + value;
    };
  }
}
