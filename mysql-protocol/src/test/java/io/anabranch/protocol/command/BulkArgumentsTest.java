package io.anabranch.protocol.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.protocol.command.ClientCommand.StmtBulkExecute;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BulkArgumentsTest {

  /** Two rows of an INT: 7, NULL. */
  private static final byte[] ROWS = {0, 7, 0, 0, 0, 1};

  private static StmtBulkExecute decoded(int flags, byte[] rest) {
    ByteBuf payload = Unpooled.buffer();
    payload.writeByte(0xFA).writeIntLE(5).writeShortLE(flags).writeBytes(rest);
    return (StmtBulkExecute) ClientCommand.decode(payload, 0, StandardCharsets.UTF_8);
  }

  @Test
  void typesAreKeptForTheNextExecution() {
    StmtBulkExecute command = decoded(128, new byte[] {3, (byte) 0x80, 0, 7, 0, 0, 0, 1});
    BulkArguments first = BulkArguments.decode(command, 1, null);
    assertThat(command.statementId()).isEqualTo(5);
    assertThat(first.types()).containsExactly(0x8003);
    assertThat(first.bytes()).containsExactly(0x80, 0, 3, 0x80, 0, 7, 0, 0, 0, 1);

    BulkArguments second = BulkArguments.decode(decoded(64, ROWS), 1, first.types());
    assertThat(second.types()).containsExactly(0x8003);
    assertThat(second.bytes()).containsExactly(0xC0, 0, 3, 0x80, 0, 7, 0, 0, 0, 1);
  }

  @Test
  void withoutTypesNobodyKnowsWhatTheRowsMean() {
    assertThatThrownBy(() -> BulkArguments.decode(decoded(0, ROWS), 1, null))
        .isInstanceOf(ProtocolViolationException.class);
    assertThatThrownBy(() -> BulkArguments.decode(decoded(0, ROWS), 1, new int[] {3, 3}))
        .isInstanceOf(ProtocolViolationException.class);
    assertThatThrownBy(() -> BulkArguments.decode(decoded(128, new byte[] {3}), 1, null))
        .isInstanceOf(ProtocolViolationException.class);
  }
}
