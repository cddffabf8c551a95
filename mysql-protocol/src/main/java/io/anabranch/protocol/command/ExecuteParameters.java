package io.anabranch.protocol.command;

import io.anabranch.protocol.command.ClientCommand.StmtExecute;
import io.anabranch.protocol.parameter.NumberText;
import io.anabranch.protocol.parameter.ParameterKind;
import io.anabranch.protocol.parameter.TypeHistory;
import io.anabranch.protocol.parameter.TypedParameters;
import io.anabranch.protocol.type.BinaryValue;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.protocol.type.LengthEncoded;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one COM_STMT_EXECUTE, as they came: a bitmap of those that are NULL, types, and
 * values that are looked up where they stand, so that passing all of them on is a copy; values that
 * came ahead go ahead. The packet alone does not tell them: how many there are, which types an
 * earlier execution gave and which values came as long data is known of the statement.
 *
 * <p>Immutable.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_execute.html">COM_STMT_EXECUTE</a>.
 */
public final class ExecuteParameters implements TypedParameters {

  /** Flag of the command: rows are fetched through a cursor. */
  public static final int CURSOR_READ_ONLY = 0x01;

  private static final int TYPES_FOLLOW = 1;

  /** Of a string, to tell whether it is a time. */
  private static final int MOST_WRITTEN = 64;

  /** Command, statement, cursor, iterations, and whether types follow. */
  private static final long COMMAND_BYTES = 11;

  /** Of statements without parameters. */
  public static final ExecuteParameters NONE =
      new ExecuteParameters(new byte[0], new int[0], new int[1]);

  /** The bitmap first; values from the first of {@code starts} on. */
  private final byte[] bytes;

  private final int[] types;

  /** Where each value starts, and where the last one ends. NULL takes nothing. */
  private final int[] starts;

  private final @Nullable TypeHistory history;

  /** By parameter; null: all are in the packet. */
  private final @Nullable LongValue @Nullable [] ahead;

  private ExecuteParameters(byte[] bytes, int[] types, int[] starts) {
    this(bytes, types, starts, null, null);
  }

  private ExecuteParameters(
      byte[] bytes,
      int[] types,
      int[] starts,
      @Nullable LongValue @Nullable [] ahead,
      @Nullable TypeHistory history) {
    this.bytes = bytes;
    this.types = types;
    this.starts = starts;
    this.ahead = ahead;
    this.history = history;
  }

  /** The same, of the next execution of a client's statement. */
  public ExecuteParameters of(TypeHistory statement) {
    statement.begin();
    return types.length == 0 ? this : new ExecuteParameters(bytes, types, starts, ahead, statement);
  }

  /** {@link TypeHistory#settled} of the client's statement, where it has a history. */
  public byte settled(int parameter) {
    return history == null ? ParameterKind.NULL : history.settled(parameter);
  }

  /** What former executions of the client's statement have left; null: it has none. */
  public @Nullable TypeHistory history() {
    return history;
  }

  /**
   * @param command its bytes are taken over
   * @param parameterCount of the statement
   * @param formerTypes of the latest execution that sent types; null before the first one
   * @param longData what COM_STMT_SEND_LONG_DATA gave, by parameter, null where nothing; such
   *     parameters have no value in the packet
   * @throws ProtocolViolationException if the packet is malformed, has no types although none are
   *     known, or one that is no string's for long data
   */
  public static ExecuteParameters decode(
      StmtExecute command,
      int parameterCount,
      int @Nullable [] formerTypes,
      @Nullable LongValue @Nullable [] longData) {
    if (parameterCount == 0) {
      return NONE;
    }
    byte[] bytes = command.parameters();
    int bitmapLength = bitmapLength(parameterCount);
    if (bytes.length < bitmapLength + 1) {
      throw truncated();
    }
    int position = bitmapLength + 1;
    int[] types;
    if (bytes[bitmapLength] != 0) {
      types = readTypes(bytes, position, parameterCount);
      position += 2 * parameterCount;
    } else if (formerTypes != null && formerTypes.length == parameterCount) {
      types = formerTypes;
    } else {
      throw ProtocolViolationException.malformed("execution without parameter types");
    }
    return read(bytes, types, position, longData);
  }

