package io.anabranch.frontend.administration.conversion;

import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.DocumentExport;
import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Listing;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The statements that make of a database what a file says, in the order in which they are to be
 * run. In the place of passwords stand references, as {@link DocumentExport} writes them.
 */
public final class Conversion {

  private static final String[] UNIT_KEYS = {
    "url",
    "username",
    "password",
    "connectionTimeoutMilliseconds",
    "idleTimeoutMilliseconds",
    "maxLifetimeMilliseconds",
    "maxPoolSize",
    "minPoolSize",
    "readOnly",
    "customPoolProps"
  };

  private final StatementText text;
  private final Leftovers leftovers = new Leftovers();
  private final List<String> statements = new ArrayList<>();

  private Conversion(StatementText text) {
    this.text = text;
  }

  /**
   * One statement each, closed by a semicolon; then comments on what has none.
   *
   * @param noBackslashEscapes whether backslashes in strings are plain characters where they will
   *     be run
   */
  public static List<String> of(ConfigurationDocument document, boolean noBackslashEscapes) {
    var conversion = new Conversion(new StatementText(noBackslashEscapes));
    conversion.convert(DocumentExport.masked(document));
    var lines = new ArrayList<String>();
    conversion.statements.forEach(statement -> lines.add(statement + ";"));
    lines.addAll(conversion.leftovers.comments());
    return lines;
  }

  private void convert(Mapping root) {
    String name = root.has("databaseName") ? root.shown("databaseName") : root.shown("schemaName");
    statements.add("CREATE DATABASE IF NOT EXISTS " + text.name(name.strip()));
    statements.add("USE " + text.name(name.strip()));
    units(root.mapping("dataSources"));
    var sharding = new ShardingConversion(text, leftovers);
    var features = new FeatureConversion(text, leftovers);
    var later = new ArrayList<String>();
    if (root.entries().get("rules") instanceof Listing rules) {
      for (DocumentPart rule : rules.items()) {
        Mapping parts = rule instanceof Mapping mapping ? mapping : Mapping.EMPTY;
        switch (rule.tag().toUpperCase(Locale.ROOT)) {
          case "READWRITE_SPLITTING" -> groups(parts);
          case "SHARDING" -> later.addAll(sharding.statements(parts));
          case "BROADCAST" -> later.addAll(broadcast(parts));
          case "SINGLE" -> later.addAll(single(parts));
          case "ENCRYPT" -> later.addAll(features.encrypt(parts));
          case "MASK" -> later.addAll(features.mask(parts));
          case "SHADOW" -> later.addAll(features.shadow(parts));
          default -> leftovers.add("rules.!" + rule.tag());
        }
      }
    }
    statements.addAll(later);
    leftovers.allBut("", root, "databaseName", "schemaName", "dataSources", "rules");
  }

  // ---------------------------------------------------------------- data sources

  private void units(Mapping units) {
    var made = new StringJoiner(", ");
    units
        .mappings()
        .forEach(
            (name, unit) -> {
              String place = "dataSources." + name;
              leftovers.allBut(place, unit, UNIT_KEYS);
              if (isReference(unit.shown("url")) || isReference(unit.shown("username"))) {
                // what databases and drivers say of it would come from elsewhere
                leftovers.add(place);
              } else {
                made.add(text.name(name) + " (" + unit(place, unit) + ")");
              }
            });
    if (made.length() > 0) {
      statements.add("REGISTER STORAGE UNIT IF NOT EXISTS " + made);
    }
  }

  private static boolean isReference(String value) {
    return value.replace("$${", "").contains("${");
  }

