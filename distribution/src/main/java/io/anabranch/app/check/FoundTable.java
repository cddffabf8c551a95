package io.anabranch.app.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table as the proxy's account sees it.
 *
 * @param types of its columns, by name in lower case
 * @param isReadable whether the account may read all of them
 * @param isWritable whether it may insert into all of them
 */
record FoundTable(Map<String, String> types, boolean isReadable, boolean isWritable) {

  /**
   * By name in lower case.
   *
   * @param rows of a server: t, c, ty and p are table, column, type and privileges
   */
  static Map<String, FoundTable> of(List<Map<String, @Nullable String>> rows) {
    var tables = new LinkedHashMap<String, FoundTable>();
    for (Map<String, @Nullable String> row : rows) {
      String privileges = lower(row, "p");
      var column =
          new FoundTable(
              Map.of(lower(row, "c"), lower(row, "ty")),
              privileges.contains("select"),
              privileges.contains("insert"));
      tables.merge(lower(row, "t"), column, FoundTable::and);
    }
    return tables;
  }

  private FoundTable and(FoundTable other) {
    var all = new LinkedHashMap<>(types);
    all.putAll(other.types);
    return new FoundTable(all, isReadable && other.isReadable, isWritable && other.isWritable);
  }

  /** Which comparisons a type has: tables whose columns differ in that do not meet by them. */
  static String family(String type) {
    String word = type.replaceFirst("[^a-z].*", "");
    return switch (word) {
      case "tinyint", "smallint", "mediumint", "int", "integer", "bigint" -> "integer";
      case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set" ->
          "string";
      case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> "binary string";
      case "decimal", "numeric", "float", "double", "real" -> "fraction";
      default -> word;
    };
  }

  private static String lower(Map<String, @Nullable String> row, String column) {
    String text = row.get(column);
    return text == null ? "" : text.toLowerCase(Locale.ROOT);
  }
}
