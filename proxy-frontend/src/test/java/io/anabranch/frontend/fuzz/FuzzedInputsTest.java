package io.anabranch.frontend.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.frontend.admin.AdminRequestTarget;
import io.anabranch.frontend.auth.HandshakeTarget;
import io.anabranch.frontend.server.ProxyHeaderTarget;
import io.anabranch.testkit.FuzzCorpus;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What fuzzers began with and what they have found, and changes of it. */
@Tag("long")
class FuzzedInputsTest {

  private static final int CHANGES = 30;

  enum Fuzzed {
    FRAMES,
    HANDSHAKE,
    CONFIGURATION,
    PROXY_HEADER,
    ADMIN
  }

  private static FuzzCorpus.Target target(Fuzzed fuzzed) {
    return switch (fuzzed) {
      case FRAMES -> FrameTarget::fuzzerTestOneInput;
      case HANDSHAKE -> HandshakeTarget::fuzzerTestOneInput;
      case CONFIGURATION -> ConfigurationTarget::fuzzerTestOneInput;
      case PROXY_HEADER -> ProxyHeaderTarget::fuzzerTestOneInput;
      case ADMIN -> AdminRequestTarget::fuzzerTestOneInput;
    };
  }

  @ParameterizedTest
  @EnumSource(Fuzzed.class)
  @Timeout(120)
  void nothingIsFound(Fuzzed fuzzed) {
    String name = fuzzed.name().toLowerCase(Locale.ROOT).replace('_', '-');
    assertThat(FuzzCorpus.of(name).tryAll(CHANGES, target(fuzzed))).isGreaterThan(CHANGES);
  }
}
