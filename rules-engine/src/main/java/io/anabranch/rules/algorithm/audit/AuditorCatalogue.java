package io.anabranch.rules.algorithm.audit;

import io.anabranch.rules.algorithm.plugin.PlugInGuard;
import io.anabranch.rules.algorithm.plugin.TypeCatalogue;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes auditors from their {@code type} and {@code props}: built-ins and providers'. */
public final class AuditorCatalogue {

  private static final Optional<String> UNCONDITIONAL =
      Optional.of("it has no condition on a sharding column; add one");

  private final TypeCatalogue<Auditor> types = new TypeCatalogue<>("auditor");

  /**
   * @param providers of {@code ext-lib/}; may be empty
   * @throws IllegalArgumentException if two have the same type, or a built-in's
   */
  public AuditorCatalogue(Collection<AuditorProvider> providers) {
    types.builtInOfAny("DML_SHARDING_CONDITIONS", _ -> AuditorCatalogue::conditions);
    for (AuditorProvider provider : providers) {
      types.provided(provider::type, (guard, properties) -> provided(guard, provider, properties));
    }
  }

  /** Upper snake case. */
  public Set<String> types() {
    return types.types();
  }

  /**
   * @param type without regard to case; must be one of {@link #types}
   * @throws IllegalArgumentException whose message names the property and the cure, by providers
   */
  public Auditor auditor(String type, Map<String, String> properties) {
    return types.make(type, properties);
  }

  private static Optional<String> conditions(AuditedStatement statement) {
    return statement.hasShardingCondition() ? Optional.empty() : UNCONDITIONAL;
  }

  private static Auditor provided(
      PlugInGuard guard, AuditorProvider provider, Map<String, String> properties) {
    Auditor plugIn = guard.made(() -> provider.create(properties));
    return statement -> guard.asked(() -> plugIn.objection(statement));
  }
}
