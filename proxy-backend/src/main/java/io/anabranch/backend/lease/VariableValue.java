package io.anabranch.backend.lease;

import io.anabranch.protocol.type.Collation;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The value of a user variable, with the type that a server has it of. Made where a server tells
 * it; {@link SettingsReplay} tells it to others. Immutable, so that any thread may read it.
 */
public sealed interface VariableValue {

  /**
   * SQL text, all ASCII, that gives a variable the value and its type, and stands for it in a
   * statement.
   *
   * @throws IllegalStateException if nobody knows the value
   */
  String sql();

  /** The same without what keeps a type that the value has in statements by itself. */
  default String literal() {
    return sql();
  }

  /** Characters of {@link #sql}. */
  default int length() {
    return sql().length();
  }

  /** The same for values of the same type. */
  String type();

  /**
   * NULL. It has the type of what the variable was before, or of the expression that it was given,
   * which the columns of answers show. Said in two steps: servers leave a variable its type where
   * they are told the word NULL, and not all of it where an expression is NULL.
   *
   * @param example a value of the type, of no NULL
   */
  record Null(VariableValue example) implements VariableValue {
    @Override
    public String sql() {
      return "NULL";
    }

    @Override
    public int length() {
      return example.length();
    }

    @Override
    public String type() {
      return "NULL " + example.type();
    }
  }

  /**
   * An integer with a sign.
   *
   * @param digits in decimal, with {@code -} in front where it is negative
   */
  record Whole(String digits) implements VariableValue {
    @Override
    public String sql() {
      return digits;
    }

    @Override
    public String type() {
      return digits.startsWith("-") ? "-" : "1";
    }
  }

  /**
   * An integer without a sign, which is so as a variable alone: literals are by their size.
   *
   * @param digits in decimal
   */
  record Unsigned(String digits) implements VariableValue {
    @Override
    public String sql() {
      return "CAST(" + digits + " AS UNSIGNED)";
    }

    @Override
    public String literal() {
      return digits;
    }

    @Override
    public String type() {
      return "u";
    }
  }

  /**
   * A number of fixed decimals, which divides with more digits than an integer does.
   *
   * @param digits in plain decimal notation, with a point or without
   */
  record Decimal(String digits) implements VariableValue {
    @Override
    public String sql() {
      return digits.indexOf('.') < 0 ? digits + "." : digits;
    }

    @Override
    public String type() {
      return ".";
    }
  }

  /**
   * A DOUBLE.
   *
   * @param number with an exponent
   */
  record Floating(String number) implements VariableValue {
    @Override
    public String sql() {
      return number;
    }

    @Override
    public String type() {
      return "e";
    }
  }

  /**
   * A text.
   *
   * @param hex its bytes in the collation's character set
   */
  record Text(Collation collation, String hex) implements VariableValue {
    @Override
    public String sql() {
      return "_" + collation.characterSet() + " x'" + hex + "' COLLATE " + collation.name();
    }

    @Override
    public int length() {
      int names = collation.characterSet().length() + collation.name().length();
      return hex.length() + "_ x'' COLLATE ".length() + names;
    }

    @Override
    public String type() {
      return collation.characterSet() + collation.name();
    }

    /** Whether its collation compares bytes. */
    public boolean isBinary() {
      return collation.name().endsWith("_bin");
    }

    /** Whether it is a text to Java, which lacks letters that servers have. */
    public boolean isWellFormed() {
      return collation.isWellFormed(HexFormat.of().parseHex(hex));
    }

    /** Null: Java lacks its character set, or letters of it, or has them otherwise. */
    public @Nullable String text() {
      Charset charset = collation.charset();
      if (charset == null) {
        return null;
      }
      byte[] bytes = HexFormat.of().parseHex(hex);
      String text = new String(bytes, charset);
      return Arrays.equals(text.getBytes(charset), bytes) ? text : null;
    }
  }

  /**
   * Bytes.
   *
   * @param hex two digits for each
   */
  record Bytes(String hex) implements VariableValue {
    @Override
    public String sql() {
      return "x'" + hex + "'";
    }

    @Override
    public int length() {
      return hex.length() + "x''".length();
    }

    @Override
    public String type() {
      return "x";
    }

    public byte[] bytes() {
      return HexFormat.of().parseHex(hex);
    }
  }

  /** What it is on a connection of which nobody knows: no session has it. */
  record Forgotten() implements VariableValue {
    @Override
    public String sql() {
      throw new IllegalStateException("nobody knows the value");
    }

    @Override
    public int length() {
      return 0;
    }

    @Override
    public String type() {
      return "";
    }
  }
}
