package io.anabranch.rules.config.document;

import io.anabranch.rules.config.document.DocumentPart.Listing;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Places in parts, and parts with something else there: a key for each step, {@code !TAG} for the
 * item of a list that has the tag, {@code [account]} for the one whose {@code user} it is, or
 * {@code {name}} for the one whose {@code name} it is.
 */
final class DocumentPath {

  private DocumentPath() {}

  static boolean isTag(String step) {
    return step.startsWith("!");
  }

  static boolean isAccount(String step) {
    return step.startsWith("[");
  }

  static boolean isNamed(String step) {
    return step.startsWith("{");
  }

  /** Whether the step is to an item of a list. */
  static boolean isItem(String step) {
    return isTag(step) || isAccount(step) || isNamed(step);
  }

  private static boolean isAt(DocumentPart item, String step) {
    return isTag(step)
        ? item.tag().equalsIgnoreCase(step.substring(1))
        : item instanceof Mapping entry
            && (step.equals("[" + entry.text("user") + "]")
                || step.equals("{" + entry.text("name") + "}"));
  }

  /** What is made where nothing is yet. */
  static DocumentPart item(String step, DocumentPart part) {
    return isTag(step) ? tagged(step.substring(1), part) : part;
  }

  /** Null if there is nothing. */
  static @Nullable DocumentPart find(DocumentPart root, List<String> path) {
    DocumentPart part = root;
    for (String step : path) {
      part = part == null ? null : child(part, step);
    }
    return part;
  }

  private static @Nullable DocumentPart child(DocumentPart part, String step) {
    if (part instanceof Listing listing && isItem(step)) {
      return listing.items().stream().filter(item -> isAt(item, step)).findFirst().orElse(null);
    }
    return part instanceof Mapping mapping ? mapping.entries().get(step) : null;
  }

  /** A value under the steps of a path, each a part of its own. */
  static DocumentPart wrap(List<String> path, DocumentPart value) {
    if (path.isEmpty()) {
      return value;
    }
    String step = path.getFirst();
    DocumentPart inner = wrap(path.subList(1, path.size()), value);
    return isItem(step)
        ? new Listing("", List.of(item(step, inner)))
        : new Mapping("", Map.of(step, inner));
  }

  static DocumentPart tagged(String tag, DocumentPart part) {
    return switch (part) {
      case Mapping mapping -> new Mapping(tag, mapping.entries());
      case Listing listing -> new Listing(tag, listing.items());
      case DocumentPart.Scalar scalar -> new DocumentPart.Scalar(tag, scalar.text());
    };
  }

  /** The same with a value there; what is missing on the way is made. */
  static DocumentPart with(DocumentPart part, List<String> path, DocumentPart value) {
    if (path.isEmpty()) {
      return value;
    }
    String step = path.getFirst();
    List<String> rest = path.subList(1, path.size());
    DocumentPart old = child(part, step);
    DocumentPart changed = old == null ? wrap(rest, value) : with(old, rest, value);
    if (isItem(step)) {
      var items =
          new ArrayList<>(
              part instanceof Listing listing ? listing.items() : List.<DocumentPart>of());
      DocumentPart item = old == null ? item(step, changed) : tagged(old.tag(), changed);
      if (old == null) {
        items.add(item);
      } else {
        items.set(items.indexOf(old), item);
      }
      return new Listing(part.tag(), items);
    }
    var entries =
        new LinkedHashMap<>(
            part instanceof Mapping mapping ? mapping.entries() : Map.<String, DocumentPart>of());
    entries.put(step, changed);
    return new Mapping(part.tag(), entries);
  }

  /** The same without what is there. */
  static DocumentPart without(DocumentPart part, List<String> path) {
    String step = path.getFirst();
    DocumentPart old = child(part, step);
    if (old == null) {
      return part;
    }
    DocumentPart changed = path.size() == 1 ? null : without(old, path.subList(1, path.size()));
    if (part instanceof Listing listing) {
      var items = new ArrayList<>(listing.items());
      if (changed == null) {
        items.remove(old);
      } else {
        items.set(items.indexOf(old), changed);
      }
      return new Listing(part.tag(), items);
    }
    var entries = new LinkedHashMap<>(((Mapping) part).entries());
    if (changed == null) {
      entries.remove(step);
    } else {
      entries.put(step, changed);
    }
    return new Mapping(part.tag(), entries);
  }

  /**
   * The path of what is to be removed with something: what has nothing else in it goes, too, but
   * not what stands at the left margin.
   */
  static List<String> pruned(DocumentPart root, List<String> path) {
    List<String> removed = path;
    while (removed.size() > 2) {
      List<String> around = removed.subList(0, removed.size() - 1);
      DocumentPart container = find(root, around);
      boolean isAlone =
          switch (container) {
            case Mapping mapping -> mapping.entries().size() == 1;
            case Listing listing -> listing.items().size() == 1;
            case null, default -> false;
          };
      if (!isAlone) {
        break;
      }
      removed = around;
    }
    return removed;
  }
}
