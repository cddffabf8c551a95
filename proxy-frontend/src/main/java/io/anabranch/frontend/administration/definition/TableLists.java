package io.anabranch.frontend.administration.definition;

import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** What files keep as lists of tables: broadcast, single and binding tables. */
public final class TableLists {

  private static final String RULES = "rules";
  private static final String TABLES = "tables";

  private TableLists() {}

  // ---------------------------------------------------------------- broadcast tables

  /** CREATE BROADCAST TABLE RULE. */
  public static ConfigurationDocument createBroadcast(
      ConfigurationDocument document, List<String> tables, boolean isLenient) {
    List<String> entries = entries(document, "BROADCAST");
    for (String table : tables) {
      boolean isThere = entries.stream().anyMatch(table::equalsIgnoreCase);
      if (isThere && !isLenient) {
        throw Clause.refused("the table `" + table + "` is a broadcast table already");
      }
      if (!isThere) {
        entries.add(table);
      }
    }
    return document.withList(entries, RULES, "!BROADCAST", TABLES);
  }

  /** DROP BROADCAST TABLE RULE. */
  public static ConfigurationDocument dropBroadcast(
      ConfigurationDocument document, List<String> tables, boolean isLenient) {
    List<String> entries = entries(document, "BROADCAST");
    for (String table : tables) {
      if (!entries.removeIf(table::equalsIgnoreCase) && !isLenient) {
        throw Clause.refused("there is no broadcast table `" + table + "`");
      }
    }
    return document.withList(entries, RULES, "!BROADCAST", TABLES);
  }

  /** An entry may be several names between commas. */
  private static List<String> entries(ConfigurationDocument document, String tag) {
    var entries = new ArrayList<String>();
    for (String entry : document.rule(tag).texts(TABLES)) {
      entries.addAll(List.of(entry.strip().split("\\s*,\\s*", -1)));
    }
    return entries;
  }

  // ---------------------------------------------------------------- single tables

  /** LOAD SINGLE TABLE; those that are there already stay. */
  public static ConfigurationDocument load(ConfigurationDocument document, List<String> tables) {
    List<String> entries = entries(document, "SINGLE");
    for (String table : tables) {
      if (entries.stream().noneMatch(table::equalsIgnoreCase)) {
        entries.add(table);
      }
    }
    return document.withList(entries, RULES, "!SINGLE", TABLES);
  }

  /** UNLOAD SINGLE TABLE; {@code *}: all. */
  public static ConfigurationDocument unload(ConfigurationDocument document, List<String> tables) {
    List<String> entries = entries(document, "SINGLE");
    for (String table : tables) {
      Predicate<String> isMeant =
          entry ->
              table.equals("*")
                  || entry.substring(entry.indexOf('.') + 1).equalsIgnoreCase(table)
                  || entry.equalsIgnoreCase(table);
      if (!entries.removeIf(isMeant) && !table.equals("*")) {
        throw Clause.refused("the single table `" + table + "` is not loaded by its name");
      }
    }
    return document.withList(entries, RULES, "!SINGLE", TABLES);
  }

  /** SET DEFAULT SINGLE TABLE STORAGE UNIT; {@code RANDOM}: none. */
  public static ConfigurationDocument defaultUnit(ConfigurationDocument document, String unit) {
    return unit.toUpperCase(Locale.ROOT).equals("RANDOM")
        ? document.without(RULES, "!SINGLE", "defaultDataSource")
        : document.with(new Scalar("", unit), RULES, "!SINGLE", "defaultDataSource");
  }

  // ---------------------------------------------------------------- binding tables

  /**
   * CREATE and ALTER SHARDING TABLE REFERENCE RULE.
   *
   * @param creates whether they are new, else they must be there
   * @param isLenient those that are there already stay as they are
   */
  public static ConfigurationDocument bind(
      ConfigurationDocument document, List<Clause> groups, boolean creates, boolean isLenient) {
    List<String> entries = bound(document);
    for (Clause group : groups) {
      int index = index(entries, group.name());
      if (creates && index >= 0 && !isLenient) {
        throw Clause.refused("there is a reference rule `" + group.name() + "` already");
      }
      if (!creates && index < 0) {
        throw Clause.refused("there is no reference rule `" + group.name() + "`");
      }
      String tables = String.join(",", group.names());
      // a name that the tables give it anyway need not stand there
      String entry =
          referenceName(tables).equals(group.name()) ? tables : group.name() + ":" + tables;
      if (index < 0) {
        entries.add(entry);
      } else if (!creates) {
        entries.set(index, entry);
      }
    }
    return document.withList(entries, RULES, "!SHARDING", "bindingTables");
  }

  /** DROP SHARDING TABLE REFERENCE RULE. */
  public static ConfigurationDocument unbind(
      ConfigurationDocument document, List<String> names, boolean isLenient) {
    List<String> entries = bound(document);
    for (String name : names) {
      int index = index(entries, name);
      if (index >= 0) {
        entries.remove(index);
      } else if (!isLenient) {
        throw Clause.refused("there is no reference rule `" + name + "`");
      }
    }
    return document.withList(entries, RULES, "!SHARDING", "bindingTables");
  }

  private static List<String> bound(ConfigurationDocument document) {
    return new ArrayList<>(document.rule("SHARDING").texts("bindingTables"));
  }

  private static int index(List<String> entries, String name) {
    for (int i = 0; i < entries.size(); i++) {
      if (referenceName(entries.get(i)).equalsIgnoreCase(name)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * What a group of binding tables is called: {@code name:t_a,t_b} says it, others are called by
   * their tables.
   */
  public static String referenceName(String entry) {
    int colon = entry.indexOf(':');
    return colon > 0
        ? entry.substring(0, colon).strip()
        : String.join("_", referenced(entry)).toLowerCase(Locale.ROOT);
  }

  /** The tables of such a group. */
  public static List<String> referenced(String entry) {
    return Arrays.asList(entry.substring(entry.indexOf(':') + 1).strip().split("\\s*,\\s*", -1));
  }
}
