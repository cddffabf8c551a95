package io.anabranch.rules.config.outline;

import io.anabranch.rules.config.outline.OutlineNode.Branch;
import io.anabranch.rules.config.outline.OutlineNode.Leaf;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What one configuration file says, whatever its comments, anchors and line breaks. Two are equal
 * if they say the same; the order of keys does not count, but for that of data sources and groups:
 * what names none goes to the first. What is told of it has no passwords.
 */
public final class Outline {

  /** Of a file that is not there. */
  public static final Outline EMPTY = new Outline(new Branch(Map.of()));

  private final Branch root;

  private Outline(Branch root) {
    this.root = root;
  }

  /**
   * Reads a file.
   *
   * @param yaml valid, and without tags that are not known
   * @throws RuntimeException if it is no YAML
   */
  public static Outline of(String yaml) {
    return of(yaml, text -> text);
  }

  /**
   * Reads a file with what it refers to: it says something else when that has changed.
   *
   * @param yaml valid, and without tags that are not known
   * @param references puts values in the place of references
   * @throws RuntimeException if it is no YAML
   */
  public static Outline of(String yaml, UnaryOperator<String> references) {
    return new Outline(new OutlineReader(references).read(yaml));
  }

  /** One part, such as {@code rules.!SHARDING}; empty if it is not there. */
  public Outline part(String... path) {
    Branch branch = root;
    for (String key : path) {
      if (!(branch.parts().get(key) instanceof Branch found)) {
        return EMPTY;
      }
      branch = found;
    }
    return new Outline(branch);
  }

  /**
   * What {@code next} says otherwise: a line each, such as {@code dataSources.ds_0.maxPoolSize: 10
   * -> 20}.
   */
  public List<String> changesTo(Outline next) {
    var changes = new ArrayList<String>();
    compare("", root, next.root, changes);
    return changes;
  }

  private static void compare(String path, Branch old, Branch next, List<String> changes) {
    Set<String> names = new LinkedHashSet<>(old.parts().keySet());
    names.addAll(next.parts().keySet());
    for (String name : names) {
      OutlineNode before = old.parts().get(name);
      OutlineNode after = next.parts().get(name);
      String place = path.isEmpty() || name.startsWith("[") ? path + name : path + "." + name;
      if (after == null) {
        changes.add(place + " is gone");
      } else if (before == null) {
        changes.add(place + " is new" + (after instanceof Leaf leaf ? ": " + leaf.shown() : ""));
      } else if (before instanceof Branch from && after instanceof Branch to) {
        compare(place, from, to, changes);
      } else if (!after.equals(before)) {
        changes.add(place + changed(before, after));
      }
    }
    if (!common(old, next).equals(common(next, old))) {
      changes.add(path + ": the order has changed");
    }
  }

  /** Names that are in both, in the order of the first. */
  private static List<String> common(Branch first, Branch other) {
    return first.order().stream().filter(other.order()::contains).toList();
  }

  private static String changed(OutlineNode before, OutlineNode after) {
    if (!(before instanceof Leaf from) || !(after instanceof Leaf to)) {
      return " has changed";
    }
    if (from.whole().equals(to.whole())) {
      return ": what a reference stands for has changed";
    }
    return from.shown().equals(to.shown())
        ? " has changed"
        : ": " + from.shown() + " -> " + to.shown();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Outline outline && outline.root.equals(root);
  }

  @Override
  public int hashCode() {
    return root.hashCode();
  }

  /** Says nothing of what is in it. */
  @Override
  public String toString() {
    return "Outline";
  }
}
