package io.anabranch.frontend.administration.definition;

import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Listing;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Read/write groups: {@code !READWRITE_SPLITTING}. */
public final class GroupDefinition {

  private static final String[] RULE = {"rules", "!READWRITE_SPLITTING"};
  private static final String BALANCERS = "loadBalancers";
  private static final String BALANCER = "loadBalancerName";

  private GroupDefinition() {}

  /**
   * CREATE READWRITE_SPLITTING RULE.
   *
   * @param isLenient those that are there already stay as they are
   */
  public static ConfigurationDocument create(
      ConfigurationDocument document, List<Clause> groups, boolean isLenient) {
    ConfigurationDocument changed = document;
    for (Clause group : groups) {
      if (changed.at(path(changed, group.name())) == null) {
        changed = put(changed, group);
      } else if (!isLenient) {
        throw Clause.refused("there is a group `" + group.name() + "` already");
      }
    }
    return changed;
  }

  /** ALTER READWRITE_SPLITTING RULE: what DistSQL has no words for stays. */
  public static ConfigurationDocument alter(ConfigurationDocument document, List<Clause> groups) {
    ConfigurationDocument changed = document;
    for (Clause group : groups) {
      requireKnown(changed, group.name());
      DocumentPart former = changed.at(path(changed, group.name()));
      changed = withoutBalancer(put(changed, group), former);
    }
    return changed;
  }

  /**
   * DROP READWRITE_SPLITTING RULE.
   *
   * @param isLenient those that are not there are passed over
   */
  public static ConfigurationDocument drop(
      ConfigurationDocument document, List<String> groups, boolean isLenient) {
    ConfigurationDocument changed = document;
    for (String group : groups) {
      if (!isLenient) {
        requireKnown(changed, group);
      }
      DocumentPart former = changed.at(path(changed, group));
      if (former != null) {
        changed = withoutBalancer(changed.without(path(changed, group)), former);
      }
    }
    return changed;
  }

  /** The balancer that a group named, if none does any more. */
  private static ConfigurationDocument withoutBalancer(
      ConfigurationDocument document, @Nullable DocumentPart former) {
    String name = former instanceof Mapping mapping ? mapping.text(BALANCER) : null;
    Mapping rule = document.rule("READWRITE_SPLITTING");
    return name == null || AlgorithmDefinition.named(rule).contains(name)
        ? document
        : document.without(RULE[0], RULE[1], BALANCERS, name);
  }

  private static void requireKnown(ConfigurationDocument document, String group) {
    if (document.at(path(document, group)) == null) {
      throw Clause.refused("there is no group `" + group + "`");
    }
  }

  /** Files of former versions have another key. */
  private static String[] path(ConfigurationDocument document, String group) {
    Mapping rule = document.rule("READWRITE_SPLITTING");
    String key = rule.has("dataSources") ? "dataSources" : "dataSourceGroups";
    return new String[] {RULE[0], RULE[1], key, group};
  }

  private static ConfigurationDocument put(ConfigurationDocument document, Clause group) {
    group.takeOnly(
        "WRITE_STORAGE_UNIT",
        "READ_STORAGE_UNITS",
        "TRANSACTIONAL_READ_QUERY_STRATEGY",
        "LOAD_BALANCER",
        "TYPE");
    Clause readers = group.part("READ_STORAGE_UNITS");
    if (readers == null) {
      throw Clause.refused("`" + group.name() + "` needs READ_STORAGE_UNITS(…)");
    }
    var entries = new LinkedHashMap<String, DocumentPart>();
    entries.put("writeDataSourceName", new Scalar("", group.required("WRITE_STORAGE_UNIT")));
    entries.put(
        "readDataSourceNames",
        new Listing(
            "", readers.names().stream().<DocumentPart>map(name -> new Scalar("", name)).toList()));
    String strategy = group.text("TRANSACTIONAL_READ_QUERY_STRATEGY");
    if (strategy != null) {
      entries.put(
          "transactionalReadQueryStrategy", new Scalar("", strategy.toUpperCase(Locale.ROOT)));
    }
    ConfigurationDocument changed = document;
    Clause type = group.part("TYPE");
    String named = group.text("LOAD_BALANCER");
    if (type != null) {
      Mapping balancer = AlgorithmDefinition.of(type);
      String name = named == null ? AlgorithmDefinition.name(group.name(), balancer) : named;
      DocumentPart there = changed.at(RULE[0], RULE[1], BALANCERS, name);
      if (named != null && there != null && !there.equals(balancer)) {
        throw Clause.refused("there is another load balancer `" + name + "` already");
      }
      changed = changed.with(balancer, RULE[0], RULE[1], BALANCERS, name);
      entries.put(BALANCER, new Scalar("", name));
    } else if (named != null) {
      entries.put(BALANCER, new Scalar("", named));
    }
    String[] path = path(changed, group.name());
    if (changed.at(path) == null) {
      return changed.with(new Mapping("", entries), path);
    }
    for (Map.Entry<String, DocumentPart> entry : entries.entrySet()) {
      String[] place = {path[0], path[1], path[2], path[3], entry.getKey()};
      changed = changed.with(entry.getValue(), place);
    }
    return changed;
  }
}
