package io.anabranch.protocol.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms that the captured conversations lack. */
class HandshakeTest {

  private static final long BASE = Capability.PROTOCOL_41 | Capability.TRANSACTIONS;

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        Capability.SECURE_CONNECTION,
        Capability.SECURE_CONNECTION | Capability.PLUGIN_AUTH,
        Capability.PLUGIN_AUTH_LENENC_CLIENT_DATA | Capability.CONNECT_WITH_DB,
        Capability.SECURE_CONNECTION | Capability.CONNECT_ATTRS | Capability.CONNECT_WITH_DB,
        Capability.PLUGIN_AUTH | Capability.ZSTD_COMPRESSION,
        Capability.MARIADB_EXTENDED_METADATA | Capability.MARIADB_CACHE_METADATA
      })
  void responsesOfAnyCapabilities(long extra) {
    long capabilities = BASE | extra;
    var response =
        new HandshakeResponse(
            capabilities,
            1 << 24,
            255,
            "jürgen",
            new byte[] {1, 2, 3},
            has(extra, Capability.CONNECT_WITH_DB) ? "shop" : "",
            has(extra, Capability.PLUGIN_AUTH) ? NativePassword.PLUGIN : "",
            has(extra, Capability.CONNECT_ATTRS) ? Map.of("_os", "Linux", "x", "") : Map.of(),
            has(extra, Capability.ZSTD_COMPRESSION) ? 3 : 0);
    assertThat(HandshakeResponse.decode(encoded(response::encode)))
        .usingRecursiveComparison()
        .isEqualTo(response);
  }

  @Test
  void theWishForTls() {
    var response =
        new HandshakeResponse(BASE | Capability.SSL, 1, 45, "", new byte[0], "", "", Map.of(), 0);
    assertThat(HandshakeResponse.isSslRequest(encoded(response::encodeSslRequest))).isTrue();
    assertThat(HandshakeResponse.isSslRequest(encoded(response::encode))).isFalse();
    assertThat(HandshakeResponse.isSslRequest(Unpooled.EMPTY_BUFFER)).isFalse();
  }

  @Test
  void clientsBefore41AreRefused() {
    ByteBuf old = Unpooled.buffer().writeIntLE(1).writeZero(40);
    assertThatThrownBy(() -> HandshakeResponse.decode(old))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void mariadbsBitsNeedLongPasswordOff() {
    long mariadb = BASE | Capability.SECURE_CONNECTION | Capability.MARIADB_PROGRESS;
    assertThat(decodedGreeting(mariadb).capabilities()).isEqualTo(mariadb);
    assertThat(decodedGreeting(mariadb | Capability.LONG_PASSWORD).capabilities())
        .isEqualTo((mariadb | Capability.LONG_PASSWORD) & ~Capability.MARIADB_MASK);
  }

  @Test
  void pluginPackets() {
    var request = new AuthSwitchRequest(CachingSha2.PLUGIN, new byte[] {5, 6, 7});
    assertThat(AuthSwitchRequest.decode(encoded(request::encode)))
        .usingRecursiveComparison()
        .isEqualTo(request);
    var data = new AuthMoreData(new byte[] {4});
    assertThat(AuthMoreData.decode(encoded(data::encode)))
        .usingRecursiveComparison()
        .isEqualTo(data);
  }

  private static Greeting decodedGreeting(long capabilities) {
    byte[] scramble = new byte[Greeting.SCRAMBLE_LENGTH];
    java.util.Arrays.fill(scramble, (byte) 'x');
    var greeting = new Greeting("8.0", 77, scramble, capabilities, 45, 2, "");
    Greeting decoded = Greeting.decode(encoded(greeting::encode));
    assertThat(decoded.scramble()).isEqualTo(scramble);
    assertThat(decoded.threadId()).isEqualTo(77);
    return decoded;
  }

  private static boolean has(long set, long bit) {
    return Capability.has(set, bit);
  }

  private static ByteBuf encoded(Consumer<ByteBuf> encoder) {
    ByteBuf out = Unpooled.buffer();
    encoder.accept(out);
    return out;
  }
}
