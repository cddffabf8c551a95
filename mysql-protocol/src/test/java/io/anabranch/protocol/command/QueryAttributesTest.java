package io.anabranch.protocol.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.protocol.command.ClientCommand.StmtExecute;
import io.anabranch.protocol.command.QueryAttributes.Attribute;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QueryAttributesTest {

  /** Two: {@code n} = NULL, {@code s} = 'hi', as MySQL Connector/Python sends them. */
  private static final byte[] TWO = {
    3, // COM_QUERY
    2,
    1, // values, sets of them
    0b01,
    1, // NULL bitmap, types follow
    (byte) 253,
    0,
    1,
    'n',
    (byte) 254,
    0,
    1,
    's', // types and names
    2,
    'h',
    'i'
  };

  private static ByteBuf query(byte[] head, String text) {
    return Unpooled.buffer().writeBytes(head).writeBytes(text.getBytes(UTF_8));
  }

  private static Attribute found(QueryAttributes attributes, String name) {
    return requireNonNull(attributes.find(name, UTF_8));
  }

  @Test
  void areTakenOutOfAQuery() {
    ByteBuf payload = query(TWO, "SELECT 1");
    QueryAttributes attributes = QueryAttributes.take(payload);
    assertThat(payload.toString(UTF_8)).isEqualTo("\u0003SELECT 1");
    Attribute text = found(attributes, "S");
    assertThat(text.type()).isEqualTo(254);
    assertThat(text.value()).containsExactly(2, 'h', 'i');
    assertThat(found(attributes, "n").value()).isNull();
    assertThat(attributes.find("x", UTF_8)).isNull();
  }

  @Test
  void aQueryMayHaveNone() {
    ByteBuf payload = query(new byte[] {3, 0, 1}, "SELECT 1");
    assertThat(QueryAttributes.take(payload).isEmpty()).isTrue();
    assertThat(payload.toString(UTF_8)).isEqualTo("\u0003SELECT 1");
  }

  @Test
  void everyCutHeadIsMalformed() {
    for (int length = 1; length < TWO.length; length++) {
      ByteBuf payload = Unpooled.copiedBuffer(TWO, 0, length);
      assertThatThrownBy(() -> QueryAttributes.take(payload))
          .as("%d bytes", length)
          .isInstanceOf(ProtocolViolationException.class);
    }
  }

  @Test
  void whatComesInNoOrderIsRefusedOrRead() {
    var random = new Random(17);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      ByteBuf payload = Unpooled.buffer().writeByte(3).writeBytes(bytes);
      try {
        QueryAttributes.take(payload);
        assertThat(payload.getByte(payload.readerIndex())).isEqualTo((byte) 3);
      } catch (ProtocolViolationException malformed) {
        assertThat(malformed).isNotNull();
      }
    }
  }

  @Test
  void oneSetOfValuesIsAll() {
    assertThatThrownBy(() -> QueryAttributes.take(query(new byte[] {3, 0, 2}, "SELECT 1")))
        .isInstanceOf(ProtocolViolationException.class);
  }

  /** Clients of servers before 8.0.26 do not flag it. */
  @Test
  void aStatementWithParametersHasACountWithoutAFlag() {
    byte[] rest = {1, 0, 1, 8, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0};
    QueryAttributes.Execution taken =
        QueryAttributes.take(new StmtExecute(7, 0, 1, rest), 1, null, null);
    assertThat(taken.command().parameters()).containsExactly(0, 1, 8, 0, 5, 0, 0, 0, 0, 0, 0, 0);
    assertThat(taken.attributes().isEmpty()).isTrue();
    byte[] none = {};
    assertThat(
            QueryAttributes.take(new StmtExecute(7, 0, 1, none), 0, null, null)
                .command()
                .parameters())
        .isEmpty();
  }

  @Test
  void areTakenOutOfAnExecution() {
    byte[] rest = {
      2, // values
      0,
      1, // NULL bitmap, types follow
      8,
      0,
      0,
      (byte) 254,
      0,
      1,
      's', // BIGINT without a name, a text called s
      5,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      2,
      'h',
      'i'
    };
    var command = new StmtExecute(7, QueryAttributes.PARAMETER_COUNT_AVAILABLE | 1, 1, rest);
    QueryAttributes.Execution taken = QueryAttributes.take(command, 1, null, null);
    assertThat(taken.command().flags()).isEqualTo(1);
    assertThat(taken.command().parameters()).containsExactly(0, 1, 8, 0, 5, 0, 0, 0, 0, 0, 0, 0);
    assertThat(taken.attributes().find("s", UTF_8)).isNotNull();
    ExecuteParameters parameters = ExecuteParameters.decode(taken.command(), 1, null, null);
    assertThat(parameters.value(0)).containsExactly(5, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void anExecutionMayReuseTypes() {
    byte[] rest = {1, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0};
    var command = new StmtExecute(7, QueryAttributes.PARAMETER_COUNT_AVAILABLE, 1, rest);
    QueryAttributes.Execution taken = QueryAttributes.take(command, 1, new int[] {8}, null);
    assertThat(taken.command().parameters()).containsExactly(0, 0, 5, 0, 0, 0, 0, 0, 0, 0);
    assertThatThrownBy(() -> QueryAttributes.take(command, 1, null, null))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void valuesThatCameAheadAreNotInThePacket() {
    byte[] rest = {2, 0, 1, (byte) 252, 0, 0, (byte) 254, 0, 1, 's', 2, 'h', 'i'};
    var command = new StmtExecute(7, QueryAttributes.PARAMETER_COUNT_AVAILABLE, 1, rest);
    var ahead = new LongValue[] {new LongValue()};
    QueryAttributes.Execution taken = QueryAttributes.take(command, 1, null, ahead);
    assertThat(taken.command().parameters()).containsExactly(0, 1, (byte) 252, 0);
    assertThat(found(taken.attributes(), "s").value()).containsExactly(2, 'h', 'i');
  }

  @Test
  void fewerValuesThanParametersAreMalformed() {
    var command = new StmtExecute(7, QueryAttributes.PARAMETER_COUNT_AVAILABLE, 1, new byte[] {0});
    assertThat(QueryAttributes.take(command, 0, null, null).command().parameters()).isEmpty();
    assertThatThrownBy(() -> QueryAttributes.take(command, 1, null, null))
        .isInstanceOf(ProtocolViolationException.class);
  }
}
