package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.type.AlgorithmReader;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.model.ShardedTable.KeyGeneration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Key generation in both forms: below the table, and as {@code keyGenerateStrategies}. */
final class KeyGenerationReader {

  private final AlgorithmReader algorithms;
  private final Definitions<KeyGenerator> generators;
  private final Map<String, Separate> separate = new HashMap<>();
  private final Set<String> tables = new HashSet<>();
  private @Nullable KeyGeneration standard;

  KeyGenerationReader(Section rule, AlgorithmReader algorithms) {
    this.algorithms = algorithms;
    this.generators =
        new Definitions<>("key generator", rule, "keyGenerators", algorithms::keyGenerator);
    this.standard = inTable(rule, "defaultKeyGenerateStrategy");
    rule.named("keyGenerateStrategies").forEach((_, section) -> readSeparate(section));
  }

  /** The table's own, else the one that names it, else the default; null if there is none. */
  @Nullable KeyGeneration read(Section table, String name) {
    String key = name.toLowerCase(Locale.ROOT);
    tables.add(key);
    KeyGeneration own = inTable(table, "keyGenerateStrategy");
    Separate other = separate.get(key);
    if (other == null) {
      return own == null ? standard : own;
    }
    if (own != null) {
      other.section().error("the table `" + name + "` has a keyGenerateStrategy already", null);
    }
    return other.generation();
  }

  /** To be called when all tables are read. */
  void finish() {
    separate.forEach(
        (table, strategy) -> {
          if (!tables.contains(table)) {
            Section section = strategy.section();
            section
                .problems()
                .error(
                    section.keyPlace("logicTable"),
                    "there is no sharded table `" + table + "`",
                    NearestName.suggestion(table, tables));
          }
        });
    generators.reportUnused();
  }

  private @Nullable KeyGeneration inTable(Section parent, String key) {
    Section section = parent.section(key);
    if (section == null || section.isEmpty()) {
      return null;
    }
    String column = section.required("column");
    KeyGenerator generator = generator(section);
    section.close();
    return generator == null ? null : new KeyGeneration(column, generator);
  }

  private void readSeparate(Section section) {
    String type = section.text("keyGenerateType", "column");
    String table = section.required("logicTable");
    String column = section.required("keyGenerateColumn");
    KeyGenerator generator = generator(section);
    section.close();
    if (!type.equalsIgnoreCase("column")) {
      section
          .problems()
          .error(
              section.keyPlace("keyGenerateType"),
              "the type " + type + " is not supported",
              "use `column`");
      return;
    }
    if (generator == null) {
      return;
    }
    Separate strategy = new Separate(new KeyGeneration(column, generator), section);
    if (separate.putIfAbsent(table.toLowerCase(Locale.ROOT), strategy) != null) {
      section.error("the table `" + table + "` has another strategy already", null);
    }
  }

  /** Without a name: the default's generator, else SNOWFLAKE. */
  private @Nullable KeyGenerator generator(Section section) {
    if (section.has("keyGeneratorName")) {
      return generators.get(section.value("keyGeneratorName"));
    }
    KeyGeneration fallback = standard;
    String place = section.place().file() + ":" + section.place().keyPath();
    return fallback == null ? algorithms.snowflake(place) : fallback.generator();
  }

  private record Separate(KeyGeneration generation, Section section) {}
}
