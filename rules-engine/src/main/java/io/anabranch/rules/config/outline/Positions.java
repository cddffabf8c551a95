package io.anabranch.rules.config.outline;

import io.anabranch.rules.config.yaml.YamlNodes;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Where the parts of one valid file stand. Immutable. */
public final class Positions {

  private final @Nullable Node root;

  private Positions(@Nullable Node root) {
    this.root = root;
  }

  /**
   * @param yaml valid
   * @throws RuntimeException if it is no YAML
   */
  public static Positions of(String yaml) {
    return new Positions(YamlNodes.of(yaml));
  }

  /** Whether the file gives the key this value, in any case. */
  public boolean says(String key, String value) {
    NodeTuple found = root instanceof MappingNode mapping ? tuple(mapping, key) : null;
    return found != null
        && found.getValueNode() instanceof ScalarNode scalar
        && scalar.getValue().equalsIgnoreCase(value);
  }

  /**
   * Line and column, from 1, of the deepest part of a path that is there.
   *
   * @param path keys without regard to case; tags such as {@code !SHARDING}; entries of lists
   */
  public String at(String... path) {
    Node place = root;
    Node reached = root;
    for (String step : path) {
      Node next = null;
      if (reached instanceof MappingNode mapping) {
        NodeTuple found = tuple(mapping, step);
        place = found == null ? place : found.getKeyNode();
        next = found == null ? null : found.getValueNode();
      } else if (reached instanceof SequenceNode sequence) {
        next = entry(sequence, step);
        place = next == null ? place : next;
      }
      if (next == null) {
        break;
      }
      reached = next;
    }
    return place == null
        ? "1:1"
        : (place.getStartMark().getLine() + 1) + ":" + (place.getStartMark().getColumn() + 1);
  }

  private static @Nullable NodeTuple tuple(MappingNode mapping, String key) {
    for (NodeTuple each : mapping.getValue()) {
      if (each.getKeyNode() instanceof ScalarNode name && name.getValue().equalsIgnoreCase(key)) {
        return each;
      }
    }
    return null;
  }

  private static @Nullable Node entry(SequenceNode sequence, String step) {
    for (Node each : sequence.getValue()) {
      boolean isValue =
          each instanceof ScalarNode scalar && scalar.getValue().equalsIgnoreCase(step);
      if (isValue || each.getTag().getValue().equals(step)) {
        return each;
      }
    }
    return null;
  }
}
