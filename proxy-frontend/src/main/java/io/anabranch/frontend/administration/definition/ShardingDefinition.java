package io.anabranch.frontend.administration.definition;

import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Sharded tables, default strategies and definitions: {@code !SHARDING}. */
public final class ShardingDefinition {

  private ShardingDefinition() {}

  // ---------------------------------------------------------------- tables

  /**
   * CREATE SHARDING TABLE RULE.
   *
   * @param isLenient those that are there already stay as they are
   */
  public static ConfigurationDocument create(
      ConfigurationDocument document, List<Clause> tables, boolean isLenient) {
    var edit = new ShardingEdit(document);
    for (Clause table : tables) {
      if (edit.place(table.name()) == null) {
        put(edit, table, Mapping.EMPTY);
      } else if (!isLenient) {
        throw Clause.refused("the table `" + table.name() + "` is sharded already");
      }
    }
    return edit.document();
  }

  /** ALTER SHARDING TABLE RULE: the whole rule of a table. */
  public static ConfigurationDocument alter(ConfigurationDocument document, List<Clause> tables) {
    var edit = new ShardingEdit(document);
    for (Clause table : tables) {
      String[] place = required(edit, table.name());
      Mapping former = edit.rule().mapping(place[0]).mapping(place[1]);
      if (!place[0].equals(kind(table)) || !place[1].equals(table.name())) {
        edit.remove(place);
      }
      put(edit, table, former);
      edit.removeUnnamed(former);
    }
    return edit.document();
  }

  /**
   * DROP SHARDING TABLE RULE.
   *
   * @param isLenient those that are not there are passed over
   */
  public static ConfigurationDocument drop(
      ConfigurationDocument document, List<String> tables, boolean isLenient) {
    var edit = new ShardingEdit(document);
    for (String table : tables) {
      if (isLenient && edit.place(table) == null) {
        continue;
      }
      String[] place = required(edit, table);
      Mapping former = edit.rule().mapping(place[0]).mapping(place[1]);
      edit.remove(place);
      edit.removeUnnamed(former);
    }
    return edit.document();
  }

  private static String[] required(ShardingEdit edit, String table) {
    String[] place = edit.place(table);
    if (place == null) {
      throw Clause.refused("there is no sharded table `" + table + "`");
    }
    return place;
  }

  private static String kind(Clause table) {
    return table.part("DATANODES") == null && table.part("SHARDING_COLUMN") != null
        ? "autoTables"
        : "tables";
  }

  private static void put(ShardingEdit edit, Clause table, DocumentPart former) {
    var entries = new LinkedHashMap<String, DocumentPart>();
    String kind = kind(table);
    if (kind.equals("autoTables")) {
      addAutomatic(edit, table, former, entries);
    } else {
      addNamed(edit, table, former, entries);
    }
    edit.addCommon(entries, table, former);
    edit.put(new Mapping("", entries), kind, table.name());
  }

  private static void addAutomatic(
      ShardingEdit edit, Clause table, DocumentPart former, Map<String, DocumentPart> entries) {
    table.takeOnly(
        "STORAGE_UNITS",
        "SHARDING_COLUMN",
        "SHARDING_ALGORITHM",
        "TYPE",
        "KEY_GENERATE_STRATEGY",
        "AUDIT_STRATEGY");
    Clause units = table.part("STORAGE_UNITS");
    Clause type = table.part("TYPE");
    String named = table.text("SHARDING_ALGORITHM");
    if ((type == null) == (named == null)) {
      throw Clause.refused(
          "`" + table.name() + "` needs TYPE(NAME = …) or SHARDING_ALGORITHM = name");
    }
    if (units != null) {
      entries.put("actualDataSources", new Scalar("", String.join(",", units.names())));
    }
    String algorithm =
        type == null
            ? String.valueOf(named)
            : edit.define(ShardingEdit.ALGORITHMS, table.name(), type, former);
    var standard = new LinkedHashMap<String, DocumentPart>();
    standard.put("shardingColumn", new Scalar("", table.required("SHARDING_COLUMN")));
    standard.put("shardingAlgorithmName", new Scalar("", algorithm));
    entries.put("shardingStrategy", ShardingEdit.entry("standard", new Mapping("", standard)));
  }

