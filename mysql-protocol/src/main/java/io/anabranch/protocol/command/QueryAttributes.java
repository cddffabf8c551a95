package io.anabranch.protocol.command;

import io.anabranch.protocol.type.BinaryValue;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.LengthEncoded;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Named values that a client of MySQL sends along with a statement, for functions of the server to
 * read: CLIENT_QUERY_ATTRIBUTES. They are taken out of their command, which is then as one of a
 * client without that capability. Immutable.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query.html">COM_QUERY</a>
 * and <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_execute.html">COM_STMT_EXECUTE</a>.
 */
public final class QueryAttributes {

  public static final QueryAttributes NONE = new QueryAttributes(List.of());

  /**
   * Flag of COM_STMT_EXECUTE: it says how many values come, those of attributes among them, also of
   * a statement without parameters.
   */
  public static final int PARAMETER_COUNT_AVAILABLE = 0x08;

  private static final long ONE_SET = 1;

  /** A TIME with microseconds and the byte that says how long it is. */
  private static final int LONGEST_FIXED = 13;

  private final List<Attribute> all;

  private QueryAttributes(List<Attribute> all) {
    this.all = List.copyOf(all);
  }

  /**
   * One of them.
   *
   * @param name in the client's character set
   * @param type column type code (low byte) and the unsigned flag (0x8000)
   * @param value in the binary encoding, its length prefix included where the type has one; null
   *     for NULL
   */
  @SuppressWarnings("ArrayRecordComponent") // read only, and never compared
  public record Attribute(byte[] name, int type, byte @Nullable [] value) {}

  /** An execution without its attributes, and these. */
  public record Execution(ClientCommand.StmtExecute command, QueryAttributes attributes) {}

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /**
   * The first one of that name, whatever its case; null: there is none.
   *
   * @param charset the client's
   */
  public @Nullable Attribute find(String name, Charset charset) {
    for (Attribute each : all) {
      if (new String(each.name(), charset).equalsIgnoreCase(name)) {
        return each;
      }
    }
    return null;
  }

  /**
   * Takes them out of a COM_QUERY: the payload then has its first byte and the text.
   *
   * @param payload is written to
   * @throws ProtocolViolationException if it is malformed
   */
  public static QueryAttributes take(ByteBuf payload) {
    int code = Fields.readInt1(payload);
    int count = count(payload);
    if (LengthEncoded.readLong(payload) != ONE_SET) {
      throw ProtocolViolationException.malformed("a query with several sets of attributes");
    }
    QueryAttributes attributes = NONE;
    if (count > 0) {
      byte[] nulls = Fields.readBytes(payload, bitmapLength(count));
      if (Fields.readInt1(payload) == 0) {
        throw ProtocolViolationException.malformed("attributes without types");
      }
      attributes = new QueryAttributes(values(payload, types(payload, count), nulls, 0));
    }
    int start = payload.readerIndex() - 1;
    payload.setByte(start, code).readerIndex(start);
    return attributes;
  }

  /**
   * Takes them out of an execution.
   *
   * @param parameterCount of the statement
   * @param formerTypes of the latest execution that sent types; null before the first one
   * @param ahead values that came as long data, by parameter; null: none did
   * @throws ProtocolViolationException if it is malformed
   */
  public static Execution take(
      ClientCommand.StmtExecute command,
      int parameterCount,
      int @Nullable [] formerTypes,
      @Nullable LongValue @Nullable [] ahead) {
    ByteBuf in = Unpooled.wrappedBuffer(command.parameters());
    boolean isCounted = parameterCount > 0 || (command.flags() & PARAMETER_COUNT_AVAILABLE) != 0;
    int count = isCounted ? count(in) : parameterCount;
    if (count < parameterCount) {
      throw ProtocolViolationException.malformed("fewer values than parameters");
    }
    if (count == 0) {
      return new Execution(of(command, new byte[0]), NONE);
    }
    byte[] nulls = Fields.readBytes(in, bitmapLength(count));
    int hasTypes = Fields.readInt1(in);
    List<Attribute> types = hasTypes == 0 ? former(formerTypes, count) : types(in, count);
    int from = in.readerIndex();
    List<Attribute> parameters = types.subList(0, parameterCount);
    for (int i = 0; i < parameterCount; i++) {
      boolean isAbsent = isNull(nulls, i) || (ahead != null && ahead[i] != null);
      if (!isAbsent) {
        value(in, parameters.get(i).type());
      }
    }
    byte[] values = Arrays.copyOfRange(command.parameters(), from, in.readerIndex());
    List<Attribute> attributes =
        values(in, types.subList(parameterCount, count), nulls, parameterCount);
    ByteBuf plain = Unpooled.buffer(nulls.length + 1 + 2 * parameterCount + values.length);
    if (parameterCount > 0) {
      plain.writeBytes(firstBits(nulls, parameterCount)).writeByte(hasTypes);
      if (hasTypes != 0) {
        parameters.forEach(each -> plain.writeShortLE(each.type()));
      }
      plain.writeBytes(values);
    }
    return new Execution(of(command, Fields.readRest(plain)), new QueryAttributes(attributes));
  }

