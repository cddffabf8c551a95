package io.anabranch.rules.algorithm;

import io.anabranch.rules.value.SqlValue;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Makes algorithms from their {@code type} and {@code props}: built-ins, then providers. */
public final class AlgorithmCatalogue {

  private final Map<String, AlgorithmProvider> sharding = new TreeMap<>();

  /**
   * @param providers of {@code ext-lib/}; may be empty
   * @throws IllegalArgumentException if two have the same type, or a built-in's
   */
  public AlgorithmCatalogue(Collection<AlgorithmProvider> providers) {
    for (AlgorithmProvider provider : providers) {
      String type = provider.type().toUpperCase(Locale.ROOT);
      if (sharding.put(type, provider) != null) {
        throw new IllegalArgumentException("two providers of the algorithm type " + type);
      }
    }
  }

  /** Types of sharding algorithms, upper snake case. */
  public Set<String> shardingTypes() {
    return new TreeSet<>(sharding.keySet());
  }

  /** Types of key generators, upper snake case. */
  public Set<String> keyGeneratorTypes() {
    return new TreeSet<>();
  }

  /**
   * @param type without regard to case; must be one of {@link #shardingTypes}
   * @throws IllegalArgumentException whose message names the property and the cure
   */
  public ShardingAlgorithm sharding(String type, Map<String, String> properties) {
    AlgorithmProvider provider = sharding.get(type.toUpperCase(Locale.ROOT));
    if (provider == null) {
      throw new IllegalArgumentException("unknown type " + type);
    }
    return provider.create(properties);
  }

  /**
   * @param type without regard to case; must be one of {@link #keyGeneratorTypes}
   * @throws IllegalArgumentException whose message names the property and the cure
   */
  public KeyGenerator keyGenerator(String type, Map<String, String> properties) {
    if (type.equalsIgnoreCase("UUID")) {
      return () -> new SqlValue.Text(UUID.randomUUID().toString().replace("-", ""));
    }
    throw new IllegalArgumentException("unknown type " + type);
  }
}
