package io.anabranch.rules.config.yaml;

import io.anabranch.rules.file.PlainFile;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.parser.ParserException;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * The tree of nodes that a text of YAML is: of a size that can be gone through with all aliases in
 * their places, and without any object that the text names. The only place that parses.
 */
public final class YamlNodes {

  /** A hundred data sources that merge one anchor are a plain configuration, not an attack. */
  private static final int MAX_ALIASES = 10_000;

  /** Nodes that aliases may repeat: a thousand times what those data sources do. */
  private static final long MOST_REPEATED = 1_000_000;

  /** Parts within parts, aliases in their places: who goes through them calls itself. */
  private static final int DEEPEST = 500;

  private final IdentityHashMap<Node, Extent> known = new IdentityHashMap<>();

  /**
   * @param nodes with all that is below, as often as aliases have it there
   * @param depth 1 for a value
   */
  private record Extent(long nodes, int depth) {

    /** Of what is being looked at. */
    static final Extent OPEN = new Extent(0, 0);

    boolean isOpen() {
      return depth == 0;
    }
  }

  private YamlNodes() {}

  /**
   * Null if nothing stands there but comments.
   *
   * @throws YAMLException for whatever is wrong, with its place where there is one
   */
  public static @Nullable Node of(String yaml) {
    var options = new LoaderOptions();
    options.setMaxAliasesForCollections(MAX_ALIASES);
    options.setCodePointLimit(PlainFile.MOST_CONFIGURATION);
    var reader = new StreamReader(yaml);
    @Nullable Node root;
    try {
      root = new Composer(new ParserImpl(reader, options), new Resolver(), options).getSingleNode();
    } catch (ReaderException e) {
      throw wrong(e.getMessage(), mark(yaml, e.getPosition()));
    } catch (NumberFormatException e) {
      // of SnakeYAML's own: \UFFFFFFFF in double quotes
      throw wrong("found an escape that stands for no character", reader.getMark());
    }
    if (root != null) {
      var nodes = new YamlNodes();
      long all = nodes.extent(root).nodes();
      if (all - nodes.known.size() > MOST_REPEATED) {
        throw wrong("aliases repeat too much", root.getStartMark());
      }
    }
    return root;
  }

  private Extent extent(Node node) {
    Extent found = known.get(node);
    if (found != null && found.isOpen()) {
      throw wrong("found a part that contains itself", node.getStartMark());
    }
    if (found != null) {
      return found;
    }
    known.put(node, Extent.OPEN);
    long nodes = 1;
    int depth = 0;
    for (Node part : parts(node)) {
      Extent of = extent(part);
      nodes += of.nodes();
      depth = Math.max(depth, of.depth());
    }
    if (depth >= DEEPEST) {
      throw wrong("found parts in too many others", node.getStartMark());
    }
    var extent = new Extent(Math.min(nodes, Integer.MAX_VALUE), depth + 1);
    known.put(node, extent);
    return extent;
  }

  private static List<Node> parts(Node node) {
    return switch (node) {
      case SequenceNode sequence -> sequence.getValue();
      case MappingNode mapping -> {
        var parts = new ArrayList<Node>(2 * mapping.getValue().size());
        mapping
            .getValue()
            .forEach(
                tuple -> {
                  parts.add(tuple.getKeyNode());
                  parts.add(tuple.getValueNode());
                });
        yield parts;
      }
      default -> List.of();
    };
  }

  private static YAMLException wrong(@Nullable String what, Mark at) {
    return new ParserException(null, null, what, at);
  }

  /**
   * @param codePoint its number in the text
   */
  private static Mark mark(String text, int codePoint) {
    int[] before = text.codePoints().limit(codePoint).toArray();
    int line = 0;
    int begin = 0;
    for (int i = 0; i < before.length; i++) {
      if (before[i] == '\n') {
        line++;
        begin = i + 1;
      }
    }
    return new Mark("", codePoint, line, before.length - begin, before, before.length);
  }
}
