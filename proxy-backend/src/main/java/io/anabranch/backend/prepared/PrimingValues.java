package io.anabranch.backend.prepared;

import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.command.StatementParameter;
import io.anabranch.protocol.parameter.ParameterKind;
import io.anabranch.protocol.type.ColumnType;
import org.jspecify.annotations.Nullable;

/** Values that count for their types alone: no day where they are numbers or texts. */
final class PrimingValues {

  private static final int UNSIGNED = 0x8000;

  private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};
  private static final byte[] ONE_FLOATING = {0, 0, 0, 0, 0, 0, (byte) 0xF0, 0x3F};

  /** 2000-01-01: statements with days that are none may not be prepared. */
  private static final byte[] NEW_YEAR = {4, (byte) 0xD0, 7, 1, 1};

  private PrimingValues() {}

  /**
   * @param kinds {@link ParameterKind}s by parameter
   */
  static ExecuteParameters of(byte[] kinds) {
    var values = new StatementParameter[kinds.length];
    for (int i = 0; i < kinds.length; i++) {
      values[i] = of(kinds[i]);
    }
    return ExecuteParameters.of(values);
  }

  private static StatementParameter of(byte kind) {
    return switch (kind) {
      case ParameterKind.SIGNED, ParameterKind.YEAR -> of(ColumnType.LONGLONG, 0, ONE);
      case ParameterKind.UNSIGNED, ParameterKind.BIT -> of(ColumnType.LONGLONG, UNSIGNED, ONE);
      case ParameterKind.DECIMAL -> of(ColumnType.NEWDECIMAL, 0, new byte[] {1, '1'});
      case ParameterKind.DOUBLE -> of(ColumnType.DOUBLE, 0, ONE_FLOATING);
      case ParameterKind.DATE -> of(ColumnType.DATE, 0, NEW_YEAR);
      case ParameterKind.TIME -> of(ColumnType.TIME, 0, new byte[1]);
      case ParameterKind.DATETIME -> of(ColumnType.DATETIME, 0, NEW_YEAR);
      case ParameterKind.TEXT -> of(ColumnType.VAR_STRING, 0, new byte[1]);
      case ParameterKind.BYTES -> of(ColumnType.BLOB, 0, new byte[1]);
      default -> of(ColumnType.NULL, 0, null);
    };
  }

  private static StatementParameter of(ColumnType type, int flag, byte @Nullable [] value) {
    return new StatementParameter(type.code() | flag, value);
  }
}
