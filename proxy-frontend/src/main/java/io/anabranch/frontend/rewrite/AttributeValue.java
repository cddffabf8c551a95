package io.anabranch.frontend.rewrite;

import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.command.QueryAttributes.Attribute;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Scan.SlotKind;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.value.BinaryValues;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.SqlValue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;

/**
 * {@code mysql_query_attribute_string('name')}, which reads what a client has sent along with its
 * statement. Connections to databases are lent to many sessions and carry no attributes: the value
 * stands in the text. See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/query-attributes.html">Query Attributes</a>.
 */
final class AttributeValue {

  static final String FUNCTION = "mysql_query_attribute_string";

  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

  /** What the function gives at most, and no more than up to the first NUL. */
  private static final int MOST_BYTES = 1023;

  /** Bytes of a TIME without a fraction. */
  private static final int SECONDS_ONLY = 8;

  private AttributeValue() {}

  /** The token behind the call; {@code token} if there is none. */
  static int end(SqlTokens tokens, int token) {
    boolean isCall =
        tokens.isWord(token, FUNCTION)
            && tokens.isPunctuation(token + 1, '(')
            && !tokens.isPunctuation(token - 1, '.');
    return isCall ? tokens.closing(token + 1) + 1 : token;
  }

  /**
   * What the call gives, as a literal.
   *
   * @param end of the call at {@code token}
   * @throws io.anabranch.rules.error.RefusedException if the client has sent some, and which one is
   *     meant is computed
   */
  static String literal(SqlTokens tokens, int token, int end, Session session) {
    if (session.queryAttributes().isEmpty()) {
      return "NULL";
    }
    int name = token + 2;
    if (tokens.kind(name) != TokenKind.STRING || end != name + 2) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a query attribute whose name is computed", "write the name as a string");
    }
    Attribute found =
        session.queryAttributes().find(nameAt(tokens, name, session), session.charset());
    if (found == null) {
      return "NULL";
    }
    byte[] value = found.value();
    return value != null && ColumnType.of(found.type()) == ColumnType.TIME
        ? literal(time(value))
        : literal(BinaryValues.of(found.type(), value, session.charset()), session);
  }

  /** Servers show all six decimals. */
  private static String time(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    int length = in.get();
    boolean isNegative = length > 0 && in.get() != 0;
    long hours = length > 0 ? 24L * in.getInt() + in.get() : 0;
    int minutes = length > 0 ? in.get() : 0;
    int seconds = length > 0 ? in.get() : 0;
    int micros = length > SECONDS_ONLY ? in.getInt() : 0;
    return "%s%02d:%02d:%02d.%06d"
        .formatted(isNegative ? "-" : "", hours, minutes, seconds, micros);
  }

  private static String nameAt(SqlTokens tokens, int token, Session session) {
    byte[] sql = tokens.text(token).getBytes(session.charset());
    SqlValue name =
        Literals.of(SlotKind.STRING, sql, 0, sql.length, session.charset(), session.lexerMode());
    return name instanceof SqlValue.Text(String text) ? text : tokens.name(token);
  }

  private static String literal(SqlValue value, Session session) {
    return switch (value) {
      case SqlValue.Null.NULL -> "NULL";
      case SqlValue.Text(String text) -> literal(text);
      case SqlValue.Bytes(byte[] bytes, boolean _) -> literal(new String(bytes, session.charset()));
      case SqlValue.Int(long number) -> literal(Long.toString(number));
      case SqlValue.Decimal(var number) -> literal(number.toPlainString());
      case SqlValue.Date(var day) -> literal(day.toString());
      case SqlValue.DateTime(var moment) -> literal(MOMENT.format(moment));
      // servers write such numbers in their own way
      case SqlValue.Floating(double number) ->
          "CAST(" + number + (Double.toString(number).indexOf('E') < 0 ? "E0" : "") + " AS CHAR)";
      case SqlValue.Unknown.UNKNOWN ->
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "a query attribute of this type", "send it as a string");
    };
  }

  private static String literal(String text) {
    int nul = text.indexOf(0);
    byte[] bytes =
        text.substring(0, nul < 0 ? text.length() : nul).getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, MOST_BYTES);
    while (length < bytes.length && (bytes[length] & 0xC0) == 0x80) {
      length--;
    }
    return "_utf8mb4 x'" + HexFormat.of().formatHex(bytes, 0, length) + "'";
  }
}
