package io.anabranch.rules.config.document;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of a file, with aliases and merge keys resolved. */
public sealed interface DocumentPart {

  /** {@code !SHARDING} as {@code SHARDING}; empty without a tag. */
  String tag();

  /**
   * A value. An empty one is null in YAML and the empty text here.
   *
   * @param text as it is meant, without quotes
   */
  record Scalar(String tag, String text) implements DocumentPart {

    /** Says nothing of what is in it. */
    @Override
    public String toString() {
      return "Scalar";
    }
  }

  /** Values and parts by name, in the file's order. */
  record Mapping(String tag, Map<String, DocumentPart> entries) implements DocumentPart {

    /** Of what is not there. */
    public static final Mapping EMPTY = new Mapping("", Map.of());

    public Mapping {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    public boolean has(String key) {
      return entries.containsKey(key);
    }

    /** Null if it is not there, or no value. */
    public @Nullable String text(String key) {
      return entries.get(key) instanceof Scalar scalar ? scalar.text() : null;
    }

    /** The empty text if it is not there, or no value. */
    public String shown(String key) {
      String text = text(key);
      return text == null ? "" : text;
    }

    /** Empty if it is not there, or no mapping. */
    public Mapping mapping(String key) {
      return entries.get(key) instanceof Mapping mapping ? mapping : EMPTY;
    }

    /** The values of a list, or one value as its only one; empty if it is not there. */
    public List<String> texts(String key) {
      return switch (entries.get(key)) {
        case Listing listing -> listing.texts();
        case Scalar scalar when !scalar.text().isEmpty() -> List.of(scalar.text());
        case null, default -> List.of();
      };
    }

    /** The mappings among the entries, by name. */
    public Map<String, Mapping> mappings() {
      var found = new LinkedHashMap<String, Mapping>();
      entries.forEach(
          (name, part) -> {
            if (part instanceof Mapping mapping) {
              found.put(name, mapping);
            } else if (part instanceof Scalar scalar && scalar.text().isEmpty()) {
              found.put(name, EMPTY);
            }
          });
      return found;
    }
  }

  /** A list. */
  record Listing(String tag, List<DocumentPart> items) implements DocumentPart {

    public Listing {
      items = List.copyOf(items);
    }

    /** The values among the items. */
    public List<String> texts() {
      var texts = new ArrayList<String>();
      for (DocumentPart item : items) {
        if (item instanceof Scalar scalar) {
          texts.add(scalar.text());
        }
      }
      return texts;
    }
  }
}
