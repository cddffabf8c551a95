package io.anabranch.rules.value;

import io.anabranch.rules.lexer.StatementCharset;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of COM_STMT_EXECUTE to values. See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_binary_resultset.html">Binary
 * Protocol Value</a>.
 */
public final class BinaryValues {

  private BinaryValues() {}

  /**
   * @param type column type code; the unsigned flag may be set at 0x8000
   * @param value as on the wire, its length prefix included where the type has one; null for NULL
   * @return {@link SqlValue.Unknown} for types that routing has no use for
   */
  public static SqlValue of(int type, byte @Nullable [] value, Charset charset) {
    if (value == null) {
      return SqlValue.Null.NULL;
    }
    boolean unsigned = (type & 0x8000) != 0;
    ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    return switch (type & 0xFF) {
      case 1 -> new SqlValue.Int(unsigned ? in.get() & 0xFF : in.get());
      case 2, 13 -> new SqlValue.Int(unsigned ? in.getShort() & 0xFFFF : in.getShort());
      case 3, 9 -> new SqlValue.Int(unsigned ? in.getInt() & 0xFFFF_FFFFL : in.getInt());
      case 8 -> eightBytes(in.getLong(), unsigned);
      case 4 -> new SqlValue.Floating(in.getFloat());
      case 5 -> new SqlValue.Floating(in.getDouble());
      case 0, 246 -> decimal(in);
      case 6 -> SqlValue.Null.NULL;
      case 10, 7, 12 -> temporal(in, (type & 0xFF) == 10);
      case 249, 250, 251, 252 -> new SqlValue.Bytes(lengthEncoded(in));
      case 15, 253, 254, 245, 247, 248 -> new SqlValue.Text(text(lengthEncoded(in), charset));
      default -> SqlValue.Unknown.UNKNOWN;
    };
  }

  private static String text(byte[] value, Charset charset) {
    return StatementCharset.decode(value, 0, value.length, charset);
  }

  private static SqlValue eightBytes(long value, boolean unsigned) {
    if (value >= 0 || !unsigned) {
      return new SqlValue.Int(value);
    }
    return new SqlValue.Decimal(new BigDecimal(new BigInteger(Long.toUnsignedString(value))));
  }

  private static SqlValue decimal(ByteBuffer in) {
    String digits = new String(lengthEncoded(in), StandardCharsets.ISO_8859_1);
    try {
      return Literals.decimal(digits.strip());
    } catch (NumberFormatException noNumber) {
      return SqlValue.Unknown.UNKNOWN;
    }
  }

  private static SqlValue temporal(ByteBuffer in, boolean date) {
    int length = in.get() & 0xFF;
    if (length < 4) {
      return SqlValue.Unknown.UNKNOWN;
    }
    try {
      LocalDate day = LocalDate.of(in.getShort() & 0xFFFF, in.get(), in.get());
      if (date && length == 4) {
        return new SqlValue.Date(day);
      }
      if (length == 4) {
        return new SqlValue.DateTime(day.atStartOfDay());
      }
      LocalDateTime time = day.atTime(in.get(), in.get(), in.get());
      return new SqlValue.DateTime(length > 7 ? time.plusNanos(in.getInt() * 1000L) : time);
    } catch (DateTimeException zeroDate) {
      return SqlValue.Unknown.UNKNOWN;
    }
  }

  private static byte[] lengthEncoded(ByteBuffer in) {
    int first = in.get() & 0xFF;
    long length =
        switch (first) {
          case 0xFC -> in.getShort() & 0xFFFFL;
          case 0xFD -> (in.getShort() & 0xFFFFL) | (in.get() & 0xFFL) << 16;
          case 0xFE -> in.getLong();
          default -> first;
        };
    byte[] bytes = new byte[(int) Math.min(length, in.remaining())];
    in.get(bytes);
    return bytes;
  }
}
