package io.anabranch.rules.config.yaml;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;

/** Text to the tree of YAML nodes, without making any object that the text names. */
public final class YamlReader {

  private YamlReader() {}

  /** Null if the file is empty, all comment, or not readable as YAML (then reported). */
  public static @Nullable Section read(ConfigurationText text, Problems problems) {
    Place start = Place.start(text.fileName());
    @Nullable Node root;
    try {
      root = YamlNodes.of(text.content());
    } catch (MarkedYAMLException e) {
      boolean isUnclosed = isUnclosed(e, text);
      Mark mark = isUnclosed ? e.getContextMark() : e.getProblemMark();
      Place place =
          mark == null
              ? start
              : new Place(text.fileName(), mark.getLine() + 1, mark.getColumn() + 1, "");
      boolean inAlias = String.valueOf(e.getContext()).contains("alias");
      problems.error(
          place,
          "not valid YAML: " + withoutContent(e.getProblem()),
          inAlias
              ? "quote a value that begins with an asterisk, as in \"*.*\""
              : isUnclosed ? "close what opens here" : null);
      return null;
    } catch (YAMLException e) {
      problems.error(start, "not valid YAML: " + withoutContent(e.getMessage()), null);
      return null;
    }
    if (root == null || root.getTag().equals(Tag.NULL)) {
      return null;
    }
    return new Value(problems, Place.of(text.fileName(), root, ""), root).section();
  }

  /**
   * Whether a quote or a bracket is closed nowhere: where it opens says more than the file's end.
   */
  private static boolean isUnclosed(MarkedYAMLException e, ConfigurationText text) {
    Mark problem = e.getProblemMark();
    String context = String.valueOf(e.getContext());
    boolean opens = context.contains("quoted scalar") || context.contains("flow");
    String written = text.content().stripTrailing();
    int end = written.codePointCount(0, written.length());
    return opens && problem != null && e.getContextMark() != null && problem.getIndex() >= end;
  }

  /** Some messages quote what they stumble over, which may be a password. */
  private static String withoutContent(@Nullable String message) {
    String text = message == null ? "unreadable" : message.lines().findFirst().orElse("");
    for (String word : new String[] {"undefined alias", "undefined tag handle", "anchor"}) {
      int at = text.indexOf(word);
      if (at >= 0) {
        return text.substring(0, at + word.length());
      }
    }
    return text;
  }
}
