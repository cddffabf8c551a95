package io.anabranch.rules.planner.encrypt.stored;

import io.anabranch.rules.algorithm.encrypt.Encryptor;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a value of the client's in one place of the text.
 *
 * @param slot of the client's statement
 * @param column that the client means, for messages
 */
public record StoredForm(int slot, String column, Encryptor encryptor, Purpose purpose) {

  /** Behind a pattern: modes may say that there is no such character. */
  public static final String ESCAPE_CLAUSE = " ESCAPE _utf8mb4 x'5C'";

  private static final char ESCAPE = '\\';

  public enum Purpose {
    STORED,
    /** A number with a minus in front. */
    NEGATED,
    /** With what is stored, for equality. */
    COMPARED,
    /** By LIKE, with {@link #ESCAPE_CLAUSE} behind it. */
    PATTERN
  }

  /**
   * What is stored for a value; null for NULL.
   *
   * @throws RefusedException for values that are no text
   */
  public @Nullable String of(SqlValue value) {
    return switch (value) {
      case SqlValue.Null _ -> null;
      case SqlValue.Text text -> encrypted(text.value());
      case SqlValue.Int number -> number(BigDecimal.valueOf(number.value()));
      case SqlValue.Decimal number -> number(number.value());
      case SqlValue.Floating _ -> throw refused("a floating-point number");
      case SqlValue.Bytes _ -> throw refused("a binary value");
      case SqlValue.Date _, SqlValue.DateTime _ -> throw refused("a date");
      case SqlValue.Unknown _ -> throw refused("a value that only a database knows");
    };
  }

  /** As servers store it; they compare numbers with the numbers that texts begin with. */
  private String number(BigDecimal value) {
    if (purpose != Purpose.STORED && purpose != Purpose.NEGATED) {
      throw refused("a comparison with a number");
    }
    return encrypted((purpose == Purpose.NEGATED ? value.negate() : value).toPlainString());
  }

  private String encrypted(String text) {
    if (purpose == Purpose.PATTERN && text.indexOf('\\') >= 0) {
      throw refused("a pattern with a backslash");
    }
    try {
      String stored = encryptor.encrypt(text);
      return purpose == Purpose.PATTERN ? escaped(text, stored) : stored;
    } catch (IllegalArgumentException e) {
      throw ErrorCatalogue.NOT_ENCRYPTED.refuse(column, String.valueOf(e.getMessage()));
    }
  }

  /** What is made of a character may be one that patterns take for another thing than itself. */
  private static String escaped(String plain, String stored) {
    var pattern = new StringBuilder(stored.length());
    for (int i = 0; i < stored.length(); i++) {
      boolean isOfPattern = i < plain.length() && isWildcard(plain.charAt(i));
      char c = stored.charAt(i);
      if (!isOfPattern && (isWildcard(c) || c == ESCAPE)) {
        pattern.append(ESCAPE);
      }
      pattern.append(c);
    }
    return pattern.toString();
  }

  private static boolean isWildcard(char c) {
    return c == '%' || c == '_';
  }

  private RefusedException refused(String what) {
    return ErrorCatalogue.ENCRYPTED_COLUMN.refuse(what, column, "give it as a plain string");
  }

  /** As SQL that means the same under every sql_mode and character set. */
  public static String literal(@Nullable String stored) {
    if (stored == null) {
      return "NULL";
    }
    for (int i = 0; i < stored.length(); i++) {
      char c = stored.charAt(i);
      boolean isPlain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      if (!isPlain && "+/=:.-".indexOf(c) < 0) {
        return "_utf8mb4 x'"
            + HexFormat.of().formatHex(stored.getBytes(StandardCharsets.UTF_8))
            + "'";
      }
    }
    return "'" + stored + "'";
  }
}
