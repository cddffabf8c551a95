package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.value.SqlValue;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * {@code SNOWFLAKE}: 41 bits of milliseconds since 2016-11-01 (local time), 10 bits of worker, 12
 * bits of sequence.
 *
 * <p>Never waits, since it is called on event loops: when a millisecond is used up, or the clock
 * goes back a little, it takes the next numbers of its own time, which then runs ahead of the
 * clock.
 */
final class SnowflakeKeys implements KeyGenerator {

  static final String TYPE = "SNOWFLAKE";

  private static final int WORKER_BITS = 10;
  private static final int SEQUENCE_BITS = 12;
  private static final int LAST_SEQUENCE = (1 << SEQUENCE_BITS) - 1;

  private final LongSupplier clock;
  private final long epoch;
  private final long workerId;
  private final int maxVibrationOffset;
  private final long tolerance;

  private long latestClock;
  private long millisecond;
  private int sequence;
  private int vibration = -1;

  SnowflakeKeys(
      LongSupplier clock, ZoneId zone, int workerId, int maxVibrationOffset, long tolerance) {
    this.clock = clock;
    this.epoch = LocalDateTime.of(2016, 11, 1, 0, 0).atZone(zone).toInstant().toEpochMilli();
    this.workerId = workerId;
    this.maxVibrationOffset = maxVibrationOffset;
    this.tolerance = tolerance;
  }

  static KeyGenerator create(AlgorithmProperties properties) {
    int worker = properties.integer("worker-id", 0, 0, (1 << WORKER_BITS) - 1);
    int vibration = properties.integer("max-vibration-offset", 1, 0, LAST_SEQUENCE);
    int tolerance =
        properties.integer("max-tolerate-time-difference-milliseconds", 10, 0, Integer.MAX_VALUE);
    properties.check();
    return new SnowflakeKeys(
        System::currentTimeMillis, ZoneId.systemDefault(), worker, vibration, tolerance);
  }

  @Override
  public synchronized SqlValue next() {
    long now = clock.getAsLong();
    if (latestClock - now > tolerance) {
      throw ErrorCatalogue.CLOCK_WENT_BACK.refuse(latestClock - now);
    }
    latestClock = Math.max(latestClock, now);
    if (now > millisecond) {
      begin(now);
    } else if (sequence == LAST_SEQUENCE) {
      begin(millisecond + 1);
    } else {
      sequence++;
    }
    return new SqlValue.Int(
        (millisecond - epoch) << (WORKER_BITS + SEQUENCE_BITS)
            | workerId << SEQUENCE_BITS
            | sequence);
  }

  /** All of one millisecond, where it has as many: the rest of one that has not is left out. */
  @Override
  public synchronized List<SqlValue> next(int count) {
    int rest = LAST_SEQUENCE - sequence;
    if (rest < count && count <= LAST_SEQUENCE - maxVibrationOffset) {
      sequence = LAST_SEQUENCE;
    }
    var keys = new ArrayList<SqlValue>(count);
    SqlValue.Int first = (SqlValue.Int) next();
    keys.add(first);
    boolean isOneBlock = LAST_SEQUENCE - sequence >= count - 1;
    for (int i = 1; i < count; i++) {
      if (isOneBlock) {
        sequence++;
        keys.add(new SqlValue.Int(first.value() + i));
      } else {
        keys.add(next());
      }
    }
    return keys;
  }

  /** A new millisecond starts at an offset that vibrates, so that keys are not all even. */
  private void begin(long newMillisecond) {
    millisecond = newMillisecond;
    vibration = vibration >= maxVibrationOffset ? 0 : vibration + 1;
    sequence = vibration;
  }
}
