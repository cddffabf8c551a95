package io.anabranch.frontend.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.frontend.admin.AdminGuard.Verdict;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdminGuardTest {

  private static final String TOKEN = "0123456789abcdef";

  private static InetSocketAddress from(String address) {
    try {
      return new InetSocketAddress(InetAddress.getByName(address), 4711);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, localhost:9307, ALLOWED",
    "127.0.0.1, 127.0.0.1:9307, ALLOWED",
    "::1, [::1]:9307, ALLOWED",
    "127.0.0.1, , ALLOWED",
    "127.0.0.1, rebound.example:9307, FROM_A_BROWSER",
    "10.0.0.7, 10.0.0.1:9307, NOT_FROM_HERE",
  })
  void withoutATokenOnlyThisMachineIsLetIn(String client, String host, Verdict expected) {
    var headers = new DefaultHttpHeaders();
    if (host != null) {
      headers.set("Host", host);
    }
    assertThat(new AdminGuard(() -> "").judge(headers, from(client))).isEqualTo(expected);
  }

  @Test
  void whoShowsTheTokenMayComeFromAnywhere() {
    var headers =
        new DefaultHttpHeaders()
            .set("Host", "proxy.example:9307")
            .set("Authorization", "Bearer " + TOKEN);
    AdminGuard guard = new AdminGuard(() -> TOKEN);
    assertThat(guard.judge(headers, from("10.0.0.7"))).isEqualTo(Verdict.ALLOWED);
    headers.set("Authorization", "Bearer " + TOKEN + "0");
    assertThat(guard.judge(headers, from("10.0.0.7"))).isEqualTo(Verdict.TOKEN_WRONG);
  }

  @Test
  void thisMachineNeedsTheTokenToo() {
    assertThat(new AdminGuard(() -> TOKEN).judge(new DefaultHttpHeaders(), from("127.0.0.1")))
        .isEqualTo(Verdict.TOKEN_MISSING);
  }

  @Test
  void pagesOfBrowsersAreNotLetIn() {
    var headers =
        new DefaultHttpHeaders()
            .set("Origin", "http://elsewhere")
            .set("Authorization", "Bearer " + TOKEN);
    assertThat(new AdminGuard(() -> TOKEN).judge(headers, from("127.0.0.1")))
        .isEqualTo(Verdict.FROM_A_BROWSER);
  }
}
