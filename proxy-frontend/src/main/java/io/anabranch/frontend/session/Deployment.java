package io.anabranch.frontend.session;

import io.anabranch.backend.execute.PlanWalker;
import io.anabranch.backend.relay.Relay;
import io.anabranch.backend.transaction.Coordinators;
import io.anabranch.frontend.auth.AuthenticationRealm;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.planner.Planner;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A rule set in operation: what sessions work with. Thread-safe.
 *
 * @param backends by the lower-case name of the logical database, in the order of the configuration
 * @param coordinators who ends transactions
 * @param serverVersion what the greeting says
 * @param isMariaDb whether the proxy shows itself as MariaDB rather than MySQL
 * @param registry is told of databases that clients create and drop
 */
public record Deployment(
    RuleSet rules,
    AuthenticationRealm realm,
    Planner planner,
    PlanWalker walker,
    Relay relay,
    Map<String, Backend> backends,
    Coordinators coordinators,
    String serverVersion,
    boolean isMariaDb,
    DatabaseRegistry registry) {

  /** Shows itself as what the version says. */
  public Deployment(
      RuleSet rules,
      AuthenticationRealm realm,
      Planner planner,
      PlanWalker walker,
      Relay relay,
      Map<String, Backend> backends,
      Coordinators coordinators,
      String serverVersion) {
    this(
        rules,
        realm,
        planner,
        walker,
        relay,
        backends,
        coordinators,
        serverVersion,
        serverVersion.contains("MariaDB"),
        DatabaseRegistry.NONE);
  }

  public Deployment {
    backends = Collections.unmodifiableMap(new LinkedHashMap<>(backends));
  }

  /** The same with another version in the greeting. */
  public Deployment withServerVersion(String version) {
    return new Deployment(
        rules,
        realm,
        planner,
        walker,
        relay,
        backends,
        coordinators,
        version,
        version.contains("MariaDB"),
        registry);
  }

  /** The same, which tells somebody of databases. */
  public Deployment withRegistry(DatabaseRegistry told) {
    return new Deployment(
        rules,
        realm,
        planner,
        walker,
        relay,
        backends,
        coordinators,
        serverVersion,
        isMariaDb,
        told);
  }

  /**
   * The same with other databases.
   *
   * @param plans makes plans for them
   */
  public Deployment withBackends(Map<String, Backend> changed, Function<RuleSet, Planner> plans) {
    var databases = new LinkedHashMap<String, LogicalDatabase>();
    changed.forEach((name, backend) -> databases.put(name, backend.database()));
    RuleSet next = rules.withDatabases(databases);
    return new Deployment(
        next,
        realm.withDatabases(databases.keySet()),
        plans.apply(next),
        walker,
        relay,
        changed,
        coordinators,
        serverVersion,
        isMariaDb,
        registry);
  }

  /** The logical database of that name in any case; null when there is none. */
  public @Nullable Backend backend(String name) {
    return backends.get(name.toLowerCase(Locale.ROOT));
  }

  /**
   * On whose data sources clients may create a database of that name, by the rule !CREATE_DATABASE.
   *
   * @return null if on nobody's; also where it is the schema of a database of another name
   */
  public @Nullable Backend creator(String name) {
    for (Backend candidate : backends.values()) {
      LogicalDatabase database = candidate.database();
      if (database.creation().takes(name) && isSchemaName(name)) {
        return isSchemaOfOther(name, database) ? null : candidate;
      }
    }
    return null;
  }

  /** Names that may stand in a URL. */
  private static boolean isSchemaName(String name) {
    return !name.isEmpty()
        && name.chars().allMatch(c -> Character.isLetterOrDigit(c) || "_$-".indexOf(c) >= 0)
        && !CurrentDatabase.SYSTEM_SCHEMAS.contains(name.toLowerCase(Locale.ROOT));
  }

  private boolean isSchemaOfOther(String name, LogicalDatabase creator) {
    Set<String> servers =
        creator.dataSources().values().stream()
            .map(DataSourceDefinition::server)
            .collect(Collectors.toSet());
    return backends.values().stream()
        .filter(other -> !other.database().name().equalsIgnoreCase(name))
        .flatMap(other -> other.database().dataSources().values().stream())
        .anyMatch(
            source -> source.schema().equalsIgnoreCase(name) && servers.contains(source.server()));
  }
}
