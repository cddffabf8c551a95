package io.anabranch.rules.config;

import io.anabranch.rules.config.outline.Outlines;
import io.anabranch.rules.config.outline.Positions;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.listener.ListenerDefinition;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.cluster.ClusterRepository;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a valid configuration says.
 *
 * @param notices what the operator should read in the log: unused definitions, old forms, keys that
 *     are accepted but have no effect
 * @param outlines the files' own words, to be compared with those of another configuration
 * @param texts the files
 * @param settings all {@code props} that have an effect, by name, as they are written or by
 *     default; secrets hidden
 * @param listeners who hears of statements that have ended
 * @param repository where several proxies share a configuration; null: this one is by itself
 */
public record Configuration(
    RuleSet ruleSet,
    List<Problem> notices,
    Outlines outlines,
    List<ConfigurationText> texts,
    Map<String, String> settings,
    List<ListenerDefinition> listeners,
    @Nullable ClusterRepository repository) {

  public Configuration {
    notices = List.copyOf(notices);
    texts = List.copyOf(texts);
    listeners = List.copyOf(listeners);
    settings = Collections.unmodifiableMap(new TreeMap<>(settings));
  }

  /**
   * Where a part of a database's file stands: {@code file:line:column} of the deepest part of the
   * path that is there.
   *
   * @param database logical name
   * @param path see {@link Positions#at(String...)}
   */
  public String place(String database, String... path) {
    for (ConfigurationText text : texts) {
      if (!text.content().isBlank()) {
        Positions positions = Positions.of(text.content());
        if (positions.says("databaseName", database)) {
          return text.fileName() + ":" + positions.at(path);
        }
      }
    }
    return "database " + database;
  }
}
