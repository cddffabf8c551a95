package io.anabranch.rules.value;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Values as SQL text that reads the same under every {@code sql_mode} and character set. */
public final class SqlLiterals {

  private SqlLiterals() {}

  /** In ASCII. {@link SqlValue.Unknown}, which no value of an execution is, becomes NULL. */
  public static byte[] of(SqlValue value) {
    return text(value).getBytes(StandardCharsets.US_ASCII);
  }

  private static String text(SqlValue value) {
    return switch (value) {
      case SqlValue.Int number -> Long.toString(number.value());
      case SqlValue.Decimal number -> number.value().toPlainString();
      case SqlValue.Floating number -> floating(number.value());
      case SqlValue.Text text -> text(text.value());
      case SqlValue.Date date -> "'" + date.value() + "'";
      case SqlValue.DateTime time -> "'" + time.value().toString().replace('T', ' ') + "'";
      case SqlValue.Bytes bytes -> "_binary x'" + HexFormat.of().formatHex(bytes.value()) + "'";
      case SqlValue.Null ignored -> "NULL";
      case SqlValue.Unknown ignored -> "NULL";
    };
  }

  private static String floating(double value) {
    String text = Double.toString(value);
    return text.indexOf('E') < 0 ? text + "E0" : text;
  }

  /** A text, in ASCII. */
  public static String text(String value) {
    boolean plain = value.chars().allMatch(c -> c >= ' ' && c < 127 && c != '\'' && c != '\\');
    return plain
        ? "'" + value + "'"
        : "_utf8mb4 x'" + HexFormat.of().formatHex(value.getBytes(StandardCharsets.UTF_8)) + "'";
  }
}
