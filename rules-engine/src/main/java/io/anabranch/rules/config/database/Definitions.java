package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Things that are defined under a name and referred to by it: algorithms, generators, balancers.
 *
 * @param <T> what a definition makes
 */
final class Definitions<T> {

  private final String what;
  private final Map<String, @Nullable T> made = new HashMap<>();
  private final Map<String, Section> sections;
  private final Set<String> used = new HashSet<>();

  /**
   * @param what in messages: {@code sharding algorithm}
   * @param key of {@code parent} whose entries are the definitions
   * @param maker gives null after it has reported why
   */
  Definitions(String what, Section parent, String key, Maker<T> maker) {
    this.what = what;
    this.sections = parent.named(key);
    sections.forEach((name, section) -> made.put(name, maker.make(section)));
  }

  /** Null, and reported, if the name is not defined or its definition is wrong. */
  @Nullable T get(@Nullable Value reference) {
    String name = reference == null ? null : reference.text();
    if (reference == null || name == null) {
      return null;
    }
    used.add(name);
    if (!sections.containsKey(name)) {
      reference.error(
          "there is no " + what + " `" + name + "`",
          NearestName.suggestion(name, sections.keySet()));
      return null;
    }
    return made.get(name);
  }

  /** Tells which definitions nothing refers to. */
  void reportUnused() {
    sections.forEach(
        (name, section) -> {
          if (!used.contains(name)) {
            section.problems().notice(section.place(), "the " + what + " is not used", null);
          }
        });
  }

  /** Makes one of a definition's section. */
  interface Maker<T> {
    @Nullable T make(Section section);
  }
}
