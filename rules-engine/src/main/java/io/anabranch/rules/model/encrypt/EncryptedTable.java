package io.anabranch.rules.model.encrypt;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A table with encrypted columns, or a view over such tables. */
public final class EncryptedTable {

  private final String name;
  private final List<EncryptedColumn> columns;
  private final Map<String, EncryptedColumn> byName = new HashMap<>();
  private final Map<String, EncryptedColumn> byStored = new HashMap<>();

  /**
   * @param name logical
   * @param columns those that are encrypted, with different names; the names of their stored
   *     columns are different, too
   */
  public EncryptedTable(String name, List<EncryptedColumn> columns) {
    this.name = name;
    this.columns = List.copyOf(columns);
    for (EncryptedColumn column : columns) {
      byName.put(lower(column.name()), column);
      column.stored().forEach(stored -> byStored.put(lower(stored.name()), column));
    }
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  public String name() {
    return name;
  }

  public List<EncryptedColumn> columns() {
    return columns;
  }

  /** The column that clients call so; null: none, or one that is not encrypted. */
  public @Nullable EncryptedColumn column(String logical) {
    return byName.get(lower(logical));
  }

  /** The column one of whose stored columns is called so in the database; null: none. */
  public @Nullable EncryptedColumn ofStored(String actual) {
    return byStored.get(lower(actual));
  }

  @Override
  public String toString() {
    return name + columns;
  }
}
