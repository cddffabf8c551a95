package io.anabranch.rules.value;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan.SlotKind;
import io.anabranch.rules.lexer.StatementCharset;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Literals to values, as <a href="https://dev.mysql.com/doc/refman/8.4/en/literals.html">Literal
 * Values</a> defines them. Integers are fast and allocate only the value.
 */
public final class Literals {

  private Literals() {}

  /**
   * The value of a slot's text.
   *
   * @param kind not {@link SlotKind#PARAMETER}
   */
  public static SqlValue of(
      SlotKind kind, byte[] sql, int from, int to, Charset charset, LexerMode mode) {
    return switch (kind) {
      case INTEGER -> integer(sql, from, to);
      case DECIMAL -> decimal(ascii(sql, from, to));
      case FLOAT -> new SqlValue.Floating(Double.parseDouble(ascii(sql, from, to)));
      case STRING -> new SqlValue.Text(text(sql, from, to, charset, mode));
      case HEX -> new SqlValue.Bytes(digits(sql, from, to, 16), true);
      case HEX_STRING -> new SqlValue.Bytes(digits(sql, from, to, 16));
      case BIT, BIT_STRING -> new SqlValue.Bytes(digits(sql, from, to, 2), true);
      case PARAMETER -> SqlValue.Unknown.UNKNOWN;
    };
  }

  /** What bits are where a server wants a number; null where they are none. */
  public static @Nullable BigDecimal number(SqlValue.Bytes bits) {
    return bits.mayBeNumber() && bits.value().length <= Long.BYTES
        ? new BigDecimal(new BigInteger(1, bits.value()))
        : null;
  }

  /**
   * The number that the digits show; unknown where there are too many of them.
   *
   * @throws NumberFormatException if they are none
   */
  static SqlValue decimal(String digits) {
    return NumberText.isTooLong(digits)
        ? SqlValue.Unknown.UNKNOWN
        : decimal(new BigDecimal(digits));
  }

  /** A number as {@link SqlValue.Int} where it fits, else as it is. */
  public static SqlValue decimal(BigDecimal number) {
    if (NumberText.isTooLong(number)) {
      return SqlValue.Unknown.UNKNOWN;
    }
    return number.scale() <= 0 && number.precision() - number.scale() <= 20
        ? wholeOrDecimal(number)
        : new SqlValue.Decimal(number);
  }

  private static SqlValue wholeOrDecimal(BigDecimal number) {
    BigInteger integer = number.toBigInteger();
    return integer.bitLength() < Long.SIZE
        ? new SqlValue.Int(integer.longValue())
        : new SqlValue.Decimal(new BigDecimal(integer));
  }

  /** The value with a minus in front of it; unknown where only a database can tell. */
  public static SqlValue negate(SqlValue value) {
    return switch (value) {
      case SqlValue.Int number -> decimal(BigDecimal.valueOf(number.value()).negate());
      case SqlValue.Decimal number -> decimal(number.value().negate());
      case SqlValue.Floating number -> new SqlValue.Floating(-number.value());
      case SqlValue.Null nothing -> nothing;
      case SqlValue.Text ignored -> SqlValue.Unknown.UNKNOWN;
      case SqlValue.Bytes ignored -> SqlValue.Unknown.UNKNOWN;
      case SqlValue.Date ignored -> SqlValue.Unknown.UNKNOWN;
      case SqlValue.DateTime ignored -> SqlValue.Unknown.UNKNOWN;
      case SqlValue.Unknown unknown -> unknown;
    };
  }

  private static SqlValue integer(byte[] sql, int from, int to) {
    if (to - from > 18) {
      return decimal(ascii(sql, from, to));
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      value = value * 10 + (sql[i] - '0');
    }
    return new SqlValue.Int(value);
  }

  private static String ascii(byte[] sql, int from, int to) {
    return new String(sql, from, to - from, StandardCharsets.ISO_8859_1);
  }