  private String unit(String place, Mapping unit) {
    var parts = new StringJoiner(", ");
    parts.add("URL = " + text.string(unit.shown("url")));
    parts.add("USER = " + text.string(unit.shown("username")));
    if (unit.has("password")) {
      parts.add("PASSWORD = " + text.string(unit.shown("password")));
    }
    var properties = new StringJoiner(", ");
    for (int i = 3; i < UNIT_KEYS.length - 1; i++) {
      String value = unit.text(UNIT_KEYS[i]);
      if (value != null) {
        properties.add(text.string(UNIT_KEYS[i]) + " = " + text.value(value));
      }
    }
    Mapping pool = unit.mapping("customPoolProps");
    leftovers.structured(place + ".customPoolProps", pool);
    String others = text.properties(pool.entries());
    if (!others.isEmpty()) {
      properties.add(others);
    }
    if (properties.length() > 0) {
      parts.add("PROPERTIES(" + properties + ")");
    }
    return parts.toString();
  }

  // ---------------------------------------------------------------- rules

  private void groups(Mapping rule) {
    String key = rule.has("dataSources") ? "dataSources" : "dataSourceGroups";
    Mapping balancers = rule.mapping("loadBalancers");
    Set<String> defined = new HashSet<>();
    var made = new StringJoiner(", ");
    for (Map.Entry<String, Mapping> group : rule.mapping(key).mappings().entrySet()) {
      String place = "rules.!READWRITE_SPLITTING." + key + "." + group.getKey();
      made.add(
          text.name(group.getKey()) + " (" + group(group.getValue(), balancers, defined) + ")");
      leftovers.allBut(
          place,
          group.getValue(),
          "writeDataSourceName",
          "readDataSourceNames",
          "transactionalReadQueryStrategy",
          "loadBalancerName");
    }
    if (made.length() > 0) {
      statements.add("CREATE READWRITE_SPLITTING RULE " + made);
    }
    leftovers.allBut("rules.!READWRITE_SPLITTING", rule, key, "loadBalancers");
    leftovers.allBut(
        "rules.!READWRITE_SPLITTING.loadBalancers", balancers, defined.toArray(String[]::new));
  }

  /**
   * @param defined balancers that a group before defines; this one's is added
   */
  private String group(Mapping group, Mapping balancers, Set<String> defined) {
    var parts = new StringJoiner(", ");
    parts.add("WRITE_STORAGE_UNIT = " + text.name(group.shown("writeDataSourceName")));
    parts.add("READ_STORAGE_UNITS(" + text.names(group.texts("readDataSourceNames")) + ")");
    String strategy = group.text("transactionalReadQueryStrategy");
    if (strategy != null) {
      parts.add("TRANSACTIONAL_READ_QUERY_STRATEGY = " + text.string(strategy));
    }
    String balancer = group.text("loadBalancerName");
    if (balancer != null) {
      parts.add("LOAD_BALANCER = " + text.name(balancer));
      if (balancers.has(balancer) && defined.add(balancer)) {
        parts.add(text.type(balancers.mapping(balancer)));
      }
    }
    return parts.toString();
  }

  private List<String> broadcast(Mapping rule) {
    leftovers.allBut("rules.!BROADCAST", rule, "tables");
    List<String> tables = rule.texts("tables");
    return tables.isEmpty()
        ? List.of()
        : List.of("CREATE BROADCAST TABLE RULE " + text.names(tables));
  }

  private List<String> single(Mapping rule) {
    leftovers.allBut("rules.!SINGLE", rule, "tables", "defaultDataSource");
    var made = new ArrayList<String>();
    var tables = new StringJoiner(", ");
    for (String entry : rule.texts("tables")) {
      boolean isPlain = entry.matches("(\\*|\\w+)(\\.(\\*|\\w+))*");
      tables.add(isPlain ? entry : text.string(entry));
    }
    if (tables.length() > 0) {
      made.add("LOAD SINGLE TABLE " + tables);
    }
    String standard = rule.text("defaultDataSource");
    if (standard != null) {
      made.add("SET DEFAULT SINGLE TABLE STORAGE UNIT = " + text.name(standard));
    }
    return made;
  }
}
