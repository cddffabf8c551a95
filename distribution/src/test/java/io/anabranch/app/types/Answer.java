package io.anabranch.app.types;

import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
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
 * @param labels what the columns are called
 * @param warnings number and text of each
 */
record Answer(
    int errno,
    String error,
    List<String> columns,
    List<String> labels,
    List<String> rows,
    List<String> warnings) {

  static Answer text(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      boolean hasRows = statement.execute(sql);
      return (hasRows ? rows(statement.getResultSet()) : done()).warned(statement);
    } catch (SQLException e) {
      return failed(e);
    }
  }

  static Answer prepared(Connection connection, String sql, Object... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      boolean hasRows = statement.execute();
      return (hasRows ? rows(statement.getResultSet()) : done()).warned(statement);
    } catch (SQLException e) {
      return failed(e);
    }
  }

  private Answer warned(Statement statement) throws SQLException {
    var texts = new ArrayList<String>();
    for (SQLWarning w = statement.getWarnings(); w != null; w = w.getNextWarning()) {
      texts.add(w.getErrorCode() + " " + w.getMessage());
    }
    return new Answer(errno, error, columns, labels, rows, texts);
  }

  private static Answer done() {
    return new Answer(0, "", List.of(), List.of(), List.of(), List.of());
  }

  private static Answer failed(SQLException e) {
    String message = String.valueOf(e.getMessage());
    return new Answer(e.getErrorCode(), message, List.of(), List.of(), List.of(), List.of());
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
                    .replaceAll(" +(?=[|,])", "")
                    .toLowerCase(Locale.ROOT))
        .toList();
  }

  private static Answer rows(ResultSet result) throws SQLException {
    try (result) {
      var columns = new ArrayList<String>();
      for (Object column : definitions(result)) {
        columns.add(definition(column));
      }
      var labels = new ArrayList<String>();
      for (int i = 1; i <= columns.size(); i++) {
        labels.add(result.getMetaData().getColumnLabel(i));
      }
      var rows = new ArrayList<String>();
      while (result.next()) {
        var row = new StringBuilder();
        for (int i = 1; i <= columns.size(); i++) {
          String type = columns.get(i - 1);
          boolean number =
              type.matches("type ([1234589]|DOUBLE|FLOAT|(TINY|SMALL|MEDIUM|BIG)?INT(EGER)?) .*");
          boolean text = number || !type.contains("collation 63 ");
          row.append(text ? result.getString(i) : cell(result, i)).append('|');
        }
        rows.add(row.toString());
      }
      return new Answer(0, "", columns, labels, rows, List.of());
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
