package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.TransactionSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListenAddressTest {

  @Test
  void thePortOfTheConfigurationHoldsUnlessTold() throws StartException {
    RuleSet rules = rules("changed");
    assertThat(Main.listenAddress(CommandLine.parse("-c", "x"), rules).getPort()).isEqualTo(3307);
    assertThat(Main.listenAddress(CommandLine.parse("-c", "x", "-p", "9"), rules).getPort())
        .isEqualTo(9);
  }

  @Test
  void theSamplePasswordIsForLoopbackOnly() throws StartException {
    RuleSet rules = rules(Authority.User.SAMPLE_PASSWORD);
    assertThat(
            Main.listenAddress(CommandLine.parse("-c", "x", "-a", "::1"), rules)
                .getAddress()
                .isLoopbackAddress())
        .isTrue();
    assertThatThrownBy(
            () -> Main.listenAddress(CommandLine.parse("-c", "x", "-a", "0.0.0.0"), rules))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("app@% still has the sample password");
    assertThat(
            Main.listenAddress(CommandLine.parse("-c", "x", "-a", "0.0.0.0"), rules("changed"))
                .getPort())
        .isEqualTo(3307);
  }

  private static RuleSet rules(String password) {
    var user =
        new Authority.User(
            "app", "%", password, true, Authority.AuthenticationMethod.MYSQL_NATIVE_PASSWORD);
    return new RuleSet(
        1,
        Map.of(),
        new Authority(List.of(user), true, Map.of()),
        ProxyProperties.DEFAULTS,
        TransactionSettings.DEFAULTS);
  }
}
