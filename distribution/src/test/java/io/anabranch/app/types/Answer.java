package io.anabranch.app.types;

import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * What a client sees of an answer.
 *
 * @param columns the definition of each: type, collation, length, flags, decimals, extended type
 */
record Answer(int errno, String error, List<String> columns, List<String> rows) {

  static Answer text(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(sql) ? rows(statement.getResultSet()) : done();
    } catch (SQLException e) {
      return failed(e);
    }
  }

  static Answer prepared(Connection connection, String sql) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return statement.execute() ? rows(statement.getResultSet()) : done();
    } catch (SQLException e) {
      return failed(e);
    }
  }

  private static Answer done() {
    return new Answer(0, "", List.of(), List.of());
  }

  private static Answer failed(SQLException e) {
    return new Answer(e.getErrorCode(), String.valueOf(e.getMessage()), List.of(), List.of());
  }

  boolean isRefusal() {
    return error.contains("AB2");
  }

  /** Values that a collation takes for equal look the same. */
  List<String> folded() {
    return rows.stream()
        .map(row -> Normalizer.normalize(row, Normalizer.Form.NFD))
        .map(
            row ->
                row.replaceAll("[\\p{M}\\p{Cntrl}]", "")
                    .replaceAll(" +(?=\\|)", "")
                    .toLowerCase(Locale.ROOT))
        .toList();
  }

  private static Answer rows(ResultSet result) throws SQLException {
    try (result) {
      var columns = new ArrayList<String>();
      for (Object column : definitions(result)) {
        columns.add(definition(column));
      }
      var rows = new ArrayList<String>();
      while (result.next()) {
        var row = new StringBuilder();
        for (int i = 1; i <= columns.size(); i++) {
          String type = columns.get(i - 1);
          boolean floating = type.matches("type (5|4|DOUBLE|FLOAT) .*");
          boolean text = floating || !type.contains("collation 63 ");
          row.append(text ? result.getString(i) : cell(result, i)).append('|');
        }
        rows.add(row.toString());
      }
      return new Answer(0, "", columns, rows);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("another driver", e);
    }
  }

  private static String cell(ResultSet result, int column) throws SQLException {
    byte[] bytes = result.getBytes(column);
    if (bytes == null) {
      return "NULL";
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    boolean plain = text.chars().noneMatch(c -> c < ' ' || c == 0xFFFD);
    return plain ? text : "0x" + HexFormat.of().formatHex(bytes);
  }

  private static String definition(Object column) throws ReflectiveOperationException {
    return column.getClass().getName().contains("mysql")
        ? "type %s collation %s length %s flags %x decimals %s null"
            .formatted(
                call(column, "getMysqlTypeId"),
                call(column, "getCollationIndex"),
                call(column, "getLength"),
                (short) call(column, "getFlags"),
                call(column, "getDecimals"))
        : "type %s collation %s length %s flags %x decimals %s %s"
            .formatted(
                call(column, "getType"),
                field(column, "charset"),
                call(column, "getColumnLength"),
                (int) call(column, "getFlags"),
                (byte) call(column, "getDecimals") & 0xFF,
                extended(column));
  }

  private static String extended(Object column) throws ReflectiveOperationException {
    return field(column, "extTypeName") instanceof byte[] name
        ? new String(name, StandardCharsets.US_ASCII)
        : "null";
  }

  private static Object[] definitions(ResultSet result) throws ReflectiveOperationException {
    return result.getClass().getName().contains("mysql")
        ? (Object[]) call(call(result, "getMetadata"), "getFields")
        : (Object[]) field(result, "metadataList");
  }

  private static Object call(Object of, String method) throws ReflectiveOperationException {
    return of.getClass().getMethod(method).invoke(of);
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    for (Class<?> type = of.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          field.setAccessible(true);
          return field.get(of);
        }
      }
    }
    throw new NoSuchFieldException(name);
  }
}
