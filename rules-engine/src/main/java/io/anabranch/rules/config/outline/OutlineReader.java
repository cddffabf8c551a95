package io.anabranch.rules.config.outline;

import io.anabranch.rules.config.outline.OutlineNode.Branch;
import io.anabranch.rules.config.outline.OutlineNode.Leaf;
import io.anabranch.rules.config.yaml.YamlNodes;
import io.anabranch.rules.secret.SecretNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Valid YAML to an outline; merge keys are resolved. */
final class OutlineReader {

  private static final String USERS = "users";

  /** Parts whose order says where goes what is for none of them. */
  private static final Set<String> ORDERED = Set.of("dataSources", "dataSourceGroups");

  private final UnaryOperator<String> references;

  /**
   * @param references puts values in the place of references
   */
  OutlineReader(UnaryOperator<String> references) {
    this.references = references;
  }

  Branch read(String yaml) {
    return YamlNodes.of(yaml) instanceof MappingNode mapping
        ? branch("", mapping)
        : new Branch(Map.of());
  }

  private Branch branch(String key, MappingNode node) {
    var parts = new LinkedHashMap<String, OutlineNode>();
    take(node, parts);
    return new Branch(parts, ORDERED.contains(key) ? List.copyOf(parts.keySet()) : List.of());
  }

  /** Own keys win over merged ones, an earlier merge over a later. */
  private void take(MappingNode node, Map<String, OutlineNode> parts) {
    for (NodeTuple tuple : node.getValue()) {
      if (!isMerge(tuple) && tuple.getKeyNode() instanceof ScalarNode key) {
        parts.putIfAbsent(key.getValue(), node(key.getValue(), tuple.getValueNode()));
      }
    }
    for (NodeTuple tuple : node.getValue()) {
      if (isMerge(tuple)) {
        merge(tuple.getValueNode(), parts);
      }
    }
  }

  private static boolean isMerge(NodeTuple tuple) {
    return tuple.getKeyNode().getTag().equals(Tag.MERGE);
  }

  private void merge(Node source, Map<String, OutlineNode> parts) {
    if (source instanceof MappingNode mapping) {
      take(mapping, parts);
    } else if (source instanceof SequenceNode sequence) {
      for (Node each : sequence.getValue()) {
        merge(each, parts);
      }
    }
  }

  private OutlineNode node(String key, Node node) {
    return switch (node) {
      case MappingNode mapping -> branch(key, mapping);
      case SequenceNode sequence -> list(key, sequence.getValue());
      case ScalarNode scalar -> leaf(key, scalar.getValue());
      default -> new Leaf("", "", "");
    };
  }

  private Leaf leaf(String key, String text) {
    if (SecretNames.isSecret(key)) {
      return new Leaf(SecretNames.HIDDEN, text, references.apply(text));
    }
    return new Leaf(key.equals("url") ? place(text) : text, text, references.apply(text));
  }

  /** The URL as far as it says where: what is in front of an at sign or behind is nobody's. */
  private static String place(String url) {
    int query = url.indexOf('?');
    String place = query < 0 ? url : url.substring(0, query);
    int at = place.lastIndexOf('@');
    return at < 0 ? place : place.substring(at + 1);
  }

  /** Values as one, parts by their tag, their name or their number. */
  private OutlineNode list(String key, List<Node> items) {
    boolean areValues = !key.equals(USERS);
    for (Node item : items) {
      areValues &= item instanceof ScalarNode;
    }
    if (areValues) {
      var values = new StringJoiner(", ");
      items.forEach(item -> values.add(((ScalarNode) item).getValue()));
      return leaf(key, values.toString());
    }
    var parts = new LinkedHashMap<String, OutlineNode>();
    for (Node item : items) {
      String name = name(item);
      if (item instanceof ScalarNode account) {
        parts.put(
            account(account.getValue()),
            new Leaf(SecretNames.HIDDEN, account.getValue(), references.apply(account.getValue())));
      } else {
        String unique = name == null || parts.containsKey(name) ? "[" + parts.size() + "]" : name;
        parts.put(unique, node(key, item));
      }
    }
    return new Branch(parts);
  }

  /** {@code name@host:password} without the password. */
  private static String account(String text) {
    int colon = text.indexOf(':', text.indexOf('@'));
    return "[" + (colon < 0 ? text : text.substring(0, colon)) + "]";
  }

  private static @Nullable String name(Node item) {
    String tag = item.getTag().getValue();
    if (tag.startsWith("!") && tag.length() > 1) {
      return tag;
    }
    if (item instanceof MappingNode mapping) {
      for (NodeTuple tuple : mapping.getValue()) {
        if (tuple.getKeyNode() instanceof ScalarNode key
            && key.getValue().equals("user")
            && tuple.getValueNode() instanceof ScalarNode user) {
          return "[" + user.getValue() + "]";
        }
      }
    }
    return null;
  }
}
