package io.anabranch.frontend.session;

import io.anabranch.backend.execute.PlanWalker;
import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.relay.Relay;
import io.anabranch.backend.transaction.commit.Coordinators;
import io.anabranch.frontend.auth.AuthenticationRealm;
import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.protocol.type.Collation;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.planner.Planner;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
 * @param control puts another configuration in force
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
    DatabaseRegistry registry,
    ConfigurationControl control) {

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
        DatabaseRegistry.NONE,
        ConfigurationControl.NONE);
  }

  public Deployment {
    backends = Collections.unmodifiableMap(new LinkedHashMap<>(backends));
  }

  /**
   * Id of the collation in the greeting, which drivers take that were not told of any: what servers
   * of such a version greet with unless they are configured otherwise.
   */
  public int greetingCollation() {
    boolean isOld = isMariaDb || serverVersion.startsWith("5.");
    return isOld ? Collation.UTF8MB4_GENERAL_CI : Collation.UTF8MB4_0900_AI_CI;
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
        registry,
        control);
  }

  /** The same, which tells somebody of databases, and lets somebody change it. */
  public Deployment with(DatabaseRegistry told, ConfigurationControl controlledBy) {
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
        told,
        controlledBy);
  }

  /**
   * The connections that sessions have now, by their numbers. Blocks until each event loop has had
   * a moment for it.
   */
  public Map<Integer, List<HeldLease>> heldBySession() {
    return backends.values().stream()
        .flatMap(backend -> backend.desk().held().stream())
        .collect(Collectors.groupingBy(each -> each.lessee().sessionId()));
  }

  /** Makes plans for databases by rules. */
  @FunctionalInterface
  public interface Planners {
    /**
     * @param backends all databases of the rules, by lower-case name
     */
    Planner of(RuleSet rules, Map<String, Backend> backends);
  }

  /** The same with other databases. */
  public Deployment withBackends(Map<String, Backend> changed, Planners plans) {
    return with(rules, realm, walker, changed, plans);
  }

  /**
   * The same with other rules.
   *
   * @param next whose databases are those of {@code changed}, whatever it says
   */
  public Deployment with(
      RuleSet next,
      AuthenticationRealm users,
      PlanWalker walks,
      Map<String, Backend> changed,
      Planners plans) {
    var databases = new LinkedHashMap<String, LogicalDatabase>();
    changed.forEach((name, backend) -> databases.put(name, backend.database()));
    RuleSet complete = next.withDatabases(databases);
    return new Deployment(
        complete,
        users.withDatabases(databases),
        plans.of(complete, changed),
        walks,
        relay,
        changed,
        coordinators,
        serverVersion,
        isMariaDb,
        registry,
        control);
  }

  /**
   * Tables have changed: whatever is remembered of them, here and in other configurations, is out
   * of date. Plans are last: what is planned meanwhile is planned by what is known anew, or not
   * kept.
   *
   * @param changed the databases
   * @param table null: all
   */
  public void forgetTables(Collection<Backend> changed, @Nullable String table) {
    relay.tablesChanged();
    changed.forEach(each -> each.catalog().refresh(table));
    planner.invalidate();
  }

  /** Whether whoever works with {@code other} finds all of its databases here, as they were. */
  public boolean continues(Deployment other) {
    return backends.values().containsAll(other.backends.values());
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
        && !LogicalDatabase.isSystemSchema(name);
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
