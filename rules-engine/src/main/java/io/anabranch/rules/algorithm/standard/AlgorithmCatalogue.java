package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProvider;
import io.anabranch.rules.algorithm.InvalidPropertiesException;
import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.algorithm.KeyGeneratorProvider;
import io.anabranch.rules.algorithm.PlacementAlgorithm;
import io.anabranch.rules.algorithm.key.KeyGenerators;
import io.anabranch.rules.algorithm.mycat.MycatAlgorithms;
import io.anabranch.rules.algorithm.plugin.GuardedKeys;
import io.anabranch.rules.algorithm.plugin.GuardedPlacement;
import io.anabranch.rules.algorithm.plugin.TypeCatalogue;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Makes algorithms from their {@code type} and {@code props}: built-ins and providers'. */
public final class AlgorithmCatalogue {

  private final TypeCatalogue<PlacementAlgorithm> sharding =
      new TypeCatalogue<>("sharding algorithm");
  private final TypeCatalogue<KeyGenerator> keys = new TypeCatalogue<>("key generator");
  private final Map<Definition, KeyGenerator> lasting = new ConcurrentHashMap<>();

  /** Without key generators of plug-ins. */
  public AlgorithmCatalogue(Collection<AlgorithmProvider> providers) {
    this(providers, List.of());
  }

  /**
   * @param providers of {@code ext-lib/}; may be empty
   * @param keyProviders likewise
   * @throws IllegalArgumentException if two have the same type, or a built-in's
   */
  public AlgorithmCatalogue(
      Collection<AlgorithmProvider> providers, Collection<KeyGeneratorProvider> keyProviders) {
    sharding.builtIn(ModSharding.TYPE, ModSharding::create);
    sharding.builtIn(HashModSharding.TYPE, HashModSharding::create);
    sharding.builtIn(PartitionSharding.VOLUME, PartitionSharding::createVolume);
    sharding.builtIn(PartitionSharding.BOUNDARY, PartitionSharding::createBoundary);
    sharding.builtIn(AutoIntervalSharding.TYPE, AutoIntervalSharding::create);
    sharding.builtIn(InlineSharding.TYPE, InlineSharding::create);
    sharding.builtIn(IntervalSharding.TYPE, IntervalSharding::create);
    sharding.builtIn(ComplexInlineSharding.TYPE, ComplexInlineSharding::create);
    sharding.builtIn(HintInlineSharding.TYPE, HintInlineSharding::create);
    sharding.builtIn(CosidModSharding.TYPE, CosidModSharding::create);
    sharding.builtIn(CosidIntervalSharding.TYPE, CosidIntervalSharding::create);
    sharding.builtIn(
        CosidIntervalSharding.OF_SNOWFLAKES, CosidIntervalSharding::createOfSnowflakes);
    MycatAlgorithms.types().forEach((type, maker) -> sharding.builtIn(type, maker));
    sharding.builtInOfAny(ClassBasedSharding.TYPE, new ClassBasedSharding(providers)::create);
    KeyGenerators.types().forEach((type, maker) -> keys.builtIn(type, maker));
    for (AlgorithmProvider provider : providers) {
      sharding.provided(
          provider::type,
          (guard, properties) ->
              GuardedPlacement.of(guard, guard.made(() -> provider.create(properties))));
    }
    for (KeyGeneratorProvider provider : keyProviders) {
      keys.provided(
          provider::type,
          (guard, properties) ->
              GuardedKeys.of(guard, guard.made(() -> provider.create(properties))));
    }
  }

  /** Types of sharding algorithms, upper snake case. */
  public Set<String> shardingTypes() {
    return sharding.types();
  }

  /** Types of key generators, upper snake case. */
  public Set<String> keyGeneratorTypes() {
    return keys.types();
  }

  /**
   * @param type without regard to case; must be one of {@link #shardingTypes}
   * @throws InvalidPropertiesException with everything that is wrong, by built-ins
   * @throws IllegalArgumentException whose message names the property and the cure, by providers
   */
  public PlacementAlgorithm sharding(String type, Map<String, String> properties) {
    return sharding.make(type, properties);
  }

  /**
   * @param type without regard to case; must be one of {@link #keyGeneratorTypes}
   * @throws InvalidPropertiesException with everything that is wrong
   */
  public KeyGenerator keyGenerator(String type, Map<String, String> properties) {
    return keys.make(type, properties);
  }

  /**
   * The same one for the same definition, however often the configuration is read: two of them
   * would make the same keys at the same moment.
   *
   * @param place of the definition in the configuration
   * @param type without regard to case; must be one of {@link #keyGeneratorTypes}
   * @throws InvalidPropertiesException with everything that is wrong
   */
  public KeyGenerator keyGenerator(String place, String type, Map<String, String> properties) {
    return lasting.computeIfAbsent(
        new Definition(place, type.toUpperCase(Locale.ROOT), Map.copyOf(properties)),
        _ -> keyGenerator(type, properties));
  }

  private record Definition(String place, String type, Map<String, String> properties) {}
}
