package io.anabranch.rules.algorithm.key;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.value.SqlValue;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * {@code UUID_V7}: 48 bits of milliseconds, a counter of 12 bits that begins by lot in its lower
 * half, 62 random bits; as 32 hexadecimal digits. Keys of one proxy rise.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-7">RFC 9562</a>
 */
final class OrderedUuidKeys implements KeyGenerator {

  static final String TYPE = "UUID_V7";

  private static final int COUNTER_BITS = 12;
  private static final int LAST_COUNTER = (1 << COUNTER_BITS) - 1;
  private static final long VERSION = 7L << COUNTER_BITS;
  private static final long VARIANT = 0b10L << 62;

  private final LongSupplier clock;
  private final RandomGenerator random;

  private long millisecond;
  private int counter = LAST_COUNTER;

  OrderedUuidKeys(LongSupplier clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  static KeyGenerator create(AlgorithmProperties properties) {
    properties.check();
    return new OrderedUuidKeys(System::currentTimeMillis, new SecureRandom());
  }

  @Override
  public synchronized SqlValue next() {
    long now = clock.getAsLong();
    if (now > millisecond) {
      begin(now);
    } else if (counter == LAST_COUNTER) {
      begin(millisecond + 1);
    } else {
      counter++;
    }
    long high = (millisecond << 16) | VERSION | counter;
    long low = VARIANT | (random.nextLong() >>> 2);
    HexFormat hex = HexFormat.of();
    return new SqlValue.Text(hex.toHexDigits(high) + hex.toHexDigits(low));
  }

  private void begin(long newMillisecond) {
    millisecond = newMillisecond;
    counter = random.nextInt(1 << (COUNTER_BITS - 1));
  }
}