  private static ExecuteParameters read(
      byte[] bytes, int[] types, int from, @Nullable LongValue @Nullable [] ahead) {
    int[] starts = new int[types.length + 1];
    int position = from;
    for (int i = 0; i < types.length; i++) {
      starts[i] = position;
      if (ahead != null && ahead[i] != null) {
        checkLongData(types[i]);
        clearNull(bytes, i);
      } else if (isNull(types[i])) {
        setNull(bytes, i);
      } else if (!isNull(bytes, i)) {
        position += BinaryValue.size(ColumnType.of(types[i]), bytes, position);
      }
    }
    starts[types.length] = position;
    return new ExecuteParameters(bytes, types, starts, ahead, null);
  }

  /** Those of an execution of the proxy's own. */
  public static ExecuteParameters of(StatementParameter... parameters) {
    var builder = new Builder(parameters.length);
    for (StatementParameter each : parameters) {
      builder.add(each.type(), each.value());
    }
    return builder.build();
  }

  private static final class Builder {
    private final int[] types;
    private final int[] starts;
    private byte[] bytes;
    private int count;
    private int end;

    Builder(int parameterCount) {
      types = new int[parameterCount];
      starts = new int[parameterCount + 1];
      end = bitmapLength(parameterCount);
      bytes = new byte[end + 16 * parameterCount];
    }

    void add(int type, byte @Nullable [] value) {
      types[count] = type;
      starts[count] = end;
      if (value == null) {
        setNull(bytes, count);
      } else {
        int needed = Math.addExact(end, value.length);
        if (needed > bytes.length) {
          bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
        }
        System.arraycopy(value, 0, bytes, end, value.length);
        end = needed;
      }
      starts[++count] = end;
    }

    ExecuteParameters build() {
      return new ExecuteParameters(bytes, types, starts);
    }
  }

  static int[] readTypes(byte[] bytes, int position, int count) {
    if (bytes.length - position < 2 * count) {
      throw truncated();
    }
    int[] types = new int[count];
    for (int i = 0; i < count; i++) {
      int at = position + 2 * i;
      types[i] = (bytes[at] & 0xFF) | ((bytes[at + 1] & 0xFF) << 8);
    }
    return types;
  }

  /** Long data is for strings. */
  private static void checkLongData(int type) {
    ColumnType of = ColumnType.of(type);
    boolean isString =
        of.encoding() == ColumnType.Encoding.LENGTH_ENCODED
            && switch (of) {
              case DECIMAL, NEWDECIMAL, BIT -> false;
              default -> true;
            };
    if (!isString) {
      throw ProtocolViolationException.malformed("long data of a parameter of type " + of);
    }
  }

  private static byte[] prefixed(byte[] value) {
    int size = LengthEncoded.size(value.length);
    byte[] result = new byte[size + value.length];
    LengthEncoded.write(result, 0, value.length);
    System.arraycopy(value, 0, result, size, value.length);
    return result;
  }

  private static int bitmapLength(int parameterCount) {
    return (parameterCount + 7) / 8;
  }

  private static boolean isNull(byte[] bytes, int parameter) {
    return (bytes[parameter >> 3] & 1 << (parameter & 7)) != 0;
  }

  private static void setNull(byte[] bytes, int parameter) {
    bytes[parameter >> 3] |= (byte) (1 << (parameter & 7));
  }

  private static void clearNull(byte[] bytes, int parameter) {
    bytes[parameter >> 3] &= (byte) ~(1 << (parameter & 7));
  }

  private static boolean isNull(int type) {
    return (type & 0xFF) == ColumnType.NULL.code();
  }

  private static ProtocolViolationException truncated() {
    return ProtocolViolationException.malformed("execution shorter than its parameters");
  }

  @Override
  public int count() {
    return types.length;
  }

  @Override
  public byte kind(int parameter) {
    return isNull(bytes, parameter) ? ParameterKind.NULL : ParameterKind.sent(types[parameter]);
  }

  @Override
  public NumberText number(int parameter) {
    LongValue sentBefore = longValue(parameter);
    if (sentBefore != null) {
      return NumberText.of(sentBefore.joined(), 0, sentBefore.length());
    }
    int start = starts[parameter];
    int end = starts[parameter + 1];
    return NumberText.of(bytes, start + LengthEncoded.sizeAt(bytes, start), end);
  }