  private static void addNamed(
      ShardingEdit edit, Clause table, DocumentPart former, Map<String, DocumentPart> entries) {
    table.takeOnly(
        "DATANODES",
        "DATABASE_STRATEGY",
        "TABLE_STRATEGY",
        "KEY_GENERATE_STRATEGY",
        "AUDIT_STRATEGY");
    Clause nodes = table.part("DATANODES");
    if (nodes == null) {
      throw Clause.refused(
          "`" + table.name() + "` needs DATANODES(…), or SHARDING_COLUMN = … and TYPE(…)");
    }
    entries.put("actualDataNodes", new Scalar("", String.join(",", nodes.names())));
    for (String level : List.of("database", "table")) {
      Clause strategy = table.part(level.toUpperCase(Locale.ROOT) + "_STRATEGY");
      if (strategy != null) {
        entries.put(
            level + "Strategy", edit.strategy(strategy, table.name() + "_" + level, former));
      }
    }
  }

  // ---------------------------------------------------------------- defaults

  /**
   * CREATE and ALTER DEFAULT SHARDING DATABASE or TABLE STRATEGY.
   *
   * @param level {@code database} or {@code table}
   * @param creates whether there may be none yet
   * @param isLenient one that is there already stays as it is
   */
  public static ConfigurationDocument standard(
      ConfigurationDocument document,
      String level,
      List<Clause> parts,
      boolean creates,
      boolean isLenient) {
    var edit = new ShardingEdit(document);
    String key = key(level);
    DocumentPart former = edit.rule().entries().get(key);
    if (creates && former != null) {
      if (isLenient) {
        return document;
      }
      throw Clause.refused("there is a default " + level + " strategy already");
    }
    if (!creates && former == null) {
      throw Clause.refused("there is no default " + level + " strategy");
    }
    DocumentPart replaced = former == null ? Mapping.EMPTY : former;
    Clause whole = new Clause("the default " + level + " strategy", null, parts);
    edit.put(edit.strategy(whole, "default_" + level, replaced), key);
    edit.removeUnnamed(replaced);
    return edit.document();
  }

  /** DROP DEFAULT SHARDING DATABASE or TABLE STRATEGY. */
  public static ConfigurationDocument dropStandard(
      ConfigurationDocument document, String level, boolean isLenient) {
    var edit = new ShardingEdit(document);
    DocumentPart former = edit.rule().entries().get(key(level));
    if (former == null && !isLenient) {
      throw Clause.refused("there is no default " + level + " strategy");
    }
    if (former != null) {
      edit.remove(key(level));
      edit.removeUnnamed(former);
    }
    return edit.document();
  }

  private static String key(String level) {
    return level.equals("database") ? "defaultDatabaseStrategy" : "defaultTableStrategy";
  }

  // ---------------------------------------------------------------- definitions

  /**
   * CREATE SHARDING ALGORITHM, KEY GENERATOR, AUDITOR.
   *
   * @param kind the key that they are under
   * @param isLenient those that are there already stay as they are
   */
  public static ConfigurationDocument createDefinitions(
      ConfigurationDocument document, String kind, List<Clause> definitions, boolean isLenient) {
    var edit = new ShardingEdit(document);
    for (Clause definition : definitions) {
      if (!edit.rule().mapping(kind).has(definition.name())) {
        edit.put(defined(definition), kind, definition.name());
      } else if (!isLenient) {
        throw Clause.refused("there is a `" + definition.name() + "` under " + kind + " already");
      }
    }
    return edit.document();
  }

  /** ALTER SHARDING ALGORITHM, KEY GENERATOR, AUDITOR: the whole definition. */
  public static ConfigurationDocument alterDefinitions(
      ConfigurationDocument document, String kind, List<Clause> definitions) {
    var edit = new ShardingEdit(document);
    for (Clause definition : definitions) {
      requireDefined(edit, kind, definition.name());
      edit.put(defined(definition), kind, definition.name());
    }
    return edit.document();
  }

  private static Mapping defined(Clause definition) {
    definition.takeOnly("TYPE");
    Clause type = definition.part("TYPE");
    if (type == null) {
      throw Clause.refused("`" + definition.name() + "` needs TYPE(NAME = …)");
    }
    return AlgorithmDefinition.of(type);
  }

  private static void requireDefined(ShardingEdit edit, String kind, String name) {
    if (!edit.rule().mapping(kind).has(name)) {
      throw Clause.refused("there is no `" + name + "` under " + kind);
    }
  }

  /**
   * DROP SHARDING ALGORITHM, KEY GENERATOR, AUDITOR.
   *
   * @param kind the key that they are under
   * @param isLenient those that are not there are passed over
   */
  public static ConfigurationDocument dropDefinitions(
      ConfigurationDocument document, String kind, List<String> names, boolean isLenient) {
    var edit = new ShardingEdit(document);
    for (String name : names) {
      if (!isLenient) {
        requireDefined(edit, kind, name);
      }
      edit.remove(kind, name);
    }
    return edit.document();
  }
}
