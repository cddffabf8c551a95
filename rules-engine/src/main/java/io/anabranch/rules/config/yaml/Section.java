package io.anabranch.rules.config.yaml;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.secret.SecretNames;
import io.anabranch.rules.secret.Secrets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A YAML mapping with merge keys resolved. Remembers which keys were asked for: {@link #close}
 * reports the others as unknown.
 */
public final class Section {

  private final Problems problems;
  private final Place place;
  private final Map<String, Value> values = new LinkedHashMap<>();
  private final Map<String, Place> keyPlaces = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();

  /** Defaults of those that have some, by key. */
  private final Map<String, String> defaults = new LinkedHashMap<>();

  private Section(Problems problems, Place place) {
    this.problems = problems;
    this.place = place;
  }

  public static Section empty(Problems problems, Place place) {
    return new Section(problems, place);
  }

  static Section of(Problems problems, Place place, MappingNode node) {
    Section section = new Section(problems, place);
    section.take(node);
    return section;
  }

  /** Own keys first: they win over merged ones, an earlier merge over a later. */
  private void take(MappingNode node) {
    Set<String> own = new LinkedHashSet<>();
    for (NodeTuple tuple : node.getValue()) {
      if (!isMerge(tuple)) {
        takeEntry(node, tuple, own);
      }
    }
    for (NodeTuple tuple : node.getValue()) {
      if (isMerge(tuple)) {
        merge(tuple.getValueNode());
      }
    }
  }

  private static boolean isMerge(NodeTuple tuple) {
    return tuple.getKeyNode().getTag().equals(Tag.MERGE);
  }

  /** {@code { user:app }} is a key without a value. */
  private static boolean lacksBlank(MappingNode mapping, ScalarNode key, Node value) {
    return mapping.getFlowStyle() == FlowStyle.FLOW
        && key.isPlain()
        && key.getValue().indexOf(':') > 0
        && value.getTag().equals(Tag.NULL);
  }

  private void takeEntry(MappingNode mapping, NodeTuple tuple, Set<String> own) {
    if (!(tuple.getKeyNode() instanceof ScalarNode keyNode)) {
      problems.error(
          Place.of(place.file(), tuple.getKeyNode(), place.keyPath()),
          "a key must be a single value",
          null);
      return;
    }
    String key = keyNode.getValue();
    Place keyPlace = Place.of(place.file(), keyNode, place.keyPath()).under(key);
    if (lacksBlank(mapping, keyNode, tuple.getValueNode())) {
      problems.error(keyPlace, "a colon needs a blank behind it", "write `key: value`");
      return;
    }
    if (!own.add(key)) {
      problems.error(keyPlace, "the key is there twice", "remove one of them");
      return;
    }
    if (!values.containsKey(key)) {
      Place valuePlace = Place.of(place.file(), tuple.getValueNode(), place.keyPath()).under(key);
      values.put(key, new Value(problems, valuePlace, tuple.getValueNode()));
      keyPlaces.put(key, keyPlace);
    }
  }

  private void merge(Node source) {
    if (source instanceof MappingNode mapping) {
      take(mapping);
    } else if (source instanceof SequenceNode sequence) {
      for (Node each : sequence.getValue()) {
        if (each instanceof MappingNode mapping) {
          take(mapping);
        } else {
          notMergeable(each);
        }
      }
    } else {
      notMergeable(source);
    }
  }

  private void notMergeable(Node node) {
    problems.error(
        Place.of(place.file(), node, place.keyPath()),
        "'<<' needs a mapping or a list of mappings",
        "write <<: *anchor");
  }

  public Place place() {
    return place;
  }

  public Problems problems() {
    return problems;
  }

  public void error(String reason, @Nullable String suggestion) {
    problems.error(place, reason, suggestion);
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  public boolean has(String key) {
    known.add(key);
    return values.containsKey(key);
  }

  @Nullable
  public Value value(String key) {
    known.add(key);
    return values.get(key);
  }

  /** Where the key stands; the section's own place if it is missing. */
  public Place keyPlace(String key) {
    Place found = keyPlaces.get(key);
    return found == null ? place.under(key) : found;
  }

  @Nullable
  public String text(String key) {
    Value value = value(key);
    return value == null ? null : value.text();
  }

  /** What a key stands for that is not there. */
  public void assume(String key, Object otherwise) {
    defaults.putIfAbsent(key, String.valueOf(otherwise));
  }

  /**
   * Keys that were asked for and have an effect, with their values: as they are written, or the
   * defaults; secrets hidden.
   */
  public Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    defaults.forEach(
        (key, otherwise) -> {
          Value value = values.get(key);
          String shown = value == null ? otherwise : value.shown();
          boolean isHidden = SecretNames.isSecret(key) && !shown.isEmpty();
          settings.put(key, isHidden ? SecretNames.HIDDEN : shown);
        });
    return settings;
  }

  public String text(String key, String otherwise) {
    assume(key, otherwise);
    String text = text(key);
    return text == null ? otherwise : text;
  }

  /** As {@link Value#secret}; the empty text where there is none. */
  public String secret(String key, Secrets secrets) {
    assume(key, "");
    Value value = value(key);
    String text = value == null ? null : value.secret(secrets);
    return text == null ? "" : text;
  }

  /** Reported if it is missing or blank, then the empty text. */
  public String required(String key) {
    Value value = value(key);
    if (value == null) {
      problems.error(place, "the key `" + key + "` is missing", null);
      return "";
    }
    String text = value.text();
    if (value.isNull() || (text != null && text.isBlank())) {
      value.error("has no value", null);
    }
    return text == null ? "" : text.strip();
  }

  public long number(String key, long otherwise, long min, long max) {
    assume(key, otherwise);
    Value value = value(key);
    return value == null ? otherwise : value.number(otherwise, min, max);
  }

  public int integer(String key, int otherwise, int min, int max) {
    return (int) number(key, otherwise, min, max);
  }

  public boolean flag(String key, boolean otherwise) {
    assume(key, otherwise);
    Value value = value(key);
    return value == null ? otherwise : value.flag(otherwise);
  }

  /** Null if it is missing or no mapping. */
  @Nullable
  public Section section(String key) {
    Value value = value(key);
    return value == null ? null : value.section();
  }

  public List<Value> items(String key) {
    Value value = value(key);
    return value == null ? List.of() : value.items();
  }

  /** All keys, which are names of the user's choice. */
  public Map<String, Value> entries() {
    known.addAll(values.keySet());
    return Collections.unmodifiableMap(values);
  }

  /** The sections under a key whose keys are names of the user's choice. */
  public Map<String, Section> named(String key) {
    Map<String, Section> sections = new LinkedHashMap<>();
    Section parent = section(key);
    if (parent != null) {
      for (Map.Entry<String, Value> entry : parent.entries().entrySet()) {
        Section section = entry.getValue().section();
        if (section != null) {
          sections.put(entry.getKey(), section);
        }
      }
    }
    return sections;
  }

  /** A flat mapping as texts; an empty value is the empty text. */
  public Map<String, String> properties(String key) {
    Map<String, String> properties = new LinkedHashMap<>();
    Section section = section(key);
    if (section != null) {
      for (Map.Entry<String, Value> entry : section.entries().entrySet()) {
        String text = entry.getValue().text();
        if (text != null || entry.getValue().isNull()) {
          properties.put(entry.getKey(), text == null ? "" : text);
        }
      }
    }
    return properties;
  }

  /** A key that is accepted because ignoring it changes no answer. */
  public void ignored(String key, String why) {
    defaults.remove(key);
    if (has(key)) {
      problems.notice(keyPlace(key), "has no effect: " + why, null);
    }
  }

  /** A key that this version cannot obey. */
  public void refused(String key, String what, @Nullable String wayOut) {
    if (has(key)) {
      problems.error(keyPlace(key), what + " is not supported yet", wayOut);
    }
  }

  /** Reports every key that nobody asked for. */
  public void close() {
    for (Map.Entry<String, Place> entry : keyPlaces.entrySet()) {
      if (!known.contains(entry.getKey())) {
        problems.error(
            entry.getValue(),
            "unknown key `" + Place.shown(entry.getKey()) + "`",
            NearestName.suggestion(entry.getKey(), known));
      }
    }
  }
}
