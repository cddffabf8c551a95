package io.anabranch.rules.model.shadow;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Statements of load tests go to data sources of their own. Immutable.
 *
 * @param sources production data sources or groups, to the shadow of each
 * @param tables by their names in lower case
 * @param standard for tables without algorithms of their own; null: none
 * @param hidden data sources and groups that no table is placed on: the shadows
 */
public record ShadowRule(
    Map<String, String> sources,
    Map<String, Table> tables,
    @Nullable ShadowAlgorithm standard,
    Set<String> hidden) {

  /** There is no shadow. */
  public static final ShadowRule NONE = new ShadowRule(Map.of(), Map.of(), null, Set.of());

  public ShadowRule {
    sources = Map.copyOf(sources);
    tables = Map.copyOf(tables);
    hidden = Set.copyOf(hidden);
  }

  /** Of a database all of whose tables are where its rules say, but for these endpoints. */
  public static ShadowRule hiding(Set<String> endpoints) {
    return new ShadowRule(Map.of(), Map.of(), null, endpoints);
  }

  /** Whether some table has a shadow. */
  public boolean isPresent() {
    return !tables.isEmpty();
  }

  /** Whether a production data source has a shadow. */
  public boolean has(String source) {
    return sources.containsKey(source);
  }

  /** What stands for a data source where a load test runs; itself if it has no shadow. */
  public String shadow(String source) {
    return sources.getOrDefault(source, source);
  }

  /** The other way round, for names that strategies give. */
  public Map<String, String> productions() {
    var productions = new LinkedHashMap<String, String>();
    sources.forEach((production, shadow) -> productions.put(shadow, production));
    return productions;
  }

  /** The algorithms of a table, named in any case; empty: it has no shadow. */
  public List<ShadowAlgorithm> algorithms(String table) {
    Table found = tables.get(table.toLowerCase(Locale.ROOT));
    return found == null ? List.of() : found.algorithms();
  }

  /**
   * The same for fewer tables.
   *
   * @param keys lower-case names
   */
  public ShadowRule without(Set<String> keys) {
    var left = new HashMap<>(tables);
    left.keySet().removeAll(keys);
    return new ShadowRule(sources, left, standard, hidden);
  }

  /**
   * A table with a shadow.
   *
   * @param name as configured
   * @param algorithms one of them has to match
   */
  public record Table(String name, List<ShadowAlgorithm> algorithms) {
    public Table {
      algorithms = List.copyOf(algorithms);
    }
  }
}
