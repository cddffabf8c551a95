package io.anabranch.rules.config.yaml;

import io.anabranch.rules.secret.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** A YAML value with its place. Reading it as the wrong type is reported and gives null. */
public final class Value {

  private final Problems problems;
  private final Place place;
  private final Node node;

  Value(Problems problems, Place place, Node node) {
    this.problems = problems;
    this.place = place;
    this.node = node;
  }

  Place place() {
    return place;
  }

  public Problems problems() {
    return problems;
  }

  public void error(String reason, @Nullable String suggestion) {
    problems.error(place, reason, suggestion);
  }

  public void notice(String reason, @Nullable String suggestion) {
    problems.notice(place, reason, suggestion);
  }

  /** An empty value, {@code ~} or {@code null}. */
  public boolean isNull() {
    return node.getTag().equals(Tag.NULL)
        || (node instanceof ScalarNode scalar && scalar.isPlain() && scalar.getValue().isEmpty());
  }

  public boolean isScalar() {
    return node instanceof ScalarNode;
  }

  /** {@code !SHARDING} as {@code SHARDING}; null without a local tag. */
  @Nullable
  public String localTag() {
    String tag = node.getTag().getValue();
    return tag.startsWith("!") && tag.length() > 1 ? tag.substring(1) : null;
  }

  /** Null for an empty value and for what is no scalar. */
  @Nullable
  public String text() {
    if (isNull()) {
      return null;
    }
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    error("must be a single value, not a " + kind(), null);
    return null;
  }

  /** As it is written: a value, or those of a list; the empty text for what is neither. */
  String shown() {
    return switch (node) {
      case ScalarNode scalar -> isNull() ? "" : scalar.getValue();
      case SequenceNode sequence ->
          sequence.getValue().stream()
              .map(each -> each instanceof ScalarNode scalar ? scalar.getValue() : "")
              .collect(Collectors.joining(","));
      default -> "";
    };
  }

  /**
   * The text with what it refers to: {@code ${env:NAME}} and {@code ${file:path}}. Null for an
   * empty value, and reported, if something is missing.
   */
  @Nullable
  public String secret(Secrets secrets) {
    String text = text();
    if (text == null) {
      return null;
    }
    Secrets.Resolved resolved = secrets.resolve(text);
    for (Secrets.Missing missing : resolved.missing()) {
      error(missing.reason(), missing.cure());
    }
    return resolved.missing().isEmpty() ? resolved.text() : null;
  }

  /**
   * The same where an empty text is no wish: a variable that is set to nothing, or a file that is
   * just being written, is reported, too.
   */
  public @Nullable String givenSecret(Secrets secrets) {
    String found = secret(secrets);
    String written = text();
    if (found != null && found.isEmpty() && written != null && !written.isEmpty()) {
      error("what it refers to is empty", "give it a value, or write `\"\"` where it has none");
      return null;
    }
    return found;
  }

  long number(long otherwise, long min, long max) {
    String text = text();
    if (text == null) {
      if (isNull()) {
        error("has no value", "leave the key out for the default " + otherwise);
      }
      return otherwise;
    }
    long number = 0;
    boolean valid = text.matches("[+-]?(0|[1-9][0-9]{0,18})");
    if (valid) {
      try {
        number = Long.parseLong(text);
      } catch (NumberFormatException e) {
        valid = false;
      }
    }
    if (!valid) {
      error("must be an integer, not `" + text + "`", null);
      return otherwise;
    }
    if (number < min || number > max) {
      error(
          number < min && (max == Long.MAX_VALUE || max == Integer.MAX_VALUE)
              ? "must be at least " + min
              : "must be from " + min + " to " + max,
          null);
      return otherwise;
    }
    return number;
  }

  public boolean flag(boolean otherwise) {
    String text = text();
    if (text == null) {
      if (isNull()) {
        error("has no value", "leave the key out for the default " + otherwise);
      }
      return otherwise;
    }
    String lower = text.toLowerCase(Locale.ROOT);
    boolean yes = lower.equals("true") || lower.equals("yes") || lower.equals("on");
    boolean no = lower.equals("false") || lower.equals("no") || lower.equals("off");
    if (!yes && !no) {
      error("must be true or false", null);
      return otherwise;
    }
    return yes;
  }

  /** An empty value is an empty section; null for what is no mapping. */
  @Nullable
  public Section section() {
    if (isNull()) {
      return Section.empty(problems, place);
    }
    if (node instanceof MappingNode mapping) {
      return Section.of(problems, place, mapping);
    }
    error("must be a mapping of keys to values, not a " + kind(), null);
    return null;
  }

  /** An empty value is an empty list. */
  public List<Value> items() {
    List<Value> items = new ArrayList<>();
    if (isNull()) {
      return items;
    }
    if (node instanceof SequenceNode sequence) {
      List<Node> nodes = sequence.getValue();
      for (int i = 0; i < nodes.size(); i++) {
        String path = place.keyPath() + "[" + i + "]";
        items.add(new Value(problems, Place.of(place.file(), nodes.get(i), path), nodes.get(i)));
      }
      return items;
    }
    error("must be a list, not a " + kind(), null);
    return items;
  }

  /** The same value under another path. */
  public Value at(String keyPath) {
    return new Value(
        problems, new Place(place.file(), place.line(), place.column(), keyPath), node);
  }

  private String kind() {
    return switch (node) {
      case MappingNode _ -> "mapping";
      case SequenceNode _ -> "list";
      default -> "single value";
    };
  }
}
