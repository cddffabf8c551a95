package io.anabranch.app.check;

import io.anabranch.app.plugin.PlugIns;
import io.anabranch.rules.account.AccountStoreProvider;
import io.anabranch.rules.account.AccountStores;
import io.anabranch.rules.algorithm.AlgorithmProvider;
import io.anabranch.rules.algorithm.KeyGeneratorProvider;
import io.anabranch.rules.algorithm.audit.AuditorCatalogue;
import io.anabranch.rules.algorithm.audit.AuditorProvider;
import io.anabranch.rules.algorithm.balance.LoadBalancerCatalogue;
import io.anabranch.rules.algorithm.balance.LoadBalancerProvider;
import io.anabranch.rules.algorithm.encrypt.EncryptorCatalogue;
import io.anabranch.rules.algorithm.encrypt.EncryptorProvider;
import io.anabranch.rules.algorithm.mask.MaskerCatalogue;
import io.anabranch.rules.algorithm.mask.MaskerProvider;
import io.anabranch.rules.algorithm.shadow.ShadowMatcherProvider;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.type.AlgorithmTypes;
import io.anabranch.rules.discovery.DiscoveryCatalogue;
import io.anabranch.rules.discovery.PrimaryDiscoveryProvider;
import io.anabranch.rules.listener.FinishedStatementListenerProvider;
import io.anabranch.rules.listener.ListenerCatalogue;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.ReplicationGroup.Balance;
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
    return loader(PlugIns.installed());
  }

  /** The same with those of other folders. */
  public static ConfigurationLoader loader(PlugIns plugIns) {
    return loader(plugIns, plugIns.all(AccountStoreProvider.class));
  }

  /** The same with other account stores. */
  public static ConfigurationLoader loader(
      PlugIns plugIns, List<AccountStoreProvider> accountStores) {
    return new ConfigurationLoader(
        new AlgorithmTypes(
            new AlgorithmCatalogue(
                plugIns.all(AlgorithmProvider.class), plugIns.all(KeyGeneratorProvider.class)),
            new AuditorCatalogue(plugIns.all(AuditorProvider.class)),
            new LoadBalancerCatalogue(Balance.names(), plugIns.all(LoadBalancerProvider.class)),
            new DiscoveryCatalogue(
                Discovery.Kind.builtIn(), plugIns.all(PrimaryDiscoveryProvider.class)),
            new EncryptorCatalogue(plugIns.all(EncryptorProvider.class)),
            new MaskerCatalogue(plugIns.all(MaskerProvider.class)),
            new ShadowAlgorithms(plugIns.all(ShadowMatcherProvider.class)),
            new ListenerCatalogue(plugIns.all(FinishedStatementListenerProvider.class)),
            new AccountStores(accountStores)),
        new SecretSources(System::getenv, plugIns.all(SecretSource.class)));
  }
}
