package io.anabranch.rules.config.yaml;

import org.yaml.snakeyaml.nodes.Node;

/**
 * Where in a file something stands.
 *
 * @param line from 1
 * @param column from 1
 * @param keyPath empty for the file as a whole
 */
public record Place(String file, int line, int column, String keyPath) {

  public static Place start(String file) {
    return new Place(file, 1, 1, "");
  }

  static Place of(String file, Node node, String keyPath) {
    return new Place(
        file, node.getStartMark().getLine() + 1, node.getStartMark().getColumn() + 1, keyPath);
  }

  /** The same point under a key. */
  public Place under(String key) {
    String shown = shown(key);
    return new Place(file, line, column, keyPath.isEmpty() ? shown : keyPath + "." + shown);
  }

  /**
   * A key as far as it is surely one: what stands behind a colon without a blank, or an equals
   * sign, was meant as a value, and may be a password.
   */
  static String shown(String key) {
    int end = 0;
    while (end < key.length() && key.charAt(end) != ':' && key.charAt(end) != '=') {
      end++;
    }
    return end == key.length() ? key : key.substring(0, end + 1) + "…";
  }
}
