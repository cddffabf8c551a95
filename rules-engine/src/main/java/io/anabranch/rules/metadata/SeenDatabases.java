package io.anabranch.rules.metadata;

import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The logical databases besides the current one that a user sees in {@code information_schema}:
 * those that the current endpoint's server has, by what it calls them, and those of other servers.
 */
public final class SeenDatabases {

  private final Map<String, String> here = new LinkedHashMap<>();
  private final List<LogicalDatabase> elsewhere = new ArrayList<>();

  /**
   * @param wanted names in lower case of the only databases that matter; null: all do
   */
  public SeenDatabases(PlanTask task, @Nullable Set<String> wanted) {
    LogicalDatabase own = task.database();
    DataSourceDefinition host = own.dataSources().get(own.endpoints().getFirst());
    for (LogicalDatabase other : task.rules().databases().values()) {
      boolean isSeen =
          !other.name().equalsIgnoreCase(own.name())
              && task.scope().permitted().has(other.name())
              && (wanted == null || wanted.contains(other.name().toLowerCase(Locale.ROOT)));
      if (isSeen && !(host != null && isHere(host, other))) {
        elsewhere.add(other);
      }
    }
  }

  /** Notes it, if the server has it under a name that no other database has. */
  private boolean isHere(DataSourceDefinition host, LogicalDatabase other) {
    String schema = schemaOn(host, other);
    return schema != null
        && !schema.equals(host.schema())
        && here.putIfAbsent(schema, other.name()) == null;
  }

  /** What the server calls the database, if it has it; null: it does not, or nobody knows. */
  private static @Nullable String schemaOn(DataSourceDefinition host, LogicalDatabase other) {
    if (!other.isPassThrough() || other.dataSources().size() != 1) {
      return null;
    }
    DataSourceDefinition source = other.dataSources().values().iterator().next();
    boolean isSame =
        source.server().equals(host.server()) && source.username().equals(host.username());
    return isSame && !source.schema().isEmpty() ? source.schema() : null;
  }

  /** The server's names of the databases that it has, to the logical ones. */
  Map<String, String> here() {
    return Collections.unmodifiableMap(here);
  }

  public List<LogicalDatabase> elsewhere() {
    return List.copyOf(elsewhere);
  }

  public boolean isEmpty() {
    return here.isEmpty() && elsewhere.isEmpty();
  }
}
