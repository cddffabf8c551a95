package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.account.AccountStore;
import io.anabranch.rules.account.AccountStoreProvider;
import io.anabranch.rules.account.AccountStores;
import io.anabranch.rules.account.StoredAccounts;
import io.anabranch.rules.account.StoredAccounts.Role;
import io.anabranch.rules.algorithm.audit.AuditorCatalogue;
import io.anabranch.rules.algorithm.balance.LoadBalancerCatalogue;
import io.anabranch.rules.algorithm.encrypt.EncryptorCatalogue;
import io.anabranch.rules.algorithm.mask.MaskerCatalogue;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.type.AlgorithmTypes;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.discovery.DiscoveryCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.listener.ListenerCatalogue;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.shadow.ShadowAlgorithms;
import io.anabranch.rules.secret.SecretSources;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccountStoreConfigurationTest {

  private static final String SOUND =
      """
      authority:
        users:
        - { user: app, password: p }
        - { user: reader, role: true, grants: READ ON *.* }
        accountStore:
          type: house
          roles: { dba: app, "*": Reader }
          props: { place: here, password: "${env:STORE}" }
      props: { proxy-frontend-ssl-enabled: true }
      """;

  /** Fails as its property says. */
  private static final class House implements AccountStoreProvider {

    @Override
    public String type() {
      return "HOUSE";
    }

    @Override
    public AccountStore create(Map<String, String> properties) {
      String place = properties.getOrDefault("place", "");
      return switch (place) {
        case "nowhere" -> throw new IllegalArgumentException("place: write here");
        case "broken" -> throw new IllegalStateException("tell nobody");
        default ->
            (name, _, _) ->
                switch (name) {
                  case "null" -> nothing();
                  case "missing" -> throw new NoClassDefFoundError("tell nobody");
                  default ->
                      new AccountStore.Granted(
                          List.of(Objects.requireNonNull(properties.get("password"))));
                };
      };
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"})
    private static AccountStore.Answer nothing() {
      AccountStore.@Nullable Answer nothing = null;
      return nothing;
    }
  }

  private static Authority load(String global) {
    return new ConfigurationLoader(
            new AlgorithmTypes(
                new AlgorithmCatalogue(List.of()),
                new AuditorCatalogue(List.of()),
                new LoadBalancerCatalogue(Set.of(), List.of()),
                new DiscoveryCatalogue(Set.of(), List.of()),
                new EncryptorCatalogue(List.of()),
                new MaskerCatalogue(List.of()),
                new ShadowAlgorithms(List.of()),
                new ListenerCatalogue(List.of()),
                new AccountStores(List.of(new House()))),
            new SecretSources(name -> name.equals("STORE") ? "hush" : null, List.of()))
        .load(List.of(new ConfigurationText("global.yaml", global)))
        .ruleSet()
        .authority();
  }

  private static StoredAccounts stored(String global) {
    return Objects.requireNonNull(load(global).stored());
  }

  @Test
  void readsWhoIsAsked() throws Exception {
    StoredAccounts stored = stored(SOUND);
    assertThat(stored.roles()).containsExactly(new Role("dba", "app"), new Role("*", "Reader"));
    assertThat(stored.timeoutMilliseconds()).isEqualTo(5000);
    assertThat(stored.maxConcurrent()).isEqualTo(16);
    assertThat(stored.store().ask("ada", "::1", new byte[] {1}))
        .isEqualTo(new AccountStore.Granted(List.of("hush")));
    assertThat(stored).hasToString("account store HOUSE");
    assertThat(load(SOUND).users().getLast().isRole()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "missing"})
  void whatItDoesWronglyIsToldWithoutItsMessage(String name) {
    assertThatThrownBy(() -> stored(SOUND).store().ask(name, "::1", new byte[] {1}))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB2092: the account store of type HOUSE")
        .hasMessageNotContaining("tell nobody");
  }

  @Test
  void sameTextIsTheSameStore() {
    assertThat(load(SOUND)).isEqualTo(load(SOUND));
    assertThat(load(SOUND)).isNotEqualTo(load(SOUND.replace("here", "there")));
    assertThat(load(SOUND)).isNotEqualTo(load(SOUND.replace("\"*\": Reader", "\"*\": app")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "type: house | type: hose | unknown type hose",
        "place: here | place: nowhere | place: write here",
        "place: here | place: broken | IllegalStateException",
        "env:STORE | env:NOWHERE | NOWHERE",
        "dba: app | dba: ape | there is no user `ape`",
        "roles: { dba: app, \"*\": Reader } | timeoutMilliseconds: 1 | there are no roles",
        "type: house | {type: house, timeoutMilliseconds: 10000} | are not less than the 10000 ms",
        "role: true | 'role: true, password: x' | of a role, by whose name nobody logs in",
        "ssl-enabled: true | ssl-enabled: false | over TLS only",
        "place: here, | place: here, place: here, | twice",
      })
  void whatIsWrongHasItsPlace(String part, String other, String told) {
    String written =
        other.startsWith("{")
            ? other.substring(1, other.length() - 1).replace(", ", "\n    ")
            : other;
    assertThat(SOUND).contains(part);
    assertThatThrownBy(() -> load(SOUND.replace(part, written)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("global.yaml:")
        .hasMessageContaining(told)
        .hasMessageNotContaining("tell nobody")
        .hasMessageNotContaining("hush");
  }

  @Test
  void rolesAloneLogNobodyIn() {
    String roles = "authority: { users: [ { user: reader, role: true } ] }\n";
    assertThatThrownBy(() -> load(roles)).hasMessageContaining("there are roles only");
  }
}
