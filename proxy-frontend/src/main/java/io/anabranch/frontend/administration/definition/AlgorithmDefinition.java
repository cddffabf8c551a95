package io.anabranch.frontend.administration.definition;

import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** {@code TYPE(NAME = type, PROPERTIES("key" = value, …))}: what files define under a name. */
final class AlgorithmDefinition {

  private AlgorithmDefinition() {}

  /** As the file has it. */
  static Mapping of(Clause type) {
    type.takeOnly("NAME", "PROPERTIES");
    var entries = new LinkedHashMap<String, DocumentPart>();
    entries.put("type", new Scalar("", type.required("NAME").toUpperCase(Locale.ROOT)));
    Clause properties = type.part("PROPERTIES");
    if (properties != null && !properties.parts().isEmpty()) {
      var props = new LinkedHashMap<String, DocumentPart>();
      for (Clause property : properties.parts()) {
        props.put(property.name(), new Scalar("", property.property()));
      }
      entries.put("props", new Mapping("", props));
    }
    return new Mapping("", entries);
  }

  /** What the file calls it where the statement gives no name. */
  static String name(String owner, Mapping algorithm) {
    return owner + "_" + algorithm.shown("type").toLowerCase(Locale.ROOT);
  }

  /** All definitions that a part of a file names, whatever they are of. */
  static Set<String> named(DocumentPart part) {
    var names = new TreeSet<String>();
    collect(part, names);
    return names;
  }

  private static void collect(DocumentPart part, Set<String> names) {
    if (part instanceof Mapping mapping) {
      for (Map.Entry<String, DocumentPart> entry : mapping.entries().entrySet()) {
        switch (entry.getKey()) {
          case "shardingAlgorithmName",
              "keyGeneratorName",
              "auditorNames",
              "loadBalancerName",
              "encryptorName",
              "assistedQueryEncryptorName",
              "likeQueryEncryptorName",
              "maskAlgorithm",
              "shadowAlgorithmNames",
              "defaultShadowAlgorithmName" ->
              names.addAll(mapping.texts(entry.getKey()));
          default -> collect(entry.getValue(), names);
        }
      }
    }
  }
}
