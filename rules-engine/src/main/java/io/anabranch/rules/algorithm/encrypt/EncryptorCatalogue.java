package io.anabranch.rules.algorithm.encrypt;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.SaltedDigest;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Makes encryptors from their {@code type} and {@code props}: built-ins and providers'. */
public final class EncryptorCatalogue {

  private final Map<String, Function<Map<String, String>, Encryptor>> types = new TreeMap<>();

  /**
   * @param providers of {@code ext-lib/}; may be empty
   * @throws IllegalArgumentException if two have the same type, or a built-in's
   */
  public EncryptorCatalogue(Collection<EncryptorProvider> providers) {
    builtIn(AesEncryptor.TYPE, AesEncryptor::create);
    builtIn(AesGcmEncryptor.TYPE, AesGcmEncryptor::create);
    builtIn(Rc4Encryptor.TYPE, Rc4Encryptor::create);
    // there is no way back, but whoever knows the salt can try out values: HMAC_SHA256 has a key
    builtIn("MD5", properties -> new SaltedDigest("MD5", properties)::of);
    builtIn("SHA256", properties -> new SaltedDigest("SHA-256", properties)::of);
    builtIn(HmacEncryptor.TYPE, HmacEncryptor::create);
    builtIn(Sm3Encryptor.TYPE, Sm3Encryptor::create);
    builtIn(Sm4Encryptor.TYPE, Sm4Encryptor::create);
    builtIn(CharDigestLike.TYPE, CharDigestLike::create);
    for (EncryptorProvider provider : providers) {
      String type = provider.type().toUpperCase(Locale.ROOT);
      if (types.put(type, provider::create) != null) {
        throw new IllegalArgumentException("two encryptors have the type " + type);
      }
    }
  }

  /** Upper snake case. */
  public Set<String> types() {
    return Collections.unmodifiableSet(types.keySet());
  }

  /**
   * @param type one of {@link #types}
   * @throws io.anabranch.rules.algorithm.InvalidPropertiesException with everything that is wrong,
   *     by built-ins
   * @throws IllegalArgumentException whose message names the property and the cure, by providers
   */
  public Encryptor encryptor(String type, Map<String, String> properties) {
    Function<Map<String, String>, Encryptor> maker = types.get(type.toUpperCase(Locale.ROOT));
    if (maker == null) {
      throw new IllegalArgumentException("unknown type " + type);
    }
    return maker.apply(properties);
  }

  private void builtIn(String type, Function<AlgorithmProperties, Encryptor> maker) {
    types.put(type, properties -> maker.apply(new AlgorithmProperties(properties)));
  }
}
