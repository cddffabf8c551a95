package io.anabranch.rules.algorithm.key;

import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.value.SqlValue;
import java.util.List;

/**
 * Numbers of another generator as texts of eleven digits of the base 62, as CosId writes them: they
 * sort as the numbers do, under a binary collation.
 */
public record Radix62(KeyGenerator numbers) implements KeyGenerator {

  private static final int LENGTH = 11;
  private static final String DIGITS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  static String text(long number) {
    char[] digits = new char[LENGTH];
    long rest = number;
    for (int i = LENGTH - 1; i >= 0; i--) {
      digits[i] = DIGITS.charAt((int) (rest % DIGITS.length()));
      rest /= DIGITS.length();
    }
    return new String(digits);
  }

  /**
   * The number that a text is; -1: it is none of 63 bits.
   *
   * @param text of eleven digits at most
   */
  public static long number(String text) {
    if (text.isEmpty() || text.length() > LENGTH) {
      return -1;
    }
    long number = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = DIGITS.indexOf(text.charAt(i));
      if (digit < 0 || number > (Long.MAX_VALUE - digit) / DIGITS.length()) {
        return -1;
      }
      number = number * DIGITS.length() + digit;
    }
    return number;
  }

  @Override
  public SqlValue next() {
    return written(numbers.next());
  }

  @Override
  public List<SqlValue> next(int count) {
    return numbers.next(count).stream().map(Radix62::written).toList();
  }

  private static SqlValue written(SqlValue key) {
    return key instanceof SqlValue.Int(long number) ? new SqlValue.Text(text(number)) : key;
  }
}
