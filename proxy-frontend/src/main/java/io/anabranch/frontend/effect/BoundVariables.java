package io.anabranch.frontend.effect;

import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.command.StatementParameter;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.protocol.type.LengthEncoded;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** User variables as parameters of a prepared statement, each of the type that it has. */
public final class BoundVariables {

  private static final int UNSIGNED = 0x8000;
  private static final Pattern FLOATING = Pattern.compile("-?[\\d.]+[eE][-+]?\\d+");

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
    String value = UserVariables.kept(session, name);
    if (value.equals(UserVariables.NULL)) {
      return new StatementParameter(ColumnType.NULL.code(), null);
    }
    if (value.indexOf('\'') >= 0) {
      return value.startsWith("x'") ? bytes(value) : text(session, name);
    }
    if (UserVariables.isUnsigned(session, name)) {
      return whole(Long.parseUnsignedLong(value), UNSIGNED);
    }
    if (UserVariables.WHOLE.matcher(value).matches()) {
      return whole(Long.parseLong(value), 0);
    }
    if (UserVariables.FIXED.matcher(value).matches()) {
      String digits = value.endsWith(".") ? value.substring(0, value.length() - 1) : value;
      return string(ColumnType.NEWDECIMAL, digits.getBytes(StandardCharsets.US_ASCII));
    }
    return FLOATING.matcher(value).matches()
        ? new StatementParameter(
            ColumnType.DOUBLE.code(), little(Double.doubleToLongBits(Double.parseDouble(value))))
        : null;
  }

  private static StatementParameter whole(long value, int flag) {
    return new StatementParameter(ColumnType.LONGLONG.code() | flag, little(value));
  }

  private static StatementParameter bytes(String value) {
    return string(ColumnType.BLOB, HexFormat.of().parseHex(value, 2, value.length() - 1));
  }

  private static @Nullable StatementParameter text(Session session, String name) {
    String text = UserVariables.text(session, name);
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
