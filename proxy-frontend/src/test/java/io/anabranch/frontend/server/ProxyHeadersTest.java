package io.anabranch.frontend.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.haproxy.HAProxyProtocolException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyHeadersTest {

  private static final String SECOND_VERSION = "0d0a0d0a000d0a515549540a";
  private static final String PACKETS = "2000000185a2bf0100000001";

  private final EmbeddedChannel channel = new EmbeddedChannel(new ProxyHeaders());

  private static String first(String line) {
    return HexFormat.of().formatHex(line.getBytes(StandardCharsets.US_ASCII)) + "0d0a";
  }

  @ParameterizedTest
  @CsvSource({
    "PROXY TCP4 203.0.113.7 10.0.0.1 56324 3306, 203.0.113.7",
    "PROXY TCP6 2001:db8::5 2001:db8::1 56324 3306, 2001:db8::5"
  })
  void linesOfTheFirstVersion(String line, String address) {
    read(first(line) + PACKETS);
    assertSource(address);
    assertPackets();
  }

  @ParameterizedTest
  @CsvSource({
    "2111000ccb0071070a000001dc040cea, 203.0.113.7",
    "2121002420010db8000000000000000000000005fd000000000000000000000000000001dc040cea, 2001:db8::5"
  })
  void headersOfTheSecondVersion(String header, String address) {
    read(SECOND_VERSION + header + PACKETS);
    assertSource(address);
    assertPackets();
  }

  @Test
  void headersWithoutAnAddress() {
    read(SECOND_VERSION + "20000000" + PACKETS);
    assertPackets();
    var other = new EmbeddedChannel(new ProxyHeaders());
    other.writeInbound(hex(first("PROXY UNKNOWN") + PACKETS));
    Object read = other.readInbound();
    assertThat(read).isInstanceOf(ByteBuf.class).isEqualTo(hex(PACKETS));
    ((ByteBuf) read).release();
    other.finishAndReleaseAll();
  }

  @Test
  void noHeader() {
    read(PACKETS);
    assertPackets();
    assertThat(channel.pipeline().get(ProxyHeaders.class)).isNull();
  }

  @Test
  void oneByteAtATime() {
    String all = first("PROXY TCP4 203.0.113.7 10.0.0.1 56324 3306");
    for (int i = 0; i < all.length(); i += 2) {
      read(all.substring(i, i + 2));
    }
    assertSource("203.0.113.7");
  }

  /** A record of TLS that is too short for what it must have. */
  @Test
  void recordsThatAreCut() {
    assertThatThrownBy(
            () -> read(SECOND_VERSION + "21110013cb0071070a000001dc040cea20000401020304" + PACKETS))
        .isInstanceOf(HAProxyProtocolException.class);
    assertThat(channel.<Object>readInbound()).isNull();
  }

  @Test
  void nonsense() {
    assertThatThrownBy(() -> read(first("PROXY TCP4 nobody nowhere 1 2")))
        .isInstanceOf(HAProxyProtocolException.class);
  }

  private static ByteBuf hex(String bytes) {
    return Unpooled.wrappedBuffer(HexFormat.of().parseHex(bytes));
  }

  private void read(String bytes) {
    channel.writeInbound(hex(bytes));
  }

  private void assertSource(String address) {
    Object read = channel.readInbound();
    assertThat(read).isEqualTo(new ProxyHeaders.Source(InetAddress.ofLiteral(address), 56_324));
  }

  private void assertPackets() {
    ByteBuf rest = channel.readInbound();
    byte[] bytes = new byte[rest.readableBytes()];
    rest.readBytes(bytes);
    rest.release();
    assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(PACKETS);
  }
}
