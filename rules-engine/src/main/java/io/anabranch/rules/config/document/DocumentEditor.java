package io.anabranch.rules.config.document;

import io.anabranch.rules.config.document.DocumentPart.Listing;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.yaml.YamlNodes;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.CollectionNode;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * One change of a text: it is cut at the marks of its nodes, so that all the rest stays as it is,
 * comments included. What is made thus is not trusted: who asked for it compares what it says.
 */
final class DocumentEditor {

  private final String text;
  private final YamlText yaml;
  private final String lineEnd;

  DocumentEditor(String text) {
    this.text = text;
    this.lineEnd = text.contains("\r\n") ? "\r\n" : "\n";
    this.yaml = new YamlText(lineEnd);
  }

  // ---------------------------------------------------------------- a value at a place

  String put(List<String> path, DocumentPart value) {
    Node root = YamlNodes.of(text);
    if (root == null) {
      String missing = text.isEmpty() || text.endsWith("\n") ? "" : lineEnd;
      DocumentPart inner = DocumentPath.wrap(path.subList(1, path.size()), value);
      return text + missing + yaml.entry(path.getFirst(), inner, 0) + lineEnd;
    }
    Node node = root;
    NodeTuple last = null;
    boolean isInFlow = false;
    for (int i = 0; i < path.size(); i++) {
      String step = path.get(i);
      List<String> rest = path.subList(i + 1, path.size());
      isInFlow |= isFlow(node) && !isVoid(node);
      if (isVoid(node) && last != null) {
        return replace(last, DocumentPath.wrap(path.subList(i, path.size()), value), isInFlow);
      }
      if (node instanceof SequenceNode sequence && DocumentPath.isItem(step)) {
        Node item = item(sequence, step);
        if (item == null) {
          return append(sequence, DocumentPath.item(step, DocumentPath.wrap(rest, value)));
        }
        node = item;
        last = null;
      } else if (node instanceof MappingNode mapping) {
        NodeTuple tuple = own(mapping, step);
        if (tuple == null) {
          return insert(mapping, step, DocumentPath.wrap(rest, value));
        }
        node = tuple.getValueNode();
        last = tuple;
      } else {
        throw new UneditableException("`" + step + "` has no place there");
      }
    }
    if (last == null) {
      throw new UneditableException("`" + path.getLast() + "` is no value");
    }
    return replace(last, value, isInFlow);
  }

  private String replace(NodeTuple tuple, DocumentPart value, boolean isInFlow) {
    int colon = text.indexOf(':', end(tuple.getKeyNode())) + 1;
    int to = Math.max(colon, end(tuple));
    if (isInFlow) {
      return spliced(colon, to, " " + YamlText.flow(value));
    }
    String made = yaml.behindKey(value, column(tuple.getKeyNode()));
    int lineEnd = made.indexOf('\n');
    if (lineEnd < 0) {
      return spliced(colon, to, made + comments(colon, start(tuple.getValueNode())));
    }
    // what is said of an empty value is said of the key: behind the new lines it would be of their
    // last
    int behind = isVoid(tuple.getValueNode()) ? lineEnd(to) : to;
    String said = comments(to, behind);
    int rest = said.isEmpty() ? to : behind;
    int first = lineEnd > 0 && made.charAt(lineEnd - 1) == '\r' ? lineEnd - 1 : lineEnd;
    return spliced(
        colon,
        rest,
        made.substring(0, first)
            + comments(colon, start(tuple.getValueNode()))
            + said
            + made.substring(first));
  }

  /** What stands between a key, or a value, and what comes next: nothing, if it is no comment. */
  private String comments(int from, int to) {
    String between = from < to ? text.substring(from, to).stripTrailing() : "";
    return between.contains("#") ? between : "";
  }

  private String insert(MappingNode mapping, String key, DocumentPart value) {
    NodeTuple last = mapping.getValue().getLast();
    int behind = end(last);
    if (isFlow(mapping)) {
      return spliced(behind, behind, ", " + YamlText.scalar(key) + ": " + YamlText.flow(value));
    }
    int indent = column(mapping.getValue().getFirst().getKeyNode());
    int at = lineEnd(behind);
    return spliced(at, at, lineEnd + yaml.entry(key, value, indent));
  }

  private String append(SequenceNode sequence, DocumentPart item) {
    int behind = end(sequence.getValue().getLast());
    if (isFlow(sequence)) {
      return spliced(behind, behind, ", " + YamlText.flow(item));
    }
    int at = lineEnd(behind);
    return spliced(at, at, lineEnd + yaml.item(item, column(sequence)));
  }

  // ---------------------------------------------------------------- items of a list of values

  /** Adds a value behind the last of a list that has some. */
  String add(List<String> path, DocumentPart.Scalar item) {
    return append(sequence(path), item);
  }

  /** Takes a value out of a list that has others. */
  String removeItem(List<String> path, int index) {
    SequenceNode sequence = sequence(path);
    Node item = sequence.getValue().get(index);
    if (!isFlow(sequence)) {
      return withoutLines(text.lastIndexOf('-', start(item)), end(item));
    }
    return index > 0
        ? spliced(end(sequence.getValue().get(index - 1)), end(item), "")
        : spliced(start(item), start(sequence.getValue().get(1)), "");
  }

  private SequenceNode sequence(List<String> path) {
    if (find(path) instanceof SequenceNode sequence && !sequence.getValue().isEmpty()) {
      return sequence;
    }
    throw new UneditableException("`" + path.getLast() + "` is no list");
  }

  // ---------------------------------------------------------------- what goes

