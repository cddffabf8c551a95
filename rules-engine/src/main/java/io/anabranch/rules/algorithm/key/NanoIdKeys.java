package io.anabranch.rules.algorithm.key;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.value.SqlValue;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/**
 * {@code NANOID}: 21 characters of 64, as random as a UUID.
 *
 * <p>Upper and lower case differ: the column needs a binary collation.
 *
 * @see <a href="https://github.com/ai/nanoid">Nano ID</a>
 */
final class NanoIdKeys implements KeyGenerator {

  static final String TYPE = "NANOID";

  private static final int LENGTH = 21;
  private static final String ALPHABET =
      "_-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

  private final RandomGenerator random;

  /**
   * @param random thread-safe
   */
  NanoIdKeys(RandomGenerator random) {
    this.random = random;
  }

  static KeyGenerator create(AlgorithmProperties properties) {
    properties.check();
    return new NanoIdKeys(new SecureRandom());
  }

  @Override
  public SqlValue next() {
    byte[] bytes = new byte[LENGTH];
    random.nextBytes(bytes);
    var text = new StringBuilder(LENGTH);
    for (byte each : bytes) {
      text.append(ALPHABET.charAt(each & 63));
    }
    return new SqlValue.Text(text.toString());
  }
}
