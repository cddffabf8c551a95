package io.anabranch.frontend.effect;

import io.anabranch.backend.lease.VariableValue;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.command.StatementParameter;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.protocol.type.LengthEncoded;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** User variables as parameters of a prepared statement, each of the type that it has. */
public final class BoundVariables {

  private static final int UNSIGNED = 0x8000;

  private BoundVariables() {}

  /**
   * @param names in lower case, one for each marker; null is no variable
   * @return null: one of the values cannot be sent as such, be it that the session's character set
   *     has not all of its characters
   */
  public static @Nullable ExecuteParameters of(List<@Nullable String> names, Session session) {
    var parameters = new StatementParameter[names.size()];
    Map<String, StatementParameter> known = new HashMap<>();
    for (int i = 0; i < parameters.length; i++) {
      String name = names.get(i);
      StatementParameter one =
          name == null ? null : known.computeIfAbsent(name, each -> of(each, session));
      if (one == null) {
        return null;
      }
      parameters[i] = one;
    }
    return ExecuteParameters.of(parameters);
  }

  private static @Nullable StatementParameter of(String name, Session session) {
    return switch (UserVariables.of(session, name)) {
      case VariableValue.Null _ -> new StatementParameter(ColumnType.NULL.code(), null);
      case VariableValue.Bytes bytes -> string(ColumnType.BLOB, bytes.bytes());
      case VariableValue.Text text -> text(session, text.text());
      case VariableValue.Unsigned(String digits) -> whole(Long.parseUnsignedLong(digits), UNSIGNED);
      case VariableValue.Whole(String digits) -> whole(Long.parseLong(digits), 0);
      case VariableValue.Decimal(String digits) ->
          string(ColumnType.NEWDECIMAL, digits.getBytes(StandardCharsets.US_ASCII));
      case VariableValue.Floating(String number) ->
          new StatementParameter(
              ColumnType.DOUBLE.code(),
              little(Double.doubleToLongBits(Double.parseDouble(number))));
      case VariableValue.Forgotten _ -> null;
    };
  }

  private static StatementParameter whole(long value, int flag) {
    return new StatementParameter(ColumnType.LONGLONG.code() | flag, little(value));
  }

  private static @Nullable StatementParameter text(Session session, @Nullable String text) {
    Charset charset = session.charset();
    return text != null && charset.newEncoder().canEncode(text)
        ? string(ColumnType.VAR_STRING, text.getBytes(charset))
        : null;
  }

  private static StatementParameter string(ColumnType type, byte[] content) {
    int size = LengthEncoded.size(content.length);
    byte[] encoded = new byte[size + content.length];
    LengthEncoded.write(encoded, 0, content.length);
    System.arraycopy(content, 0, encoded, size, content.length);
    return new StatementParameter(type.code(), encoded);
  }

  private static byte[] little(long value) {
    byte[] bytes = new byte[Long.BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (value >> (8 * i));
    }
    return bytes;
  }
}
