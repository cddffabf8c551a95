package io.anabranch.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.protocol.GoldenFile;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OkPacketTest {

  private static final long PLAIN = Capability.PROTOCOL_41 | Capability.TRANSACTIONS;
  private static final long TRACKING = PLAIN | Capability.SESSION_TRACK;

  /** The second OK of each conversation answers an UPDATE, the one after the login. */
  @ParameterizedTest
  @CsvSource({"eof.hex, false", "deprecate-eof.hex, true"})
  void infoIsTheTextWithoutItsLength(String file, boolean tracks) {
    byte[] payload = GoldenFile.read(GoldenFile.class, file).payloads("OK").get(1);
    OkPacket ok = OkPacket.decode(Unpooled.wrappedBuffer(payload), tracks ? TRACKING : PLAIN);
    assertThat(new String(ok.info(), StandardCharsets.US_ASCII))
        .startsWith("Rows matched: 1  Changed: ");
    assertThat(ok.status()).isEqualTo(ServerStatus.AUTOCOMMIT);
  }

  @Test
  void sessionStateIsKeptForThoseWhoTrackItOnly() {
    ByteBuf state = Unpooled.buffer();
    new SessionChange(SessionChange.SCHEMA, new byte[] {2, 'd', 'b'}).encode(state);
    byte[] bytes = new byte[state.readableBytes()];
    state.readBytes(bytes);
    var ok = new OkPacket(3, 4, ServerStatus.SESSION_STATE_CHANGED | 2, 1, new byte[0], bytes);

    ByteBuf out = Unpooled.buffer();
    ok.encode(out, TRACKING);
    OkPacket tracked = OkPacket.decode(out, TRACKING);
    assertThat(SessionChange.decodeAll(tracked.sessionState()))
        .usingRecursiveComparison()
        .isEqualTo(List.of(new SessionChange(SessionChange.SCHEMA, new byte[] {2, 'd', 'b'})));

    out.clear();
    ok.encode(out, PLAIN);
    assertThat(out.readableBytes()).isEqualTo(7);
    assertThat(OkPacket.decode(out, PLAIN).status()).isEqualTo(2);
  }
}
