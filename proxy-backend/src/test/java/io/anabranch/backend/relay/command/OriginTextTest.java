package io.anabranch.backend.relay.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OriginTextTest {

  private static final byte[] ORIGIN = bytes("/* app@h */ ");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String of(String sql) {
    return new String(OriginText.of(bytes(sql), ORIGIN, 1 << 20), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1",
        "select 1",
        "\n\t (SELECT 1) UNION SELECT 2",
        "/* one *//**/ INSERT INTO t VALUES (1)",
        "REPLACE t VALUES (1)",
        "WITH c AS (SELECT 1) SELECT 1",
        "CALL p()",
        "update t set a = 1",
        "DELETE FROM t"
      })
  void queriesAndWhatChangesRows(String sql) {
    assertThat(of(sql)).isEqualTo("/* app@h */ " + sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE VIEW v AS SELECT 1",
        "CREATE PROCEDURE p() SELECT 1",
        "ALTER TABLE t ADD a INT",
        "SET @a = 1",
        "BEGIN",
        "SHOW WARNINGS",
        "/*!50000 SELECT 1 */",
        "/*M! SELECT 1 */",
        "/* never ends",
        "/*/ SELECT 1",
        "-- c\nSELECT 1",
        "selectx 1",
        "",
        "\u00e4"
      })
  void allOthersGoAsTheyAre(String sql) {
    assertThat(of(sql)).isEqualTo(sql);
  }

  @Test
  void whatIsLongOrWouldBecomeTooLongGoesAsItIs() {
    byte[] sql = bytes("SELECT 1");
    assertThat(OriginText.of(sql, null, 1 << 20)).isSameAs(sql);
    assertThat(OriginText.of(sql, ORIGIN, sql.length + ORIGIN.length + 1)).isSameAs(sql);
    assertThat(OriginText.of(sql, ORIGIN, sql.length + ORIGIN.length + 2)).isNotSameAs(sql);
    byte[] large = bytes("SELECT '" + "x".repeat(OriginText.LONGEST) + "'");
    assertThat(OriginText.of(large, ORIGIN, 1 << 20)).isSameAs(large);
  }

  @Test
  void aClientsPacketIsLeftAlone() {
    var packet = Unpooled.wrappedBuffer(bytes("\u0003SELECT 1"));
    assertThat(OriginText.of(packet, ORIGIN, 1 << 20)).isEqualTo(bytes("/* app@h */ SELECT 1"));
    assertThat(packet.readableBytes()).isEqualTo(9);
    assertThat(OriginText.of(packet, null, 1 << 20)).isNull();
    assertThat(OriginText.of(Unpooled.wrappedBuffer(bytes("\u0003SET @a = 1")), ORIGIN, 1 << 20))
        .isNull();
    assertThat(OriginText.of(Unpooled.wrappedBuffer(bytes("\u0016SELECT 1")), ORIGIN, 1 << 20))
        .isNull();
    assertThat(OriginText.of(Unpooled.EMPTY_BUFFER, ORIGIN, 1 << 20)).isNull();
  }
}
