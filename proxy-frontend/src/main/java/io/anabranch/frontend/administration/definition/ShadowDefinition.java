package io.anabranch.frontend.administration.definition;

import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Pairs of data sources, and tables with algorithms: {@code !SHADOW}. */
public final class ShadowDefinition {

  private static final String PAIRS = "dataSources";
  private static final String TABLES = "tables";
  private static final String ALGORITHMS = "shadowAlgorithms";
  private static final String PAIRS_OF_TABLE = "dataSourceNames";
  private static final String ALGORITHMS_OF_TABLE = "shadowAlgorithmNames";
  private static final String STANDARD = "defaultShadowAlgorithmName";
  private static final String STANDARD_NAME = "default_shadow_algorithm";

  private ShadowDefinition() {}

  private static RuleEdit edit(ConfigurationDocument document) {
    return new RuleEdit(document, "SHADOW", ALGORITHMS);
  }

  // ---------------------------------------------------------------- pairs

  /**
   * CREATE SHADOW RULE.
   *
   * @param isLenient those that are there already stay as they are
   */
  public static ConfigurationDocument create(
      ConfigurationDocument document, List<Clause> pairs, boolean isLenient) {
    RuleEdit edit = edit(document);
    for (Clause pair : pairs) {
      if (edit.named(PAIRS, pair.name()) == null) {
        put(edit, pair.name(), pair);
      } else if (!isLenient) {
        throw Clause.refused("there is a shadow rule `" + pair.name() + "` already");
      }
    }
    return edit.document();
  }

  /** ALTER SHADOW RULE: the whole rule; what it does not name any more leaves it. */
  public static ConfigurationDocument alter(ConfigurationDocument document, List<Clause> pairs) {
    RuleEdit edit = edit(document);
    for (Clause pair : pairs) {
      String name = required(edit, pair.name());
      Mapping former = edit.rule().mapping(TABLES);
      leave(edit, name);
      put(edit, name, pair);
      edit.removeUnnamed(former);
    }
    return edit.document();
  }

  /**
   * DROP SHADOW RULE; with the last one goes all that is left.
   *
   * @param isLenient those that are not there are passed over
   */
  public static ConfigurationDocument drop(
      ConfigurationDocument document, List<String> pairs, boolean isLenient) {
    RuleEdit edit = edit(document);
    for (String pair : pairs) {
      if (isLenient && edit.named(PAIRS, pair) == null) {
        continue;
      }
      String name = required(edit, pair);
      Mapping former = edit.rule().mapping(TABLES);
      leave(edit, name);
      edit.remove(PAIRS, name);
      edit.removeUnnamed(former);
      if (edit.rule().mapping(PAIRS).entries().isEmpty()) {
        edit.remove();
      }
    }
    return edit.document();
  }

  private static String required(RuleEdit edit, String pair) {
    String name = edit.named(PAIRS, pair);
    if (name == null) {
      throw Clause.refused("there is no shadow rule `" + pair + "`");
    }
    return name;
  }

  /** Takes a pair's tables out of it; those that are in no other go. */
  private static void leave(RuleEdit edit, String pair) {
    edit.rule()
        .mapping(TABLES)
        .mappings()
        .forEach(
            (name, table) -> {
              List<String> pairs = table.texts(PAIRS_OF_TABLE);
              if (pairs.equals(List.of(pair))) {
                edit.remove(TABLES, name);
              } else if (pairs.contains(pair)) {
                var others = new ArrayList<>(pairs);
                others.remove(pair);
                edit.putList(others, TABLES, name, PAIRS_OF_TABLE);
              }
            });
  }

  private static void put(RuleEdit edit, String name, Clause pair) {
    var sources = new LinkedHashMap<String, DocumentPart>();
    sources.put("productionDataSourceName", new Scalar("", pair.required("SOURCE")));
    sources.put("shadowDataSourceName", new Scalar("", pair.required("SHADOW")));
    edit.put(new Mapping("", sources), PAIRS, name);
    for (Clause part : pair.parts()) {
      if (!part.is("SOURCE") && !part.is("SHADOW")) {
        putTable(edit, name, part);
      }
    }
  }

