package io.anabranch.frontend.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.protocol.command.QueryAttributes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Query attributes are {@link OriginTest}'s. */
class TraceParentTest {

  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final String OTHER = "00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

  private static @Nullable String of(String sql, Map<String, String> ofClient) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    return TraceParent.of(
        QueryAttributes.NONE, StandardCharsets.UTF_8, ofClient, bytes, 0, bytes.length);
  }

  @Test
  void aCommentComesBeforeTheConnection() {
    Map<String, String> ofClient = Map.of("traceparent", OTHER);
    assertThat(of("SELECT 1", ofClient)).isEqualTo(OTHER);
    assertThat(of("SELECT 1 /*traceparent='" + TRACE + "'*/", ofClient)).isEqualTo(TRACE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/*traceparent='%s'*/ SELECT 1",
        "SELECT 1 /*action='x',traceparent='%s',tracestate='a'*/",
        "SELECT 'é', 1 -- traceparent='%s'"
      })
  void whereverACommentStands(String sql) {
    assertThat(of(sql.formatted(TRACE), Map.of())).isEqualTo(TRACE);
    String columns = ", 1".repeat(10_000);
    assertThat(of(sql.formatted(TRACE).replace(" 1", " 1" + columns), Map.of())).isEqualTo(TRACE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "SELECT 1",
        "SELECT 1 /*traceparent='00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'*/",
        "SELECT 1 /*traceparent='00-0af7'*/"
      })
  void whatHasNotTheFormIsNone(String sql) {
    assertThat(of(sql, Map.of("traceparent", "mine"))).isNull();
  }
}
