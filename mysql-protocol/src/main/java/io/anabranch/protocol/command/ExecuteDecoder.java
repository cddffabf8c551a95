package io.anabranch.protocol.command;

import io.anabranch.protocol.command.ClientCommand.StmtExecute;
import io.anabranch.protocol.type.BinaryValue;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.protocol.type.LengthEncoded;
import io.anabranch.protocol.type.ProtocolViolationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parameters of COM_STMT_EXECUTE, which cannot be understood without the statement: how
 * many there are, which types an earlier execution gave, which values came as long data.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_execute.html">COM_STMT_EXECUTE</a>.
 */
public final class ExecuteDecoder {

  /** Flag: rows are fetched through a cursor. */
  public static final int CURSOR_READ_ONLY = 0x01;

  private static final int[] NO_TYPES = {};

  private ExecuteDecoder() {}

  /**
   * @param types of all parameters, to be given again with the next execution
   * @param typesSent whether the packet had types (new-params-bound)
   */
  public record Execution(List<StatementParameter> parameters, int[] types, boolean typesSent) {}

  /**
   * @param parameterCount of the statement
   * @param formerTypes of the latest execution that sent types; null before the first one
   * @param longData what COM_STMT_SEND_LONG_DATA gave, by parameter, null where nothing; such
   *     parameters have no value in the packet
   * @throws ProtocolViolationException if the packet is malformed, has no types although none are
   *     known, or one that is no string's for long data
   */
  public static Execution decode(
      StmtExecute command,
      int parameterCount,
      int @Nullable [] formerTypes,
      byte @Nullable [] @Nullable [] longData) {
    if (parameterCount == 0) {
      return new Execution(List.of(), NO_TYPES, false);
    }
    byte[] bytes = command.parameters();
    int bitmapLength = (parameterCount + 7) / 8;
    if (bytes.length < bitmapLength + 1) {
      throw truncated();
    }
    boolean typesSent = bytes[bitmapLength] != 0;
    int position = bitmapLength + 1;
    int[] types;
    if (typesSent) {
      types = readTypes(bytes, position, parameterCount);
      position += 2 * parameterCount;
    } else if (formerTypes != null && formerTypes.length == parameterCount) {
      types = formerTypes;
    } else {
      throw ProtocolViolationException.malformed("execution without parameter types");
    }
    var parameters = new ArrayList<StatementParameter>(parameterCount);
    for (int i = 0; i < parameterCount; i++) {
      byte @Nullable [] sentBefore = longData == null ? null : longData[i];
      if (sentBefore != null) {
        parameters.add(new StatementParameter(longDataType(types[i]), prefixed(sentBefore)));
      } else if ((bytes[i >> 3] & (1 << (i & 7))) != 0) {
        parameters.add(new StatementParameter(types[i], null));
      } else {
        int size = BinaryValue.size(ColumnType.of(types[i]), bytes, position);
        byte[] value = Arrays.copyOfRange(bytes, position, position + size);
        parameters.add(new StatementParameter(types[i], isNull(types[i]) ? null : value));
        position += size;
      }
    }
    return new Execution(List.copyOf(parameters), types, typesSent);
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
  private static int longDataType(int type) {
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
    return type;
  }

  private static boolean isNull(int type) {
    return (type & 0xFF) == ColumnType.NULL.code();
  }

  private static byte[] prefixed(byte[] value) {
    int size = LengthEncoded.size(value.length);
    byte[] result = new byte[size + value.length];
    LengthEncoded.write(result, 0, value.length);
    System.arraycopy(value, 0, result, size, value.length);
    return result;
  }

  private static ProtocolViolationException truncated() {
    return ProtocolViolationException.malformed("execution shorter than its parameters");
  }
}
