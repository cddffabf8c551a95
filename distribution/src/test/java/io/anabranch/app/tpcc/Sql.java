package io.anabranch.app.tpcc;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements with parameters on one connection. */
final class Sql {

  private final Connection connection;

  Sql(Connection connection) {
    this.connection = connection;
  }

  /** The cells of one row. */
  record Row(List<@Nullable Object> cells) {

    int number(int column) {
      return ((Number) cell(column)).intValue();
    }

    BigDecimal money(int column) {
      return (BigDecimal) cell(column);
    }

    String text(int column) {
      return (String) cell(column);
    }

    private Object cell(int column) {
      Object cell = cells.get(column - 1);
      if (cell == null) {
        throw new IllegalStateException("NULL in column " + column);
      }
      return cell;
    }
  }

  List<Row> rows(String sql, Object... values) throws SQLException {
    var rows = new ArrayList<Row>();
    try (PreparedStatement statement = prepared(sql, values);
        ResultSet result = statement.executeQuery()) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        var cells = new ArrayList<@Nullable Object>(columns);
        for (int i = 1; i <= columns; i++) {
          cells.add(result.getObject(i));
        }
        rows.add(new Row(cells));
      }
    }
    return rows;
  }

  /** The only row there must be. */
  Row row(String sql, Object... values) throws SQLException {
    List<Row> rows = rows(sql, values);
    if (rows.size() != 1) {
      throw new IllegalStateException(rows.size() + " rows of " + sql + " " + List.of(values));
    }
    return rows.getFirst();
  }

  /** Changes exactly that many rows. */
  void change(int wanted, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = prepared(sql, values)) {
      int changed = statement.executeUpdate();
      if (changed != wanted) {
        throw new IllegalStateException(
            changed + " and not " + wanted + " rows changed by " + sql + " " + List.of(values));
      }
    }
  }

  private PreparedStatement prepared(String sql, Object... values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }
}
