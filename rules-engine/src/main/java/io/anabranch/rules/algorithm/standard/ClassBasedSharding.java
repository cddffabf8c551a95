package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AlgorithmProvider;
import io.anabranch.rules.algorithm.ComplexShardingAlgorithm;
import io.anabranch.rules.algorithm.HintShardingAlgorithm;
import io.anabranch.rules.algorithm.PlacementAlgorithm;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.plugin.GuardedPlacement;
import io.anabranch.rules.algorithm.plugin.PlugInGuard;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code CLASS_BASED}: an algorithm of a plug-in, named by the class of its {@link
 * AlgorithmProvider}. Classes are found by {@link java.util.ServiceLoader}, never loaded by name;
 * those written against ShardingSphere's interfaces cannot be taken.
 */
final class ClassBasedSharding {

  static final String TYPE = "CLASS_BASED";

  private static final List<String> STRATEGIES = List.of("STANDARD", "COMPLEX", "HINT");

  private final Collection<AlgorithmProvider> providers;

  ClassBasedSharding(Collection<AlgorithmProvider> providers) {
    this.providers = List.copyOf(providers);
  }

  /** Other properties than its own two are the plug-in's. */
  PlacementAlgorithm create(Map<String, String> values) {
    var own = new AlgorithmProperties(values);
    String strategy = own.requiredText("strategy").strip().toUpperCase(Locale.ROOT);
    String className = own.requiredText("algorithmClassName").strip();
    if (own.isValid() && !STRATEGIES.contains(strategy)) {
      own.problem("strategy", "must be one of " + String.join(", ", STRATEGIES));
    }
    if (!own.isValid()) {
      own.check();
    }
    var properties = new TreeMap<>(values);
    properties.keySet().removeAll(List.of("strategy", "algorithmClassName"));
    AlgorithmProvider provider = provider(className);
    var guard = new PlugInGuard("sharding algorithm", className);
    PlacementAlgorithm made = guard.made(() -> provider.create(Map.copyOf(properties)));
    String kind = kind(made);
    if (!kind.equals(strategy)) {
      throw new IllegalArgumentException(
          className + " makes algorithms of the strategy " + kind + ", not " + strategy);
    }
    return GuardedPlacement.of(guard, made);
  }

  private AlgorithmProvider provider(String className) {
    for (AlgorithmProvider provider : providers) {
      if (provider.getClass().getName().equals(className)) {
        return provider;
      }
    }
    throw new IllegalArgumentException(
        "no jar in ext-lib/ registers the class "
            + className
            + "; it must implement "
            + AlgorithmProvider.class.getName()
            + " and be named in META-INF/services (classes made for ShardingSphere's own interfaces"
            + " cannot be taken: see docs/extending.md)");
  }

  private static String kind(PlacementAlgorithm algorithm) {
    return switch (algorithm) {
      case ShardingAlgorithm _ -> "STANDARD";
      case ComplexShardingAlgorithm _ -> "COMPLEX";
      case HintShardingAlgorithm _ -> "HINT";
    };
  }
}
