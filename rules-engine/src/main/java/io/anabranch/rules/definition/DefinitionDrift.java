package io.anabranch.rules.definition;

import io.anabranch.rules.definition.TableDefinition.Item;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** In what the definition of one part of a table differs from that of the others. */
public final class DefinitionDrift {

  private final String table;
  private final TableDefinition model;
  private final TableDefinition own;
  private final List<Difference> differences = new ArrayList<>();

  private DefinitionDrift(String table, TableDefinition model, TableDefinition own) {
    this.table = TableNames.quoted(table);
    this.model = model;
    this.own = own;
  }

  /**
   * @param name of the column, key or constraint; empty: of the whole table
   * @param told what differs
   * @param repair the statement for the part, which makes it like the model
   */
  public record Difference(String name, String told, String repair) {}

  /**
   * @param table actual name of the part, for the statements
   * @param model as the other parts are
   */
  public static List<Difference> between(String table, TableDefinition model, TableDefinition own) {
    var drift = new DefinitionDrift(table, model, own);
    drift.columns();
    drift.keys();
    drift.constraints();
    if (!model.options().equals(own.options())) {
      drift.add(
          "",
          "table options are " + own.options() + " instead of " + model.options(),
          "ALTER TABLE " + drift.table + " " + model.options());
    }
    return List.copyOf(drift.differences);
  }

  /** The position of the definition that most of these are like: the first of them. */
  public static int commonest(List<TableDefinition> definitions) {
    var counts = new LinkedHashMap<TableDefinition, Integer>();
    definitions.forEach(each -> counts.merge(each, 1, Integer::sum));
    int best = 0;
    for (int i = 1; i < definitions.size(); i++) {
      if (counts.getOrDefault(definitions.get(i), 0)
          > counts.getOrDefault(definitions.get(best), 0)) {
        best = i;
      }
    }
    return best;
  }

  private void add(String name, String told, String repair) {
    differences.add(new Difference(name, told, repair));
  }

  private void columns() {
    Map<String, Item> mine = byName(own.columns(), Item::name);
    Map<String, Item> wanted = byName(model.columns(), Item::name);
    boolean complete = true;
    String before = " FIRST";
    for (Item column : model.columns()) {
      Item found = mine.get(key(column.name()));
      if (found == null) {
        complete = false;
        add(
            column.name(),
            "column '" + column.name() + "' is missing",
            "ALTER TABLE " + table + " ADD COLUMN " + column.text() + before);
      } else if (!sameText(found, column)) {
        add(
            column.name(),
            "column is " + found.text() + " instead of " + column.text(),
            "ALTER TABLE " + table + " MODIFY COLUMN " + column.text());
      }
      before = " AFTER " + TableNames.quoted(column.name());
    }
    for (Item column : own.columns()) {
      if (!wanted.containsKey(key(column.name()))) {
        complete = false;
        add(
            column.name(),
            "column '" + column.name() + "' is there, which the others do not have",
            "ALTER TABLE " + table + " DROP COLUMN " + TableNames.quoted(column.name()));
      }
    }
    order(complete, mine, wanted);
  }

  /** Of the columns that both have. */
  private void order(boolean complete, Map<String, Item> mine, Map<String, Item> wanted) {
    List<String> have =
        own.columns().stream().map(c -> key(c.name())).filter(wanted::containsKey).toList();
    List<String> want =
        model.columns().stream().map(c -> key(c.name())).filter(mine::containsKey).toList();
    if (have.equals(want)) {
      return;
    }
    var clauses = new ArrayList<String>();
    String before = " FIRST";
    for (Item column : model.columns()) {
      if (mine.containsKey(key(column.name()))) {
        clauses.add("MODIFY COLUMN " + column.text() + before);
        before = " AFTER " + TableNames.quoted(column.name());
      }
    }
    int first = 0;
    while (have.get(first).equals(want.get(first))) {
      first++;
    }
    Item moved = mine.get(have.get(first));
    add(
        moved == null ? "" : moved.name(),
        "columns stand in the order "
            + String.join(", ", have)
            + " instead of "
            + String.join(", ", want),
        complete
            ? "ALTER TABLE " + table + " " + String.join(", ", clauses)
            : "first mend the columns that are missing or too many");
  }

  private void keys() {
    Map<String, TableKey> mine = byName(own.keys(), TableKey::name);
    Map<String, TableKey> wanted = byName(model.keys(), TableKey::name);
    wanted.forEach(
        (name, key) -> {
          TableKey found = mine.get(name);
          if (found == null) {
            add(
                key.name(),
                "key '" + key.name() + "' is missing",
                "ALTER TABLE " + table + " ADD " + key.text());
          } else if (!found.text().equals(key.text())) {
            add(
                key.name(),
                "key is " + found.text() + " instead of " + key.text(),
                "ALTER TABLE " + table + " " + dropped(found) + ", ADD " + key.text());
          }
        });
    mine.forEach(
        (name, key) -> {
          if (!wanted.containsKey(name)) {
            add(
                key.name(),
                "key '" + key.name() + "' is there, which the others do not have",
                "ALTER TABLE " + table + " " + dropped(key));
          }
        });
  }

  private static String dropped(TableKey key) {
    return key.isPrimary() ? "DROP PRIMARY KEY" : "DROP INDEX " + TableNames.quoted(key.name());
  }

  private void constraints() {
    Map<String, Item> mine = byName(own.constraints(), Item::name);
    Map<String, Item> wanted = byName(model.constraints(), Item::name);
    wanted.forEach(
        (name, item) -> {
          Item found = mine.get(name);
          if (found == null || !found.text().equals(item.text())) {
            String told =
                found == null ? "is missing" : "is " + found.text() + " instead of " + item.text();
            add(
                item.name(),
                "constraint '" + item.name() + "' " + told,
                "make it like " + item.text());
          }
        });
    mine.forEach(
        (name, item) -> {
          if (!wanted.containsKey(name)) {
            add(
                item.name(),
                "constraint '" + item.name() + "' is there, which the others do not have",
                "drop " + item.text());
          }
        });
  }

  /** Names of columns may differ in case. */
  private static boolean sameText(Item one, Item other) {
    return one.text().equals(other.text())
        || (one.name().equalsIgnoreCase(other.name())
            && one.text()
                .substring(TableNames.quoted(one.name()).length())
                .equals(other.text().substring(TableNames.quoted(other.name()).length())));
  }

  private static <T> Map<String, T> byName(List<T> items, Function<T, String> name) {
    var map = new LinkedHashMap<String, T>();
    items.forEach(item -> map.put(key(name.apply(item)), item));
    return map;
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
