package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AlgorithmProvider;
import io.anabranch.rules.algorithm.InvalidPropertiesException;
import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.algorithm.KeyGeneratorProvider;
import io.anabranch.rules.algorithm.PlacementAlgorithm;
import io.anabranch.rules.algorithm.key.KeyGenerators;
import io.anabranch.rules.algorithm.mycat.MycatAlgorithms;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Makes algorithms from their {@code type} and {@code props}: built-ins and providers'. */
public final class AlgorithmCatalogue {

  private final Map<String, Function<Map<String, String>, PlacementAlgorithm>> sharding =
      new TreeMap<>();
  private final Map<String, Function<Map<String, String>, KeyGenerator>> keys = new TreeMap<>();
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
    builtIn(ModSharding.TYPE, ModSharding::create);
    builtIn(HashModSharding.TYPE, HashModSharding::create);
    builtIn(PartitionSharding.VOLUME, PartitionSharding::createVolume);
    builtIn(PartitionSharding.BOUNDARY, PartitionSharding::createBoundary);
    builtIn(AutoIntervalSharding.TYPE, AutoIntervalSharding::create);
    builtIn(InlineSharding.TYPE, InlineSharding::create);
    builtIn(IntervalSharding.TYPE, IntervalSharding::create);
    builtIn(ComplexInlineSharding.TYPE, ComplexInlineSharding::create);
    builtIn(HintInlineSharding.TYPE, HintInlineSharding::create);
    builtIn(CosidModSharding.TYPE, CosidModSharding::create);
    builtIn(CosidIntervalSharding.TYPE, CosidIntervalSharding::create);
    builtIn(CosidIntervalSharding.OF_SNOWFLAKES, CosidIntervalSharding::createOfSnowflakes);
    MycatAlgorithms.types().forEach((type, maker) -> builtIn(type, maker::apply));
    sharding.put(ClassBasedSharding.TYPE, new ClassBasedSharding(providers)::create);
    KeyGenerators.types()
        .forEach(
            (type, maker) ->
                keys.put(type, properties -> maker.apply(new AlgorithmProperties(properties))));
    for (AlgorithmProvider provider : providers) {
      String type = provider.type().toUpperCase(Locale.ROOT);
      if (sharding.put(type, provider::create) != null) {
        throw new IllegalArgumentException("two algorithms have the type " + type);
      }
    }
    for (KeyGeneratorProvider provider : keyProviders) {
      String type = provider.type().toUpperCase(Locale.ROOT);
      if (keys.put(type, provider::create) != null) {
        throw new IllegalArgumentException("two key generators have the type " + type);
      }
    }
  }

  /** Types of sharding algorithms, upper snake case. */
  public Set<String> shardingTypes() {
    return Collections.unmodifiableSet(sharding.keySet());
  }

  /** Types of key generators, upper snake case. */
  public Set<String> keyGeneratorTypes() {
    return Collections.unmodifiableSet(keys.keySet());
  }

  /**
   * @param type without regard to case; must be one of {@link #shardingTypes}
   * @throws InvalidPropertiesException with everything that is wrong, by built-ins
   * @throws IllegalArgumentException whose message names the property and the cure, by providers
   */
  public PlacementAlgorithm sharding(String type, Map<String, String> properties) {
    return make(sharding, type, properties);
  }

  /**
   * @param type without regard to case; must be one of {@link #keyGeneratorTypes}
   * @throws InvalidPropertiesException with everything that is wrong
   */
  public KeyGenerator keyGenerator(String type, Map<String, String> properties) {
    return make(keys, type, properties);
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

  private static <T> T make(
      Map<String, Function<Map<String, String>, T>> types,
      String type,
      Map<String, String> properties) {
    Function<Map<String, String>, T> maker = types.get(type.toUpperCase(Locale.ROOT));
    if (maker == null) {
      throw new IllegalArgumentException("unknown type " + type);
    }
    return maker.apply(properties);
  }

  private void builtIn(String type, Function<AlgorithmProperties, PlacementAlgorithm> maker) {
    sharding.put(type, properties -> maker.apply(new AlgorithmProperties(properties)));
  }
}
