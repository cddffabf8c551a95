package io.anabranch.frontend.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.protocol.command.QueryAttributes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OriginTest {

  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final String OTHER = "00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

  private static String of(String user, QueryAttributes attributes, Map<String, String> ofClient) {
    return new String(
        Origin.comment(user, "10.0.0.7:51234", attributes, StandardCharsets.UTF_8, ofClient),
        StandardCharsets.US_ASCII);
  }

  /** A COM_QUERY with one attribute, a string. */
  private static QueryAttributes attribute(String name, String value) {
    ByteBuf payload = Unpooled.buffer();
    payload.writeByte(3).writeByte(1).writeByte(1).writeByte(0).writeByte(1);
    payload.writeShortLE(0xfe).writeByte(name.length());
    payload.writeCharSequence(name, StandardCharsets.US_ASCII);
    payload.writeByte(value.length());
    payload.writeCharSequence(value, StandardCharsets.US_ASCII);
    payload.writeCharSequence("SELECT 1", StandardCharsets.US_ASCII);
    return QueryAttributes.take(payload);
  }

  @Test
  void userAndClient() {
    assertThat(of("app", QueryAttributes.NONE, Map.of())).isEqualTo("/* app@10.0.0.7:51234 */ ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/ DROP TABLE t; /*",
        "!50000 SELECT",
        "a\nb",
        "a\u0000b",
        "\u00e9*\u2215/",
        "a?b'c\"d`e\\"
      })
  void noNameEndsTheComment(String user) {
    String comment = of(user, QueryAttributes.NONE, Map.of());
    assertThat(comment).matches("/\\* [A-Za-z0-9_.:-]+@10\\.0\\.0\\.7:51234 \\*/ ");
  }

  @Test
  void longNamesAreCut() {
    assertThat(of("x".repeat(1000), QueryAttributes.NONE, Map.of())).hasSizeLessThan(120);
  }

  @Test
  void theCommandsTraceComesBeforeTheConnections() {
    assertThat(of("app", QueryAttributes.NONE, Map.of("traceparent", TRACE)))
        .isEqualTo("/* app@10.0.0.7:51234 " + TRACE + " */ ");
    assertThat(of("app", attribute("TraceParent", OTHER), Map.of("traceparent", TRACE)))
        .isEqualTo("/* app@10.0.0.7:51234 " + OTHER + " */ ");
    assertThat(of("app", attribute("other", OTHER), Map.of())).doesNotContain(OTHER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "*/ x /*", "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"})
  void whatHasNotTheFormIsLeftOut(String trace) {
    assertThat(of("app", attribute("traceparent", trace), Map.of()))
        .isEqualTo("/* app@10.0.0.7:51234 */ ");
    assertThat(of("app", QueryAttributes.NONE, Map.of("traceparent", trace)))
        .isEqualTo("/* app@10.0.0.7:51234 */ ");
  }
}
