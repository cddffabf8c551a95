package io.anabranch.frontend.administration.conversion;

import io.anabranch.frontend.administration.definition.TableLists;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** {@code !SHARDING}: definitions by their names first, then what names them. */
final class ShardingConversion {

  private static final String PLACE = "rules.!SHARDING";

  private final StatementText text;
  private final Leftovers leftovers;

  ShardingConversion(StatementText text, Leftovers leftovers) {
    this.text = text;
    this.leftovers = leftovers;
  }

  List<String> statements(Mapping rule) {
    var made = new ArrayList<String>();
    definitions(made, "ALGORITHM", "shardingAlgorithms", rule);
    definitions(made, "KEY GENERATOR", "keyGenerators", rule);
    definitions(made, "AUDITOR", "auditors", rule);
    for (String level : List.of("Database", "Table")) {
      standard(made, level, rule.mapping("default" + level + "Strategy"));
    }
    tables(made, rule);
    binding(made, rule.texts("bindingTables"));
    leftovers.allBut(
        PLACE,
        rule,
        "shardingAlgorithms",
        "keyGenerators",
        "auditors",
        "defaultDatabaseStrategy",
        "defaultTableStrategy",
        "tables",
        "autoTables",
        "bindingTables");
    return made;
  }

  private void definitions(List<String> made, String subject, String key, Mapping rule) {
    var all = new StringJoiner(", ");
    rule.mapping(key)
        .mappings()
        .forEach(
            (name, definition) -> {
              String place = PLACE + "." + key + "." + name;
              all.add(text.name(name) + " (" + text.type(definition) + ")");
              leftovers.allBut(place, definition, "type", "props");
              leftovers.structured(place + ".props", definition.mapping("props"));
            });
    if (all.length() > 0) {
      made.add("CREATE SHARDING " + subject + " " + all);
    }
  }

  private void standard(List<String> made, String level, Mapping strategy) {
    if (strategy.entries().isEmpty()) {
      return;
    }
    String said = strategy(strategy);
    if (said == null) {
      leftovers.add(PLACE + ".default" + level + "Strategy");
    } else {
      made.add(
          "CREATE DEFAULT SHARDING " + level.toUpperCase(Locale.ROOT) + " STRATEGY (" + said + ")");
    }
  }

  /** Null if no statement says it. */
  private @Nullable String strategy(Mapping strategy) {
    Map.Entry<String, Mapping> only =
        strategy.mappings().size() == 1
            ? strategy.mappings().entrySet().iterator().next()
            : Map.entry("", Mapping.EMPTY);
    Mapping parts = only.getValue();
    String algorithm = parts.text("shardingAlgorithmName");
    String column = parts.text("shardingColumn");
    String columns = String.join(",", parts.texts("shardingColumns"));
    String named = algorithm == null ? "" : ", SHARDING_ALGORITHM = " + text.name(algorithm);
    boolean isSaid =
        switch (only.getKey()) {
          case "none" -> true;
          case "hint" -> algorithm != null && parts.entries().size() == 1;
          case "standard" -> algorithm != null && column != null && parts.entries().size() == 2;
          case "complex" -> algorithm != null && !columns.isEmpty() && parts.entries().size() == 2;
          default -> false;
        };
    if (!isSaid) {
      return null;
    }
    String of =
        switch (only.getKey()) {
          case "standard" -> ", SHARDING_COLUMN = " + text.name(String.valueOf(column));
          case "complex" -> ", SHARDING_COLUMNS = " + text.string(columns);
          default -> "";
        };
    return "TYPE = " + text.string(only.getKey()) + of + named;
  }

  // ---------------------------------------------------------------- tables

  private void tables(List<String> made, Mapping rule) {
    var all = new StringJoiner(", ");
    for (String kind : List.of("tables", "autoTables")) {
      rule.mapping(kind)
          .mappings()
          .forEach(
              (name, table) -> {
                String place = PLACE + "." + kind + "." + name;
                String said = kind.equals("tables") ? named(place, table) : automatic(place, table);
                if (said == null) {
                  leftovers.add(place);
                } else {
                  all.add(text.name(name) + " (" + said + common(place, table) + ")");
                }
              });
    }
    if (all.length() > 0) {
      made.add("CREATE SHARDING TABLE RULE " + all);
    }
  }

  /** Null if no statement says it. */
  private @Nullable String named(String place, Mapping table) {
    String nodes = table.text("actualDataNodes");
    if (nodes == null) {
      return null;
    }
    var said = new StringBuilder("DATANODES(" + text.string(nodes) + ")");
    for (String level : List.of("database", "table")) {
      Mapping strategy = table.mapping(level + "Strategy");
      if (!strategy.entries().isEmpty()) {
        String of = strategy(strategy);
        if (of == null) {
          return null;
        }
        said.append(", ").append(level.toUpperCase(Locale.ROOT)).append("_STRATEGY(");
        said.append(of).append(')');
      }
    }
    leftovers.allBut(
        place,
        table,
        "actualDataNodes",
        "databaseStrategy",
        "tableStrategy",
        "keyGenerateStrategy",
        "auditStrategy");
    return said.toString();
  }

  /** Null if no statement says it. */
  private @Nullable String automatic(String place, Mapping table) {
    Mapping standard = table.mapping("shardingStrategy").mapping("standard");
    String column = standard.text("shardingColumn");
    String algorithm = standard.text("shardingAlgorithmName");
    if (column == null || algorithm == null || standard.entries().size() != 2) {
      return null;
    }
    leftovers.allBut(
        place,
        table,
        "actualDataSources",
        "shardingStrategy",
        "keyGenerateStrategy",
        "auditStrategy");
    String sources = String.join(",", table.texts("actualDataSources"));
    return (sources.isEmpty() ? "" : "STORAGE_UNITS(" + text.string(sources) + "), ")
        + "SHARDING_COLUMN = "
        + text.name(column)
        + ", SHARDING_ALGORITHM = "
        + text.name(algorithm);
  }

  /** Keys and audits. */
  private String common(String place, Mapping table) {
    var said = new StringBuilder();
    Mapping keys = table.mapping("keyGenerateStrategy");
    String column = keys.text("column");
    if (column != null) {
      said.append(", KEY_GENERATE_STRATEGY(COLUMN = ").append(text.name(column));
      String generator = keys.text("keyGeneratorName");
      if (generator != null) {
        said.append(", KEY_GENERATOR = ").append(text.name(generator));
      }
      said.append(')');
      leftovers.allBut(place + ".keyGenerateStrategy", keys, "column", "keyGeneratorName");
    }
    Mapping audit = table.mapping("auditStrategy");
    if (!audit.entries().isEmpty()) {
      said.append(", AUDIT_STRATEGY(AUDITORS(").append(text.names(audit.texts("auditorNames")));
      said.append(')');
      String allowed = audit.text("allowHintDisable");
      if (allowed != null) {
        said.append(", ALLOW_HINT_DISABLE = ").append(text.name(allowed));
      }
      said.append(')');
      leftovers.allBut(place + ".auditStrategy", audit, "auditorNames", "allowHintDisable");
    }
    return said.toString();
  }

  private void binding(List<String> made, List<String> entries) {
    var all = new StringJoiner(", ");
    for (String entry : entries) {
      all.add(
          text.name(TableLists.referenceName(entry))
              + " ("
              + text.names(TableLists.referenced(entry))
              + ")");
    }
    if (all.length() > 0) {
      made.add("CREATE SHARDING TABLE REFERENCE RULE " + all);
    }
  }
}
