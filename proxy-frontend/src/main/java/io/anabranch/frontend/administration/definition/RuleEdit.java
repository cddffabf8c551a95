package io.anabranch.frontend.administration.definition;

import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of which one rule is being changed. Definitions that a statement gives along with a table
 * are kept under names made of the table's; those that nothing names any more go with the table.
 */
class RuleEdit {

  private static final String RULES = "rules";

  private final String rule;
  private final List<String> definitions;
  private ConfigurationDocument document;

  /**
   * @param rule its tag without the exclamation mark
   * @param definitions keys under which the rule has definitions by name
   */
  RuleEdit(ConfigurationDocument document, String rule, String... definitions) {
    this.document = document;
    this.rule = rule;
    this.definitions = List.of(definitions);
  }

  final ConfigurationDocument document() {
    return document;
  }

  final Mapping rule() {
    return document.rule(rule);
  }

  /** A name that stands under a key, in any case, as it is written there; null: none. */
  final @Nullable String named(String kind, String name) {
    for (String there : rule().mapping(kind).entries().keySet()) {
      if (there.equalsIgnoreCase(name)) {
        return there;
      }
    }
    return null;
  }

  final void put(DocumentPart value, String... path) {
    document = document.with(value, full(path));
  }

  /** A list of values; an empty one is taken away. */
  final void putList(List<String> values, String... path) {
    document = document.withList(values, full(path));
  }

  /** Without a path: the rule. */
  final void remove(String... path) {
    document = document.without(full(path));
  }

  private String[] full(String... path) {
    var full = new String[path.length + 2];
    full[0] = RULES;
    full[1] = "!" + rule;
    System.arraycopy(path, 0, full, 2, path.length);
    return full;
  }

  /**
   * What {@code WORD = name} or {@code WORD(TYPE(…))} chooses.
   *
   * @param replaced as in {@link #define}
   * @return the name of a definition, which is kept if it is given
   */
  final String chosen(String kind, String owner, Clause of, String word, DocumentPart replaced) {
    Clause choice = of.part(word);
    if (choice == null) {
      throw Clause.refused("`" + of.name() + "` needs " + word + "(TYPE(NAME = …))");
    }
    String named = choice.value();
    Clause type = choice.part("TYPE");
    if (type != null) {
      return define(kind, owner, type, replaced);
    }
    if (named == null) {
      throw Clause.refused(word + " needs TYPE(NAME = …)");
    }
    return named;
  }

  /**
   * Keeps a definition.
   *
   * @param owner what it is called by
   * @param replaced names definitions until now that this one may take the place of
   * @return what it is called
   */
  final String define(String kind, String owner, Clause type, DocumentPart replaced) {
    Mapping algorithm = AlgorithmDefinition.of(type);
    String base = AlgorithmDefinition.name(owner, algorithm);
    String name = base;
    for (int i = 2; isTaken(kind, name, algorithm, replaced); i++) {
      name = base + "_" + i;
    }
    put(algorithm, kind, name);
    return name;
  }

  private boolean isTaken(String kind, String name, Mapping algorithm, DocumentPart replaced) {
    DocumentPart there = rule().mapping(kind).entries().get(name);
    return there != null
        && !there.equals(algorithm)
        && !AlgorithmDefinition.named(replaced).contains(name);
  }

  /** Definitions that a part named, where nothing else does. */
  final void removeUnnamed(DocumentPart part) {
    for (String name : AlgorithmDefinition.named(part)) {
      if (!AlgorithmDefinition.named(rule()).contains(name)) {
        for (String kind : definitions) {
          remove(kind, name);
        }
      }
    }
  }
}