  @Override
  public @Nullable String written(int parameter) {
    byte[] value = content(parameter);
    if (value == null) {
      return null;
    }
    return switch (kind(parameter)) {
      case ParameterKind.TEXT, ParameterKind.BYTES, ParameterKind.DECIMAL ->
          new String(value, 0, Math.min(value.length, MOST_WRITTEN), StandardCharsets.ISO_8859_1);
      case ParameterKind.SIGNED -> Long.toString(signed(value));
      case ParameterKind.UNSIGNED -> Long.toUnsignedString(unsigned(value));
      case ParameterKind.DOUBLE -> floating(value);
      default -> null;
    };
  }

  private static long signed(byte[] littleEndian) {
    int unused = Long.SIZE - Byte.SIZE * littleEndian.length;
    return unsigned(littleEndian) << unused >> unused;
  }

  private static long unsigned(byte[] littleEndian) {
    long value = 0;
    for (int i = littleEndian.length - 1; i >= 0; i--) {
      value = value << Byte.SIZE | (littleEndian[i] & 0xFF);
    }
    return value;
  }

  private static @Nullable String floating(byte[] littleEndian) {
    long bits = unsigned(littleEndian);
    double value =
        littleEndian.length == Float.BYTES
            ? Float.intBitsToFloat((int) bits)
            : Double.longBitsToDouble(bits);
    return Double.isFinite(value) ? new BigDecimal(value).toPlainString() : null;
  }

  /** The value that came ahead; null: it is in the packet. */
  public @Nullable LongValue longValue(int parameter) {
    return ahead == null ? null : ahead[parameter];
  }

  /** Bytes of the values that came in the packet, about. */
  public int length() {
    return starts[types.length];
  }

  /** Whether values came ahead. */
  public boolean hasLongValues() {
    return ahead != null;
  }

  /**
   * Whether COM_STMT_EXECUTE with those parameters is shorter than so many bytes.
   *
   * @param wanted indexes, from 0
   */
  public boolean areShorter(int[] wanted, long limit) {
    long each = starts[types.length];
    if (COMMAND_BYTES + wanted.length * (each + 3) < limit) {
      return true;
    }
    long length = COMMAND_BYTES + bitmapLength(wanted.length) + 2L * wanted.length;
    for (int parameter : wanted) {
      length += starts[parameter + 1] - starts[parameter];
    }
    return length < limit;
  }

  /** Types of all, to be given again with the next execution. Not to be modified. */
  public int[] types() {
    return types;
  }

  /** Column type code (low byte) and the unsigned flag (0x8000). */
  public int type(int parameter) {
    return types[parameter];
  }

  /** A copy of the value alone, without a length prefix; null for NULL. */
  public byte @Nullable [] content(int parameter) {
    byte[] value = value(parameter);
    if (value == null) {
      return null;
    }
    int prefix = BinaryValue.prefixSize(ColumnType.of(type(parameter)), value, 0);
    return Arrays.copyOfRange(value, prefix, value.length);
  }

  /** A copy of the binary encoding, its length prefix included where the type has one; or null. */
  public byte @Nullable [] value(int parameter) {
    LongValue sentBefore = longValue(parameter);
    if (sentBefore != null) {
      return prefixed(sentBefore.joined());
    }
    return isNull(bytes, parameter)
        ? null
        : Arrays.copyOfRange(bytes, starts[parameter], starts[parameter + 1]);
  }

  /**
   * Writes them with their types, as they follow the head of the command.
   *
   * @param wanted indices of those to write, in their order
   */
  void writeTo(ByteBuf out, int[] wanted) {
    if (isAll(wanted)) {
      out.writeBytes(bytes, 0, bitmapLength(types.length)).writeByte(TYPES_FOLLOW);
      for (int type : types) {
        out.writeShortLE(type);
      }
      out.writeBytes(bytes, starts[0], starts[types.length] - starts[0]);
      return;
    }
    int bitmap = out.writerIndex();
    out.writeZero(bitmapLength(wanted.length)).writeByte(TYPES_FOLLOW);
    for (int parameter : wanted) {
      out.writeShortLE(types[parameter]);
    }
    for (int i = 0; i < wanted.length; i++) {
      int parameter = wanted[i];
      if (isNull(bytes, parameter)) {
        int at = bitmap + (i >> 3);
        out.setByte(at, out.getByte(at) | 1 << (i & 7));
      } else {
        out.writeBytes(bytes, starts[parameter], starts[parameter + 1] - starts[parameter]);
      }
    }
  }

  private boolean isAll(int[] wanted) {
    if (wanted.length != types.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i] != i) {
        return false;
      }
    }
    return true;
  }
}
