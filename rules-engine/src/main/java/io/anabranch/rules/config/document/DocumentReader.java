package io.anabranch.rules.config.document;

import io.anabranch.rules.config.document.DocumentPart.Listing;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import io.anabranch.rules.config.yaml.YamlNodes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Valid YAML to parts. */
final class DocumentReader {

  private DocumentReader() {}

  static Mapping read(String yaml) {
    return YamlNodes.of(yaml) instanceof MappingNode mapping ? mapping(mapping) : Mapping.EMPTY;
  }

  private static DocumentPart part(Node node) {
    return switch (node) {
      case MappingNode mapping -> mapping(mapping);
      case SequenceNode sequence ->
          new Listing(tag(node), sequence.getValue().stream().map(DocumentReader::part).toList());
      case ScalarNode scalar ->
          new Scalar(
              tag(node), scalar.getTag().equals(Tag.NULL) ? "" : String.valueOf(scalar.getValue()));
      default -> new Scalar("", "");
    };
  }

  private static Mapping mapping(MappingNode node) {
    var entries = new LinkedHashMap<String, DocumentPart>();
    take(node, entries);
    return new Mapping(tag(node), entries);
  }

  /** Own keys win over merged ones, an earlier merge over a later. */
  private static void take(MappingNode node, Map<String, DocumentPart> entries) {
    for (NodeTuple tuple : node.getValue()) {
      if (!isMerge(tuple) && tuple.getKeyNode() instanceof ScalarNode key) {
        entries.putIfAbsent(key.getValue(), part(tuple.getValueNode()));
      }
    }
    for (NodeTuple tuple : node.getValue()) {
      if (isMerge(tuple)) {
        merge(tuple.getValueNode(), entries);
      }
    }
  }

  private static void merge(Node source, Map<String, DocumentPart> entries) {
    if (source instanceof MappingNode mapping) {
      take(mapping, entries);
    } else if (source instanceof SequenceNode sequence) {
      sequence.getValue().forEach(each -> merge(each, entries));
    }
  }

  static boolean isMerge(NodeTuple tuple) {
    return tuple.getKeyNode().getTag().equals(Tag.MERGE);
  }

  /** Of the user's own, without its exclamation mark. */
  static String tag(Node node) {
    String tag = node.getTag().getValue();
    return tag.startsWith("!") && tag.length() > 1 ? tag.substring(1) : "";
  }
}
