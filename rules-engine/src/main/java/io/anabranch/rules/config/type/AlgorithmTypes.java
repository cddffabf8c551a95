package io.anabranch.rules.config.type;

import io.anabranch.rules.account.AccountStores;
import io.anabranch.rules.algorithm.audit.AuditorCatalogue;
import io.anabranch.rules.algorithm.balance.LoadBalancerCatalogue;
import io.anabranch.rules.algorithm.encrypt.EncryptorCatalogue;
import io.anabranch.rules.algorithm.mask.MaskerCatalogue;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.discovery.DiscoveryCatalogue;
import io.anabranch.rules.listener.ListenerCatalogue;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.ReplicationGroup.Balance;
import io.anabranch.rules.model.shadow.ShadowAlgorithms;
import java.util.List;

/**
 * What configurations may name as {@code type}: built-ins and providers'. Immutable.
 *
 * @param algorithms sharding algorithms and key generators
 * @param balancers those of plug-ins alone
 * @param discoveries those of plug-ins alone
 */
public record AlgorithmTypes(
    AlgorithmCatalogue algorithms,
    AuditorCatalogue auditors,
    LoadBalancerCatalogue balancers,
    DiscoveryCatalogue discoveries,
    EncryptorCatalogue encryptors,
    MaskerCatalogue maskers,
    ShadowAlgorithms shadows,
    ListenerCatalogue listeners,
    AccountStores stores) {

  /** Built-ins of all kinds but these. */
  public static AlgorithmTypes of(AlgorithmCatalogue algorithms) {
    return new AlgorithmTypes(
        algorithms,
        new AuditorCatalogue(List.of()),
        new LoadBalancerCatalogue(Balance.names(), List.of()),
        new DiscoveryCatalogue(Discovery.Kind.builtIn(), List.of()),
        new EncryptorCatalogue(List.of()),
        new MaskerCatalogue(List.of()),
        new ShadowAlgorithms(List.of()),
        new ListenerCatalogue(List.of()),
        new AccountStores(List.of()));
  }
}
