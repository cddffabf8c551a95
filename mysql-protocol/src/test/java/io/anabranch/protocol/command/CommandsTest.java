package io.anabranch.protocol.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.protocol.command.ClientCommand.StmtExecute;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CommandsTest {

  private static final long CAPABILITIES =
      Capability.PROTOCOL_41
          | Capability.SECURE_CONNECTION
          | Capability.PLUGIN_AUTH
          | Capability.CONNECT_ATTRS;

  @Test
  void whatIsWrittenIsRead() {
    ByteBuf out = Unpooled.buffer();
    byte[] sql = utf8("SELECT 'ü'");
    CommandWriter.query(out, sql);
    assertThat(((ClientCommand.Query) next(out)).sql()).isEqualTo(sql);
    CommandWriter.stmtPrepare(out, sql);
    assertThat(((ClientCommand.StmtPrepare) next(out)).sql()).isEqualTo(sql);
    CommandWriter.initDb(out, "shöp");
    assertThat(next(out)).isEqualTo(new ClientCommand.InitDb("shöp"));
    CommandWriter.stmtClose(out, 7);
    assertThat(next(out)).isEqualTo(new ClientCommand.StmtClose(7));
    CommandWriter.stmtReset(out, -1);
    assertThat(next(out)).isEqualTo(new ClientCommand.StmtReset(-1));
    CommandWriter.resetConnection(out);
    assertThat(next(out)).isEqualTo(new ClientCommand.ResetConnection());
    CommandWriter.ping(out);
    assertThat(next(out)).isEqualTo(new ClientCommand.Ping());
    assertThat(out.isReadable()).isFalse();
  }

  @Test
  void parametersGoThroughUnchanged() {
    ExecuteParameters parameters =
        ExecuteParameters.of(
            new StatementParameter(ColumnType.LONG.code(), new byte[] {1, 0, 0, 0}),
            new StatementParameter(ColumnType.LONGLONG.code() | 0x8000, null),
            new StatementParameter(ColumnType.VAR_STRING.code(), utf8("\u0003abc")),
            new StatementParameter(ColumnType.NULL.code(), null),
            new StatementParameter(ColumnType.DATETIME.code(), new byte[] {4, 1, 2, 3, 4}),
            new StatementParameter(ColumnType.TIME.code(), new byte[] {0}),
            new StatementParameter(ColumnType.DOUBLE.code(), new byte[8]),
            new StatementParameter(ColumnType.TINY.code(), new byte[] {9}),
            new StatementParameter(ColumnType.SHORT.code(), null));
    ByteBuf out = Unpooled.buffer();
    CommandWriter.stmtExecute(out, 5, parameters, new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8});
    StmtExecute command = (StmtExecute) next(out);
    assertThat(command.statementId()).isEqualTo(5);
    assertThat(command.flags()).isZero();
    assertThat(command.iterations()).isEqualTo(1);
    assertThat(all(ExecuteParameters.decode(command, 9, null, null)))
        .usingRecursiveComparison()
        .isEqualTo(all(parameters));
    assertThat(new StatementParameter(parameters.type(1), null).isUnsigned()).isTrue();
  }

  @Test
  void statementsTakeTheParametersThatTheyWant() {
    ExecuteParameters parameters =
        ExecuteParameters.of(
            new StatementParameter(ColumnType.TINY.code(), new byte[] {7}),
            new StatementParameter(ColumnType.VAR_STRING.code(), null),
            new StatementParameter(ColumnType.VAR_STRING.code(), utf8("\u0003abc")));
    ByteBuf out = Unpooled.buffer();
    CommandWriter.stmtExecute(out, 5, parameters, new int[] {2, 1, 0, 2});
    assertThat(all(ExecuteParameters.decode((StmtExecute) next(out), 4, null, null)))
        .usingRecursiveComparison()
        .isEqualTo(
            List.of(
                new StatementParameter(ColumnType.VAR_STRING.code(), utf8("\u0003abc")),
                new StatementParameter(ColumnType.VAR_STRING.code(), null),
                new StatementParameter(ColumnType.TINY.code(), new byte[] {7}),
                new StatementParameter(ColumnType.VAR_STRING.code(), utf8("\u0003abc"))));
  }

  private static List<StatementParameter> all(ExecuteParameters parameters) {
    return IntStream.range(0, parameters.count())
        .mapToObj(i -> new StatementParameter(parameters.type(i), parameters.value(i)))
        .toList();
  }

  @Test
  void typesAreRememberedBetweenExecutions() {
    int[] types = {ColumnType.TINY.code()};
    ExecuteParameters parameters = ExecuteParameters.decode(execute("00 00 07"), 1, types, null);
    assertThat(parameters.types()).isSameAs(types);
    assertThat(parameters.value(0)).containsExactly(7);
    ByteBuf out = Unpooled.buffer();
    CommandWriter.stmtExecute(out, 5, parameters, new int[] {0});
    assertThat(ExecuteParameters.decode((StmtExecute) next(out), 1, null, null).types())
        .containsExactly(ColumnType.TINY.code());
  }

  @Test
  void aTypeOfNothingIsNull() {
    ExecuteParameters parameters =
        ExecuteParameters.decode(execute("00 01 0600 0100 07"), 2, null, null);
    assertThat(parameters.value(0)).isNull();
    assertThat(parameters.value(1)).containsExactly(7);
  }

  @Test
  void longDataTakesThePlaceOfAValue() {
    var value = new LongValue();
    value.append(utf8("lo"));
    value.append(utf8("ng"));
    LongValue[] longData = {null, value};
    ExecuteParameters parameters =
        ExecuteParameters.decode(execute("00 01 0100 fc00 07"), 2, null, longData);
    assertThat(all(parameters))
        .usingRecursiveComparison()
        .isEqualTo(
            List.of(
                new StatementParameter(ColumnType.TINY.code(), new byte[] {7}),
                new StatementParameter(ColumnType.BLOB.code(), utf8("\u0004long"))));
    assertThat(parameters.types()).containsExactly(1, 252);
    assertThat(parameters.longValue(1)).isSameAs(value);
    ByteBuf out = Unpooled.buffer();
    CommandWriter.stmtSendLongData(
        UnpooledByteBufAllocator.DEFAULT,
        5,
        parameters,
        new int[] {1, 0},
        packet -> {
          out.writeBytes(packet);
          packet.release();
        });
    assertThat(ByteBufUtil.hexDump(out))
        .isEqualTo("09000000180500000000006c6f09000000180500000000006e67");
    StmtExecute number = execute("00 01 0100 0300 07");
    assertThatThrownBy(() -> ExecuteParameters.decode(number, 2, null, longData))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void executionsThatCannotBeUnderstood() {
    assertViolation(execute(""), 1);
    assertViolation(execute("00 00 07"), 1);
    assertViolation(execute("00 01 01"), 1);
    assertViolation(execute("00 01 0300 0700"), 1);
    assertViolation(execute("00 01 f000 07"), 1);
    assertViolation(execute("00 01 0c00 05 00000000 00"), 1);
  }

  private static void assertViolation(StmtExecute command, int parameters) {
    assertThatThrownBy(() -> ExecuteParameters.decode(command, parameters, null, null))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void longDataAndFetch() {
    assertThat(decode("18 02000000 0100 616263"))
        .usingRecursiveComparison()
        .isEqualTo(new ClientCommand.StmtSendLongData(2, 1, utf8("abc")));
    assertThat(decode("1c 02000000 64000000")).isEqualTo(new ClientCommand.StmtFetch(2, 100));
    assertThat(decode("1b 0100")).isEqualTo(new ClientCommand.SetOption(1));
    assertThat(decode("0c 09000000")).isEqualTo(new ClientCommand.ProcessKill(9));
    assertThat(decode("04 7400 25")).isEqualTo(new ClientCommand.FieldList("t", "%"));
    assertThat(decode("09")).isEqualTo(new ClientCommand.Statistics());
    assertThat(decode("0a")).isEqualTo(new ClientCommand.ProcessInfo());
    assertThat(decode("0d")).isEqualTo(new ClientCommand.Debug());
    assertThat(decode("01")).isEqualTo(new ClientCommand.Quit());
    assertThat(decode("fb 00")).isEqualTo(new ClientCommand.Unknown(0xFB));
  }

  @Test
  void changeUser() {
    String attributes = "06 026f73 026c78";
    assertThat(decode("11 6d6500 02 aabb 646200 2d00 706c756700" + attributes))
        .usingRecursiveComparison()
        .isEqualTo(
            new ClientCommand.ChangeUser(
                "me", new byte[] {(byte) 0xAA, (byte) 0xBB}, "db", 45, "plug", Map.of("os", "lx")));
    assertThat(decode("11 6d6500 00 00"))
        .usingRecursiveComparison()
        .isEqualTo(new ClientCommand.ChangeUser("me", new byte[0], "", 0, null, Map.of()));
  }

  @Test
  void attributesCostLittle() {
    var many = new StringBuilder();
    for (int i = 0; i < 6000; i++) {
      many.append("06")
          .append(HexFormat.of().formatHex("n%05d".formatted(i).getBytes(StandardCharsets.UTF_8)))
          .append("00");
    }
    String length = "fc80bb"; // 48,000
    var few = (ClientCommand.ChangeUser) decode("11 6d6500 00 00 2d00 706c756700" + length + many);
    assertThat(few.attributes()).hasSize(32).containsKeys("n00000", "n00031");

    String value = "fd004000" + "78".repeat(0x4000);
    String longOne = "01 61 " + value + "02 6f73 02 6c78";
    var kept =
        (ClientCommand.ChangeUser) decode("11 6d6500 00 00 2d00 706c756700 fd0c4000" + longOne);
    assertThat(kept.attributes()).containsOnlyKeys("os");
  }

  @Test
  void attributesOfMoreThan64KiloBytesAreMalformed() {
    String value = "fd000001" + "78".repeat(0x10000);
    assertThatThrownBy(() -> decode("11 6d6500 00 00 2d00 706c756700 fd060001 01 61" + value))
        .isInstanceOf(ProtocolViolationException.class);
  }

  private static ClientCommand decode(String hex) {
    byte[] payload = HexFormat.of().parseHex(hex.replace(" ", ""));
    return ClientCommand.decode(
        Unpooled.wrappedBuffer(payload), CAPABILITIES, StandardCharsets.UTF_8);
  }

  private static StmtExecute execute(String hex) {
    byte[] parameters = HexFormat.of().parseHex(hex.replace(" ", ""));
    return new StmtExecute(1, 0, 1, parameters);
  }

  private static ClientCommand next(ByteBuf out) {
    int length = out.readUnsignedMediumLE();
    assertThat(out.readByte()).isZero();
    assertThat(out.readableBytes() + PacketWriter.HEADER_SIZE).isGreaterThan(length);
    return ClientCommand.decode(out.readSlice(length), CAPABILITIES, StandardCharsets.UTF_8);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
