package io.anabranch.rules.planner.stage;

import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ReplicationGroup;
import java.util.Map;

/** Where statements over copies run. Immutable. */
public final class StageSources {

  private static final int SHARE = 4;

  private final LogicalDatabase database;
  private final String configured;

  /**
   * @param configured {@code proxy-stage-data-source}; empty, or a name that this database does not
   *     have: the choice is made for each statement
   */
  public StageSources(LogicalDatabase database, String configured) {
    this.database = database;
    this.configured =
        database.dataSources().containsKey(configured) || database.groups().containsKey(configured)
            ? configured
            : "";
  }

  /**
   * @param nodes how many parts of the statement's tables each endpoint has
   */
  public String choose(Map<String, Integer> nodes) {
    return configured.isEmpty() ? most(nodes) : configured;
  }

  /** The endpoint with most of the parts; the first one if there are none. */
  String most(Map<String, Integer> nodes) {
    String best = "";
    int most = 0;
    for (String endpoint : database.endpoints()) {
      int count = nodes.getOrDefault(endpoint, 0);
      if (best.isEmpty() || count > most) {
        best = endpoint;
        most = count;
      }
    }
    return best;
  }

  /**
   * How many statements may stage there at the same time: a quarter of the connections stage, as
   * many may read at the same time, and the rest is for whoever else comes. One connection is not
   * enough.
   */
  public int room(String endpoint) {
    ReplicationGroup group = database.groups().get(endpoint);
    DataSourceDefinition source =
        database.dataSources().get(group == null ? endpoint : group.primary());
    if (source == null) {
      return 1;
    }
    return source.maxPoolSize() == 1 ? 0 : Math.max(1, source.maxPoolSize() / SHARE);
  }
}
