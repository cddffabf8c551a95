package io.anabranch.frontend.administration.definition;

import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Listing;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A file whose rule {@code !SHARDING} is being changed. */
final class ShardingEdit extends RuleEdit {

  static final String ALGORITHMS = "shardingAlgorithms";
  static final String GENERATORS = "keyGenerators";
  static final String AUDITORS = "auditors";

  ShardingEdit(ConfigurationDocument document) {
    super(document, "SHARDING", ALGORITHMS, GENERATORS, AUDITORS);
  }

  /**
   * Where a table of that name stands, in any case: the list of tables or of automatic ones, and
   * the name.
   */
  String @Nullable [] place(String table) {
    for (String kind : List.of("tables", "autoTables")) {
      String name = named(kind, table);
      if (name != null) {
        return new String[] {kind, name};
      }
    }
    return null;
  }

  // ---------------------------------------------------------------- strategies

  /**
   * {@code TYPE = …, SHARDING_COLUMN = …, SHARDING_ALGORITHM(TYPE(…))} as the file has it.
   *
   * @param owner what definitions are called by
   * @param replaced names them until now, perhaps; empty: nothing
   */
  Mapping strategy(Clause clause, String owner, DocumentPart replaced) {
    clause.takeOnly("TYPE", "SHARDING_COLUMN", "SHARDING_COLUMNS", "SHARDING_ALGORITHM");
    String type = clause.required("TYPE").toLowerCase(Locale.ROOT);
    if (type.equals("none")) {
      return entry(type, new Scalar("", ""));
    }
    var entries = new LinkedHashMap<String, DocumentPart>();
    List<String> columns = clause.values("SHARDING_COLUMNS");
    if (type.equals("complex")) {
      List<String> chosen = columns.isEmpty() ? clause.values("SHARDING_COLUMN") : columns;
      entries.put("shardingColumns", new Scalar("", String.join(",", chosen)));
    } else if (type.equals("standard")) {
      entries.put("shardingColumn", new Scalar("", clause.required("SHARDING_COLUMN")));
    }
    String name = chosen(ALGORITHMS, owner, clause, "SHARDING_ALGORITHM", replaced);
    entries.put("shardingAlgorithmName", new Scalar("", name));
    return entry(type, new Mapping("", entries));
  }

  /** Keys and audits of a table, where the statement gives them. */
  void addCommon(Map<String, DocumentPart> entries, Clause table, DocumentPart replaced) {
    Clause keys = table.part("KEY_GENERATE_STRATEGY");
    if (keys != null) {
      keys.takeOnly("COLUMN", "TYPE", "KEY_GENERATOR");
      Clause type = keys.part("TYPE");
      String generator = keys.text("KEY_GENERATOR");
      var strategy = new LinkedHashMap<String, DocumentPart>();
      strategy.put("column", new Scalar("", keys.required("COLUMN")));
      if (type != null) {
        String name = define(GENERATORS, table.name(), type, replaced);
        strategy.put("keyGeneratorName", new Scalar("", name));
      } else if (generator != null) {
        strategy.put("keyGeneratorName", new Scalar("", generator));
      }
      entries.put("keyGenerateStrategy", new Mapping("", strategy));
    }
    Clause audit = table.part("AUDIT_STRATEGY");
    if (audit != null) {
      audit.takeOnly("TYPE", "AUDITORS", "ALLOW_HINT_DISABLE");
      var names = new ArrayList<DocumentPart>();
      for (Clause part : audit.parts()) {
        if (part.is("TYPE")) {
          names.add(new Scalar("", define(AUDITORS, table.name(), part, replaced)));
        } else if (part.is("AUDITORS")) {
          part.names().forEach(name -> names.add(new Scalar("", name)));
        }
      }
      var strategy = new LinkedHashMap<String, DocumentPart>();
      strategy.put("auditorNames", new Listing("", names));
      String allowed = audit.text("ALLOW_HINT_DISABLE");
      if (allowed != null) {
        strategy.put("allowHintDisable", new Scalar("", allowed.toLowerCase(Locale.ROOT)));
      }
      entries.put("auditStrategy", new Mapping("", strategy));
    }
  }

  static Mapping entry(String key, DocumentPart value) {
    return new Mapping("", Map.of(key, value));
  }
}
