package io.anabranch.rules.planner.stage;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.table.PlacedTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Keys of copies. A copy has the primary key of its table where it has all of its columns: servers
 * answer some statements otherwise without one, and MySQL refuses others, such as columns that
 * GROUP BY of a primary key decides.
 */
final class StagedKeys {

  /** Servers take 64 a table, the primary one and that of groups among them. */
  private static final int MOST_KEYS = 60;

  private StagedKeys() {}

  /**
   * The columns of the copy's primary key; empty: it has none. Strings that place rows are left
   * out: values that a collation takes for equal may be different rows of different nodes.
   */
  static List<Column> unique(StagedReference reference, List<Column> copied) {
    List<Column> key = reference.columns().stream().filter(Column::key).toList();
    boolean isCopied =
        copied.containsAll(key)
            && key.stream()
                .allMatch(column -> !column.nullable() && !StagedCells.keyPart(column).isEmpty())
            && StagedCells.fitInto(key);
    return isCopied && isUnique(reference.table(), key) ? key : List.of();
  }

  /** Nodes know nothing of each other: rows with equal keys have to belong to one node. */
  private static boolean isUnique(PlacedTable table, List<Column> key) {
    return switch (table) {
      case PlacedTable.Sharded sharded -> {
        Set<String> names =
            key.stream()
                .map(column -> column.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        Set<String> placed = RowPlacement.columns(sharded.table());
        yield sharded.view() == null
            && !placed.isEmpty()
            && names.containsAll(placed)
            && key.stream().noneMatch(column -> isText(column) && isIn(placed, column));
      }
      case PlacedTable.Broadcast ignored -> true;
      case PlacedTable.Single ignored -> true;
      case PlacedTable.View ignored -> false;
      case PlacedTable.Catalogue ignored -> false;
    };
  }

  private static boolean isText(Column column) {
    return column.collation() != null;
  }

  private static boolean isIn(Set<String> names, Column column) {
    return names.contains(column.name().toLowerCase(Locale.ROOT));
  }

  /**
   * The same of a copy without rows that has the table's own unique keys, so far as it has their
   * columns: by those a server knows which columns others decide.
   *
   * @param keys of the table
   */
  static String declaring(List<Column> columns, List<TableKey> keys) {
    var text = new StringBuilder(definition(columns, List.of(), column -> false, List.of()));
    text.setLength(text.length() - 1);
    for (TableKey key : keys) {
      List<String> parts = key.unique() ? wholeParts(columns, key) : List.of();
      if (!parts.isEmpty()) {
        text.append(key.isPrimary() ? ", PRIMARY KEY (" : ", UNIQUE KEY (");
        text.append(String.join(", ", parts)).append(')');
      }
    }
    return text.append(')').toString();
  }

  /** Its columns in quotes; none if the copy lacks one, or a part of one decides. */
  private static List<String> wholeParts(List<Column> columns, TableKey key) {
    var parts = new ArrayList<String>();
    for (TableKey.Part part : key.parts()) {
      String name = part.column();
      boolean isCopied =
          name != null
              && part.prefix() == 0
              && columns.stream().anyMatch(column -> column.name().equalsIgnoreCase(name));
      if (name == null || !isCopied) {
        return List.of();
      }
      parts.add(TableNames.quoted(name));
    }
    return parts;
  }

  /**
   * What follows the copy's name in CREATE TABLE.
   *
   * @param unique its primary key; may be empty
   * @param keys columns that have a key besides
   * @param grouped columns that have a key together; may be empty
   */
  static String definition(
      List<Column> columns, List<Column> unique, Predicate<Column> keys, List<Column> grouped) {
    var text = new StringBuilder("(");
    for (Column column : columns) {
      text.append(text.length() == 1 ? "" : ", ").append(StagedCells.definition(column));
    }
    if (!unique.isEmpty()) {
      String parts = unique.stream().map(StagedCells::keyPart).collect(Collectors.joining(", "));
      text.append(", PRIMARY KEY (").append(parts).append(')');
    }
    int left = MOST_KEYS;
    for (Column column : columns) {
      boolean leads = !unique.isEmpty() && unique.getFirst().equals(column);
      String part = left > 0 && keys.test(column) && !leads ? StagedCells.keyPart(column) : "";
      if (!part.isEmpty()) {
        text.append(", KEY (").append(part).append(')');
        left--;
      }
    }
    boolean hasOwn = grouped.size() == 1 && keys.test(grouped.getFirst());
    if (!grouped.isEmpty() && !hasOwn) {
      String parts = grouped.stream().map(StagedCells::keyPart).collect(Collectors.joining(", "));
      text.append(", KEY (").append(parts).append(')');
    }
    return text.append(')').toString();
  }
}