  private static void putTable(RuleEdit edit, String pair, Clause table) {
    String there = edit.named(TABLES, table.name());
    String name = there == null ? table.name() : there;
    Mapping former = edit.rule().mapping(TABLES).mapping(name);
    Set<String> algorithms = new LinkedHashSet<>();
    table.takeOnly("TYPE", "SHADOW_ALGORITHMS");
    for (Clause part : table.parts()) {
      if (part.is("TYPE")) {
        algorithms.add(edit.define(ALGORITHMS, name, part, Mapping.EMPTY));
      } else {
        algorithms.addAll(part.names());
      }
    }
    if (algorithms.isEmpty()) {
      throw Clause.refused("`" + table.name() + "` needs TYPE(NAME = …)");
    }
    Set<String> pairs = new LinkedHashSet<>(former.texts(PAIRS_OF_TABLE));
    pairs.add(pair);
    edit.putList(List.copyOf(pairs), TABLES, name, PAIRS_OF_TABLE);
    edit.putList(List.copyOf(algorithms), TABLES, name, ALGORITHMS_OF_TABLE);
    edit.removeUnnamed(former);
  }

  // ---------------------------------------------------------------- algorithms

  /**
   * CREATE and ALTER DEFAULT SHADOW ALGORITHM.
   *
   * @param isNew whether there may be none yet
   * @param isLenient one that is there already stays as it is
   */
  public static ConfigurationDocument standard(
      ConfigurationDocument document, List<Clause> parts, boolean isNew, boolean isLenient) {
    RuleEdit edit = edit(document);
    boolean isThere = edit.rule().has(STANDARD);
    if (isThere && isLenient) {
      return document;
    }
    if (isThere == isNew) {
      throw Clause.refused(
          isNew
              ? "there is a default shadow algorithm already"
              : "there is no default shadow algorithm");
    }
    if (parts.size() != 1 || !parts.getFirst().is("TYPE")) {
      throw Clause.refused("the default shadow algorithm is TYPE(NAME = …)");
    }
    Mapping former = standard(edit);
    edit.put(AlgorithmDefinition.of(parts.getFirst()), ALGORITHMS, STANDARD_NAME);
    edit.put(new Scalar("", STANDARD_NAME), STANDARD);
    edit.removeUnnamed(former);
    return edit.document();
  }

  /** DROP DEFAULT SHADOW ALGORITHM. */
  public static ConfigurationDocument dropStandard(
      ConfigurationDocument document, boolean isLenient) {
    RuleEdit edit = edit(document);
    if (!edit.rule().has(STANDARD) && !isLenient) {
      throw Clause.refused("there is no default shadow algorithm");
    }
    Mapping former = standard(edit);
    edit.remove(STANDARD);
    edit.removeUnnamed(former);
    return edit.document();
  }

  private static Mapping standard(RuleEdit edit) {
    return ShardingEdit.entry(STANDARD, new Scalar("", edit.rule().shown(STANDARD)));
  }

  /**
   * DROP SHADOW ALGORITHM.
   *
   * @param isLenient those that are not there are passed over
   */
  public static ConfigurationDocument dropAlgorithms(
      ConfigurationDocument document, List<String> names, boolean isLenient) {
    RuleEdit edit = edit(document);
    for (String name : names) {
      if (AlgorithmDefinition.named(edit.rule()).contains(name)) {
        throw Clause.refused("the shadow algorithm `" + name + "` is in use");
      }
      if (!edit.rule().mapping(ALGORITHMS).has(name) && !isLenient) {
        throw Clause.refused("there is no shadow algorithm `" + name + "`");
      }
      edit.remove(ALGORITHMS, name);
    }
    return edit.document();
  }
}
