package io.anabranch.frontend.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPatternTest {

  @ParameterizedTest
  @CsvSource({
    "%, 10.0.0.1, true",
    "'', 10.0.0.1, true",
    "10.0.0.1, 10.0.0.1, true",
    "10.0.0.1, 10.0.0.10, false",
    "10.0.0._, 10.0.0.7, true",
    "10.0.0._, 10.0.0.77, false",
    "10.%.1, 10.2.3.1, true",
    "10.%.1, 10.2.3.2, false",
    "%1%1, 1.0.0.1, true",
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.1, false",
    "10.0.0.0/255.0.0.0, 10.255.0.1, true",
    "10.0.0.0/255.255.0.0, 10.255.0.1, false",
    "10.0.0.0/255.0.255.0, 10.0.0.1, false",
    "10.0.0.0/33, 10.0.0.0, false",
    "0.0.0.0/0, 192.168.0.1, true",
    "fd00::/8, fd12::1, true",
    "fd00::/8, fe00::1, false",
    "0.0.0.0/0, fd12::1, false",
    "::1, ::1, true",
    "localhost, 127.0.0.1, true",
    "LOCALHOST, ::1, true",
    "localhost, 10.0.0.1, false",
    "db.example.org, 10.0.0.1, false"
  })
  void matches(String pattern, String address, boolean expected) {
    assertThat(HostPattern.of(pattern).matches(InetAddress.ofLiteral(address))).isEqualTo(expected);
  }

  @Test
  void theMorePreciseComesFirst() {
    List<String> sorted =
        Stream.of("%", "10.0.%", "10.0.0.0/8", "10.%", "localhost", "10.0.0.0/16")
            .map(HostPattern::of)
            .sorted()
            .map(HostPattern::toString)
            .toList();
    assertThat(sorted)
        .containsExactly("localhost", "10.0.0.0/16", "10.0.0.0/8", "10.0.%", "10.%", "%");
  }

  @Test
  void longPatternsTakeNoTime() {
    String pattern = "%1".repeat(200) + "x";
    assertThat(HostPattern.of(pattern).matches(InetAddress.ofLiteral("111.111.111.111"))).isFalse();
  }
}
