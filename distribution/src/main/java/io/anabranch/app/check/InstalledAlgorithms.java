package io.anabranch.app.check;

import io.anabranch.app.plugin.PlugIns;
import io.anabranch.rules.algorithm.AlgorithmProvider;
import io.anabranch.rules.algorithm.KeyGeneratorProvider;
import io.anabranch.rules.algorithm.encrypt.EncryptorCatalogue;
import io.anabranch.rules.algorithm.encrypt.EncryptorProvider;
import io.anabranch.rules.algorithm.mask.MaskerCatalogue;
import io.anabranch.rules.algorithm.mask.MaskerProvider;
import io.anabranch.rules.algorithm.shadow.ShadowMatcherProvider;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.type.AlgorithmTypes;
import io.anabranch.rules.model.shadow.ShadowAlgorithms;
import io.anabranch.rules.secret.SecretSource;
import io.anabranch.rules.secret.SecretSources;
import java.util.List;

/** The built-in algorithms and those of {@code ext-lib/}. */
public final class InstalledAlgorithms {

  private InstalledAlgorithms() {}

  /**
   * A loader that knows them all.
   *
   * @throws java.util.ServiceConfigurationError if a plug-in cannot be used; likewise
   *     IllegalArgumentException
   */
  public static ConfigurationLoader loader() {
    return new ConfigurationLoader(
        new AlgorithmTypes(
            new AlgorithmCatalogue(
                installed(AlgorithmProvider.class), installed(KeyGeneratorProvider.class)),
            new EncryptorCatalogue(installed(EncryptorProvider.class)),
            new MaskerCatalogue(installed(MaskerProvider.class)),
            new ShadowAlgorithms(installed(ShadowMatcherProvider.class))),
        new SecretSources(System::getenv, installed(SecretSource.class)));
  }

  private static <T> List<T> installed(Class<T> providers) {
    return PlugIns.installed().all(providers);
  }
}
