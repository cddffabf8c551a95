package io.anabranch.frontend.administration.conversion;

import io.anabranch.rules.config.document.DocumentPart.Mapping;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** {@code !ENCRYPT}, {@code !MASK}, {@code !SHADOW}: definitions stand with the tables. */
final class FeatureConversion {

  private static final String TABLES = "tables";

  private final StatementText text;
  private final Leftovers leftovers;

  FeatureConversion(StatementText text, Leftovers leftovers) {
    this.text = text;
    this.leftovers = leftovers;
  }

  // ---------------------------------------------------------------- columns

  List<String> encrypt(Mapping rule) {
    return columns("ENCRYPT", "encryptors", rule, this::encrypted);
  }

  List<String> mask(Mapping rule) {
    return columns("MASK", "maskAlgorithms", rule, this::masked);
  }

  /** What a statement says of a column; null if none says it. */
  private interface Column {
    @Nullable String of(Mapping column, Mapping definitions, String place);
  }

  private List<String> columns(String tag, String key, Mapping rule, Column said) {
    String place = "rules.!" + tag;
    var all = new StringJoiner(", ");
    for (Map.Entry<String, Mapping> table : rule.mapping(TABLES).mappings().entrySet()) {
      String ofTable = place + "." + TABLES + "." + table.getKey();
      var columns = new StringJoiner(", ");
      for (Map.Entry<String, Mapping> column :
          table.getValue().mapping("columns").mappings().entrySet()) {
        String ofColumn = ofTable + ".columns." + column.getKey();
        String made = said.of(column.getValue(), rule.mapping(key), ofColumn);
        if (made == null) {
          leftovers.add(ofColumn);
        } else {
          columns.add("(NAME = " + text.name(column.getKey()) + made + ")");
        }
      }
      leftovers.allBut(ofTable, table.getValue(), "columns");
      if (columns.length() > 0) {
        all.add(text.name(table.getKey()) + " (COLUMNS(" + columns + "))");
      }
    }
    leftovers.allBut(place, rule, TABLES, key);
    return all.length() == 0 ? List.of() : List.of("CREATE " + tag + " RULE " + all);
  }

  private @Nullable String encrypted(Mapping column, Mapping definitions, String place) {
    if (!column.has("cipher")) {
      return null;
    }
    var said = new StringBuilder();
    Map<String, String> words =
        Map.of("cipher", "CIPHER", "assistedQuery", "ASSISTED_QUERY", "likeQuery", "LIKE_QUERY");
    for (String key : List.of("cipher", "assistedQuery", "likeQuery")) {
      Mapping stored = column.mapping(key);
      if (column.has(key)) {
        String word = String.valueOf(words.get(key));
        String algorithm = key.equals("cipher") ? "ENCRYPT" : word;
        said.append(", ").append(word).append(" = ").append(text.name(stored.shown("name")));
        said.append(", ").append(algorithm).append("_ALGORITHM(");
        said.append(defined(definitions, stored.shown("encryptorName"), place)).append(')');
        leftovers.allBut(place + "." + key, stored, "name", "encryptorName");
      }
    }
    leftovers.allBut(place, column, "cipher", "assistedQuery", "likeQuery");
    return said.toString();
  }

  private @Nullable String masked(Mapping column, Mapping definitions, String place) {
    leftovers.allBut(place, column, "maskAlgorithm");
    return ", " + defined(definitions, column.shown("maskAlgorithm"), place);
  }

  private String defined(Mapping definitions, String name, String place) {
    Mapping definition = definitions.mapping(name);
    leftovers.structured(place + "." + name + ".props", definition.mapping("props"));
    return text.type(definition);
  }

  // ---------------------------------------------------------------- shadows

  List<String> shadow(Mapping rule) {
    String place = "rules.!SHADOW";
    Mapping definitions = rule.mapping("shadowAlgorithms");
    var made = new ArrayList<String>();
    var pairs = new StringJoiner(", ");
    Set<String> told = new HashSet<>();
    rule.mapping("dataSources")
        .mappings()
        .forEach(
            (name, pair) -> {
              var parts = new StringJoiner(", ");
              parts.add("SOURCE = " + text.name(pair.shown("productionDataSourceName")));
              parts.add("SHADOW = " + text.name(pair.shown("shadowDataSourceName")));
              rule.mapping(TABLES)
                  .mappings()
                  .forEach(
                      (table, parameters) -> {
                        if (parameters.texts("dataSourceNames").contains(name)) {
                          parts.add(table(table, parameters, definitions, place));
                          told.add(table);
                        }
                      });
              pairs.add(text.name(name) + " (" + parts + ")");
            });
    if (pairs.length() > 0) {
      made.add("CREATE SHADOW RULE " + pairs);
    }
    rule.mapping(TABLES)
        .mappings()
        .forEach(
            (table, parameters) -> {
              String ofTable = place + "." + TABLES + "." + table;
              if (told.contains(table)) {
                leftovers.allBut(ofTable, parameters, "dataSourceNames", "shadowAlgorithmNames");
              } else {
                leftovers.add(ofTable);
              }
            });
    String standard = rule.text("defaultShadowAlgorithmName");
    if (standard != null) {
      made.add("CREATE DEFAULT SHADOW ALGORITHM " + defined(definitions, standard, place));
    }
    leftovers.allBut(
        place, rule, "dataSources", TABLES, "shadowAlgorithms", "defaultShadowAlgorithmName");
    return made;
  }

  private String table(String name, Mapping table, Mapping definitions, String place) {
    var types = new StringJoiner(", ");
    for (String algorithm : table.texts("shadowAlgorithmNames")) {
      types.add(defined(definitions, algorithm, place));
    }
    return text.name(name) + "(" + types + ")";
  }
}