  /**
   * A name without its quotes, of which servers take all three kinds: as it is, where it has none.
   *
   * @param mode that it was read by
   */
  public static String name(String written, LexerMode mode) {
    if (written.length() < 2 || "'\"`".indexOf(written.charAt(0)) < 0) {
      return written;
    }
    byte[] bytes = written.getBytes(StandardCharsets.UTF_8);
    LexerMode reading =
        LexerMode.of(StandardCharsets.UTF_8, mode.ansiQuotes(), mode.noBackslashEscapes());
    var out = new ByteArrayOutputStream(bytes.length);
    unquote(bytes, 0, bytes.length, reading, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Undoes quotes and escapes of one or several adjacent literals. */
  private static String text(byte[] sql, int from, int to, Charset charset, LexerMode mode) {
    byte quote = sql[from];
    if (isPlain(sql, from + 1, to - 1, quote)) {
      return StatementCharset.decode(sql, from + 1, Math.max(from + 1, to - 1), charset);
    }
    var out = new ByteArrayOutputStream(to - from);
    int p = from;
    while (p < to) {
      if (sql[p] == '\'' || sql[p] == '"') {
        p = unquote(sql, p, to, mode, out);
      } else if (sql[p] == '/' && p + 1 < to && sql[p + 1] == '*') {
        // the star that opens it does not close it
        p += 3;
        while (p < to && !(sql[p] == '/' && sql[p - 1] == '*')) {
          p++;
        }
        p++;
      } else if (sql[p] == '#' || sql[p] == '-') {
        while (p < to && sql[p] != '\n') {
          p++;
        }
      } else {
        p++;
      }
    }
    return out.toString(charset);
  }

  private static boolean isPlain(byte[] sql, int from, int to, byte quote) {
    for (int i = from; i < to; i++) {
      if (sql[i] == quote || sql[i] == '\\') {
        return false;
      }
    }
    return to >= from && sql[to] == quote;
  }

  private static int unquote(
      byte[] sql, int from, int to, LexerMode mode, ByteArrayOutputStream out) {
    byte quote = sql[from];
    int p = from + 1;
    while (p < to) {
      byte b = sql[p++];
      if (b == quote) {
        if (p == to || sql[p] != quote) {
          return p;
        }
        p++;
        out.write(quote);
      } else if (b == '\\' && mode.escapes(quote) && p < to) {
        escape(sql[p++], out);
      } else {
        out.write(b);
        if (p < to && mode.doubleBytes().arePair(b, sql[p])) {
          out.write(sql[p++]);
        }
      }
    }
    return p;
  }

  private static void escape(byte letter, ByteArrayOutputStream out) {
    switch (letter) {
      case '0' -> out.write(0);
      case 'b' -> out.write('\b');
      case 'n' -> out.write('\n');
      case 'r' -> out.write('\r');
      case 't' -> out.write('\t');
      case 'Z' -> out.write(26);
      case '%', '_' -> {
        out.write('\\');
        out.write(letter);
      }
      default -> out.write(letter);
    }
  }

  /** The bytes of {@code x'..'}, {@code 0x..}, {@code b'..'}, {@code 0b..}. */
  private static byte[] digits(byte[] sql, int from, int to, int radix) {
    int first = from + 2;
    int end = sql[from + 1] == '\'' ? to - 1 : to;
    int perByte = radix == 16 ? 2 : Byte.SIZE;
    int count = Math.max(0, end - first);
    byte[] bytes = new byte[(count + perByte - 1) / perByte];
    // the first byte takes what the others leave
    int behind = bytes.length * perByte - count;
    for (int i = 0; i < count; i++) {
      int digit = Character.digit(sql[first + i], radix);
      if (digit < 0) {
        return new byte[0];
      }
      int at = (behind + i) / perByte;
      bytes[at] = (byte) (bytes[at] * radix + digit);
    }
    return bytes;
  }
}
