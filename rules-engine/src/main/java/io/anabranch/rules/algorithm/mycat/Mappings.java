package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A property that holds what is a file with {@code value=node} in each line there: one for each
 * line, or several with commas between. Lines that begin with {@code #} or {@code //} are comments.
 */
final class Mappings {

  private Mappings() {}

  /** Nodes by what stands left of the last {@code =}; reports what is none. */
  static Map<String, Integer> read(AlgorithmProperties properties, String property) {
    String text = properties.requiredText(property);
    var nodes = new LinkedHashMap<String, Integer>();
    for (String line : text.split("\\R", -1)) {
      String stripped = line.strip();
      if (stripped.startsWith("#") || stripped.startsWith("//")) {
        continue;
      }
      for (String part : stripped.split(",", -1)) {
        read(properties, property, part.strip(), nodes);
      }
    }
    return nodes;
  }

  private static void read(
      AlgorithmProperties properties, String property, String part, Map<String, Integer> nodes) {
    if (part.isEmpty()) {
      return;
    }
    int sign = part.lastIndexOf('=');
    if (sign < 0) {
      properties.problem(property, "`" + part + "` has not the form value=node");
      return;
    }
    String value = part.substring(0, sign).strip();
    Integer node = node(part.substring(sign + 1).strip());
    if (node == null) {
      properties.problem(property, "`" + part + "` names no node from 0 on");
    } else if (nodes.putIfAbsent(value, node) != null) {
      properties.problem(property, "`" + value + "` is there twice");
    }
  }

  private static @Nullable Integer node(String text) {
    try {
      int node = Integer.parseInt(text);
      return node < 0 || node >= AlgorithmProperties.MAX_TARGETS ? null : node;
    } catch (NumberFormatException none) {
      return null;
    }
  }
}
