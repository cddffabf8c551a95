package io.anabranch.rules.algorithm.encrypt;

import io.anabranch.rules.algorithm.SaltedDigest;
import io.anabranch.rules.algorithm.plugin.PlugInGuard;
import io.anabranch.rules.algorithm.plugin.TypeCatalogue;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/** Makes encryptors from their {@code type} and {@code props}: built-ins and providers'. */
public final class EncryptorCatalogue {

  private final TypeCatalogue<Encryptor> types = new TypeCatalogue<>("encryptor");

  /**
   * @param providers of {@code ext-lib/}; may be empty
   * @throws IllegalArgumentException if two have the same type, or a built-in's
   */
  public EncryptorCatalogue(Collection<EncryptorProvider> providers) {
    types.builtIn(AesEncryptor.TYPE, AesEncryptor::create);
    types.builtIn(AesGcmEncryptor.TYPE, AesGcmEncryptor::create);
    types.builtIn(Rc4Encryptor.TYPE, Rc4Encryptor::create);
    // there is no way back, but whoever knows the salt can try out values: HMAC_SHA256 has a key
    types.builtIn("MD5", properties -> new SaltedDigest("MD5", properties)::of);
    types.builtIn("SHA256", properties -> new SaltedDigest("SHA-256", properties)::of);
    types.builtIn(HmacEncryptor.TYPE, HmacEncryptor::create);
    types.builtIn(Sm3Encryptor.TYPE, Sm3Encryptor::create);
    types.builtIn(Sm4Encryptor.TYPE, Sm4Encryptor::create);
    types.builtIn(CharDigestLike.TYPE, CharDigestLike::create);
    for (EncryptorProvider provider : providers) {
      types.provided(provider::type, (guard, properties) -> provided(guard, provider, properties));
    }
  }

  private static Encryptor provided(
      PlugInGuard guard, EncryptorProvider provider, Map<String, String> properties) {
    return guard.made(() -> new GuardedEncryptor(guard, provider.create(properties)));
  }

  /** Upper snake case. */
  public Set<String> types() {
    return types.types();
  }

  /**
   * @param type one of {@link #types}
   * @throws io.anabranch.rules.algorithm.InvalidPropertiesException with everything that is wrong,
   *     by built-ins
   * @throws IllegalArgumentException whose message names the property and the cure, by providers
   */
  public Encryptor encryptor(String type, Map<String, String> properties) {
    return types.make(type, properties);
  }
}
