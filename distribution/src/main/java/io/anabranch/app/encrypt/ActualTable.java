package io.anabranch.app.encrypt;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A table as its server describes it.
 *
 * @param name as it is there
 * @param columns their types, in lower case both
 * @param keys the columns of the primary key, in its order
 * @param moments the columns that a server sets to the time of each change of a row
 */
record ActualTable(
    String name, Map<String, String> columns, List<String> keys, List<String> moments) {

  private static final Set<String> NUMBERS =
      Set.of("tinyint", "smallint", "mediumint", "int", "bigint", "decimal");

  private static final Set<String> BYTES = Set.of("binary", "varbinary");

  /** With those, types whose values can be told to the server again exactly as they came. */
  private static final Set<String> OTHER_KEYS =
      Set.of("year", "char", "varchar", "date", "time", "datetime", "timestamp", "uuid");

  /** With numbers, types whose values clients write with one text each. */
  private static final Set<String> TEXTS =
      Set.of("char", "varchar", "tinytext", "text", "mediumtext", "longtext");

  ActualTable {
    columns = Map.copyOf(columns);
    keys = List.copyOf(keys);
    moments = List.copyOf(moments);
  }

  /** Without columns: there is no such table. */
  static ActualTable of(Connection connection, String name) throws SQLException {
    var columns = new HashMap<String, String>();
    var moments = new ArrayList<String>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT COLUMN_NAME, DATA_TYPE, EXTRA FROM information_schema.COLUMNS"
                + " WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?")) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          columns.put(lower(row.getString(1)), lower(row.getString(2)));
          if (lower(row.getString(3)).contains("on update")) {
            moments.add(row.getString(1));
          }
        }
      }
    }
    var keys = new ArrayList<String>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT COLUMN_NAME FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE()"
                + " AND TABLE_NAME = ? AND INDEX_NAME = 'PRIMARY' ORDER BY SEQ_IN_INDEX")) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          keys.add(lower(row.getString(1)));
        }
      }
    }
    return new ActualTable(name, columns, keys, moments);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  boolean exists() {
    return !columns.isEmpty();
  }

  boolean isOfBytes(String key) {
    return BYTES.contains(columns.getOrDefault(key, ""));
  }

  boolean isOfNumbers(String key) {
    return NUMBERS.contains(columns.getOrDefault(key, ""));
  }

  /**
   * @param from the column with plain values
   * @param stored the columns that are to be written
   * @throws EncryptionFailure if it cannot be done
   */
  void check(String from, List<String> stored) throws EncryptionFailure {
    for (String column : stored) {
      if (!columns.containsKey(lower(column))) {
        throw new EncryptionFailure(
            "table %s has no column %s: ALTER TABLE %s ADD COLUMN %s TEXT (or VARCHAR, wide enough"
                    .formatted(name, column, name, column)
                + " for what is stored)");
      }
    }
    String type = columns.get(lower(from));
    if (type == null) {
      throw new EncryptionFailure(
          "table %s has no column %s, in which plain values are: --from names it"
              .formatted(name, from));
    }
    if (!NUMBERS.contains(type) && !TEXTS.contains(type)) {
      throw new EncryptionFailure(
          "%s.%s is %s: encrypted columns hold texts, whole numbers and decimals"
              .formatted(name, from, type.toUpperCase(Locale.ROOT)));
    }
    if (keys.isEmpty()) {
      throw new EncryptionFailure("table " + name + " has no primary key to go by: add one");
    }
    for (String key : keys) {
      String of = columns.getOrDefault(key, "");
      if (!isOfNumbers(key) && !isOfBytes(key) && !OTHER_KEYS.contains(of)) {
        throw new EncryptionFailure(
            "the primary key of table %s has %s, a column of %s, which cannot be gone by"
                .formatted(name, key, of.toUpperCase(Locale.ROOT)));
      }
    }
  }
}
