package io.anabranch.frontend.session;

import io.anabranch.backend.execute.PlanWalker;
import io.anabranch.backend.relay.Relay;
import io.anabranch.backend.transaction.Coordinators;
import io.anabranch.frontend.auth.AuthenticationRealm;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.planner.Planner;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rule set in operation: what sessions work with. Thread-safe.
 *
 * @param backends by the lower-case name of the logical database, in the order of the configuration
 * @param coordinators who ends transactions
 * @param serverVersion what the greeting says
 * @param isMariaDb whether the proxy shows itself as MariaDB rather than MySQL
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
    boolean isMariaDb) {

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
        serverVersion.contains("MariaDB"));
  }

  public Deployment {
    backends = Collections.unmodifiableMap(new LinkedHashMap<>(backends));
  }

  /** The same with another version in the greeting. */
  public Deployment withServerVersion(String version) {
    return new Deployment(rules, realm, planner, walker, relay, backends, coordinators, version);
  }

  /** The logical database of that name in any case; null when there is none. */
  public @Nullable Backend backend(String name) {
    return backends.get(name.toLowerCase(Locale.ROOT));
  }
}
