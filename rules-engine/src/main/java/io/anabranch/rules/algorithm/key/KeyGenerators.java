package io.anabranch.rules.algorithm.key;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.value.SqlValue;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** Makes the proxy's own key generators. */
public final class KeyGenerators {

  private static final Map<String, Function<AlgorithmProperties, KeyGenerator>> TYPES =
      Map.of(
          SnowflakeKeys.TYPE,
          SnowflakeKeys::create,
          SnowflakeKeys.COSID_TYPE,
          SnowflakeKeys::createCosid,
          "UUID",
          KeyGenerators::uuid,
          SegmentKeys.TYPE,
          SegmentKeys::create,
          OrderedUuidKeys.TYPE,
          OrderedUuidKeys::create,
          NanoIdKeys.TYPE,
          NanoIdKeys::create);

  private KeyGenerators() {}

  /** Makers by type. */
  public static Map<String, Function<AlgorithmProperties, KeyGenerator>> types() {
    return TYPES;
  }

  private static KeyGenerator uuid(AlgorithmProperties properties) {
    properties.check();
    return () -> new SqlValue.Text(UUID.randomUUID().toString().replace("-", ""));
  }
}
