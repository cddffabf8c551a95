package io.anabranch.protocol.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LengthEncodedTest {

  @ParameterizedTest
  @CsvSource({
    "0, 00",
    "250, fa",
    "251, fcfb00",
    "65535, fcffff",
    "65536, fd000001",
    "16777215, fdffffff",
    "16777216, fe0000000100000000",
    "9223372036854775807, feffffffffffffff7f",
    "-1, feffffffffffffffff"
  })
  void numbers(long value, String hex) {
    byte[] expected = HexFormat.of().parseHex(hex);
    ByteBuf out = Unpooled.buffer();
    LengthEncoded.write(out, value);
    byte[] array = new byte[expected.length + 1];
    assertThat(LengthEncoded.write(array, 1, value)).isEqualTo(array.length);

    assertThat(LengthEncoded.size(value)).isEqualTo(expected.length);
    assertThat(out).isEqualTo(Unpooled.wrappedBuffer(expected));
    assertThat(array).endsWith(expected);
    assertThat(LengthEncoded.readLong(out)).isEqualTo(value);
    assertThat(LengthEncoded.longAt(array, 1)).isEqualTo(value);
    assertThat(LengthEncoded.sizeAt(array, 1)).isEqualTo(expected.length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fb", "ff", "fc01", "fd0102", "fe01020304050607"})
  void whatIsNoNumber(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThatThrownBy(() -> LengthEncoded.readLong(Unpooled.wrappedBuffer(bytes)))
        .isInstanceOf(ProtocolViolationException.class);
    assertThatThrownBy(() -> LengthEncoded.longAt(bytes, 0))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"01", "fc0100", "feffffffffffffffff00", "fe00000080000000000000"})
  void lengthsThatPromiseTooMuch(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThatThrownBy(() -> LengthEncoded.lengthAt(bytes, 0))
        .isInstanceOf(ProtocolViolationException.class);
    assertThatThrownBy(() -> LengthEncoded.readBytes(Unpooled.wrappedBuffer(bytes)))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void nullIsNoLength() {
    byte[] bytes = {(byte) 0xFB};
    assertThat(LengthEncoded.lengthAt(bytes, 0)).isEqualTo(LengthEncoded.NULL);
    assertThat(LengthEncoded.readLength(Unpooled.wrappedBuffer(bytes)))
        .isEqualTo(LengthEncoded.NULL);
    assertThat(LengthEncoded.readNullableBytes(Unpooled.wrappedBuffer(bytes))).isNull();
  }
}