  /**
   * @param path of what is there
   */
  String remove(List<String> path) {
    String step = path.getLast();
    List<String> around = path.subList(0, path.size() - 1);
    Node container = find(around);
    if (container instanceof SequenceNode sequence) {
      Node item = item(sequence, step);
      if (item != null && sequence.getValue().size() == 1) {
        return emptied(around, new Listing("", List.of()));
      }
      if (item != null) {
        return removeItem(around, sequence.getValue().indexOf(item));
      }
    }
    if (container instanceof MappingNode mapping) {
      int index = index(mapping, step);
      if (index >= 0 && mapping.getValue().size() == 1 && !around.isEmpty()) {
        return emptied(around, Mapping.EMPTY);
      }
      if (index >= 0) {
        return withoutEntry(mapping, index);
      }
    }
    throw new UneditableException("`" + step + "` does not stand there itself");
  }

  private String emptied(List<String> path, DocumentPart empty) {
    return put(path, empty);
  }

  private String withoutEntry(MappingNode mapping, int index) {
    List<NodeTuple> entries = mapping.getValue();
    NodeTuple entry = entries.get(index);
    int from = start(entry.getKeyNode());
    boolean isFirst = index == 0;
    if (isFlow(mapping)) {
      return isFirst
          ? spliced(from, start(entries.get(1).getKeyNode()), "")
          : spliced(end(entries.get(index - 1)), end(entry), "");
    }
    boolean isBehindDash = !text.substring(lineStart(from), from).isBlank();
    return isBehindDash && isFirst && entries.size() > 1
        ? spliced(from, start(entries.get(1).getKeyNode()), "")
        : withoutLines(from, end(entry));
  }

  private String withoutLines(int from, int to) {
    int behind = text.indexOf('\n', to);
    return spliced(lineStart(from), behind < 0 ? text.length() : behind + 1, "");
  }

  // ---------------------------------------------------------------- where things stand

  private @Nullable Node find(List<String> path) {
    Node node = YamlNodes.of(text);
    for (String step : path) {
      node =
          switch (node) {
            case SequenceNode sequence -> item(sequence, step);
            case MappingNode mapping -> {
              NodeTuple tuple = own(mapping, step);
              yield tuple == null ? null : tuple.getValueNode();
            }
            case null, default -> null;
          };
    }
    return node;
  }

  private static @Nullable Node item(SequenceNode sequence, String step) {
    for (Node item : sequence.getValue()) {
      if (("!" + DocumentReader.tag(item)).equalsIgnoreCase(step) || isOf(item, step)) {
        return item;
      }
    }
    return null;
  }

  private static boolean isOf(Node item, String step) {
    String key = DocumentPath.isNamed(step) ? "name" : "user";
    NodeTuple own = item instanceof MappingNode mapping ? own(mapping, key) : null;
    return own != null
        && own.getValueNode() instanceof ScalarNode name
        && step.equals(
            DocumentPath.isNamed(step) ? "{" + name.getValue() + "}" : "[" + name.getValue() + "]");
  }

  private static @Nullable NodeTuple own(MappingNode mapping, String key) {
    int index = index(mapping, key);
    return index < 0 ? null : mapping.getValue().get(index);
  }

  private static int index(MappingNode mapping, String key) {
    for (int i = 0; i < mapping.getValue().size(); i++) {
      NodeTuple tuple = mapping.getValue().get(i);
      if (!DocumentReader.isMerge(tuple)
          && tuple.getKeyNode() instanceof ScalarNode name
          && name.getValue().equals(key)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isFlow(Node node) {
    return node instanceof CollectionNode<?> collection
        && collection.getFlowStyle() == FlowStyle.FLOW;
  }

  /** An empty value, list or mapping. */
  private static boolean isVoid(Node node) {
    return switch (node) {
      case ScalarNode scalar -> scalar.getValue().isEmpty() || scalar.getValue().equals("~");
      case CollectionNode<?> collection -> collection.getValue().isEmpty();
      default -> false;
    };
  }

  private int start(Node node) {
    return offset(node.getStartMark());
  }

  private static int column(Node node) {
    return node.getStartMark().getColumn();
  }

  private int offset(Mark mark) {
    return text.offsetByCodePoints(0, mark.getIndex());
  }

  /** Behind the last character: marks of blocks are behind the blank lines that follow. */
  private int end(Node node) {
    if (isFlow(node)) {
      return offset(node.getEndMark());
    }
    return switch (node) {
      case MappingNode mapping when !mapping.getValue().isEmpty() ->
          end(mapping.getValue().getLast());
      case SequenceNode sequence when !sequence.getValue().isEmpty() ->
          end(sequence.getValue().getLast());
      default -> {
        int end = offset(node.getEndMark());
        while (end > start(node) && Character.isWhitespace(text.charAt(end - 1))) {
          end--;
        }
        yield end;
      }
    };
  }

  /** An alias stands elsewhere: then the key's end. */
  private int end(NodeTuple tuple) {
    int key = end(tuple.getKeyNode());
    return Math.max(key, start(tuple.getValueNode()) < key ? key : end(tuple.getValueNode()));
  }

  private int lineStart(int offset) {
    return text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** In front of the line's end. */
  private int lineEnd(int offset) {
    int end = text.indexOf('\n', offset);
    if (end < 0) {
      return text.length();
    }
    return end > 0 && text.charAt(end - 1) == '\r' ? end - 1 : end;
  }

  private String spliced(int from, int to, String with) {
    return text.substring(0, from) + with + text.substring(to);
  }
}