  private static ClientCommand.StmtExecute of(ClientCommand.StmtExecute command, byte[] rest) {
    int flags = command.flags() & ~PARAMETER_COUNT_AVAILABLE;
    return new ClientCommand.StmtExecute(command.statementId(), flags, command.iterations(), rest);
  }

  /** Each value takes a bit at least: a count beyond that is none, whatever memory it asks for. */
  private static int count(ByteBuf in) {
    long count = LengthEncoded.readLong(in);
    if (count < 0 || count > 8L * in.readableBytes()) {
      throw ProtocolViolationException.malformed("shorter than its values");
    }
    return (int) count;
  }

  /** Types and names, without values. */
  private static List<Attribute> types(ByteBuf in, int count) {
    var types = new ArrayList<Attribute>();
    for (int i = 0; i < count; i++) {
      int type = Fields.readInt2(in);
      types.add(new Attribute(LengthEncoded.readBytes(in), type, null));
    }
    return types;
  }

  private static List<Attribute> former(int @Nullable [] types, int count) {
    if (types == null || types.length != count) {
      throw ProtocolViolationException.malformed("execution without parameter types");
    }
    var former = new ArrayList<Attribute>();
    for (int type : types) {
      former.add(new Attribute(new byte[0], type, null));
    }
    return former;
  }

  private static List<Attribute> values(
      ByteBuf in, List<Attribute> types, byte[] nulls, int firstBit) {
    var values = new ArrayList<Attribute>();
    for (int i = 0; i < types.size(); i++) {
      Attribute type = types.get(i);
      byte[] value = isNull(nulls, firstBit + i) ? null : value(in, type.type());
      values.add(new Attribute(type.name(), type.type(), value));
    }
    return values;
  }

  /** Null for the type of NULL. */
  private static byte @Nullable [] value(ByteBuf in, int type) {
    ColumnType known = ColumnType.of(type);
    int from = in.readerIndex();
    return switch (known.encoding()) {
      case NOTHING -> null;
      case LENGTH_ENCODED -> {
        int length = LengthEncoded.readLength(in);
        if (length == LengthEncoded.NULL) {
          throw ProtocolViolationException.malformed("NULL as a binary value");
        }
        int prefix = in.readerIndex() - from;
        yield Fields.readBytes(in.readerIndex(from), prefix + length);
      }
      case INT1, INT2, INT4, INT8, FLOAT, DOUBLE, DATE_TIME, TIME -> {
        byte[] start = new byte[Math.min(in.readableBytes(), LONGEST_FIXED)];
        in.getBytes(from, start);
        yield Fields.readBytes(in, BinaryValue.size(known, start, 0));
      }
    };
  }

  private static int bitmapLength(int count) {
    return (count + 7) / 8;
  }

  private static boolean isNull(byte[] nulls, int bit) {
    return (nulls[bit >> 3] & 1 << (bit & 7)) != 0;
  }

  private static byte[] firstBits(byte[] nulls, int count) {
    byte[] first = Arrays.copyOf(nulls, bitmapLength(count));
    if ((count & 7) != 0) {
      first[first.length - 1] &= (byte) ((1 << (count & 7)) - 1);
    }
    return first;
  }
}
