package io.anabranch.rules.algorithm.key;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.algorithm.key.Workers.Worker;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.value.SqlValue;
import java.security.SecureRandom;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code SNOWFLAKE} and {@code COSID_SNOWFLAKE}: 41 bits of milliseconds since 2016-11-01 (local
 * time), 10 bits of worker, 12 bits of sequence.
 *
 * <p>Never waits, since it is called on event loops: when a millisecond is used up, or the clock
 * goes back a little, it takes the next numbers of its own time, which then runs ahead of the
 * clock.
 */
final class SnowflakeKeys implements KeyGenerator {

  static final String TYPE = "SNOWFLAKE";

  /** The same layout, whose sequence goes on from millisecond to millisecond. */
  static final String COSID_TYPE = "COSID_SNOWFLAKE";

  private static final int LAST_SEQUENCE = (1 << SnowflakeId.SEQUENCE_BITS) - 1;

  private final LongSupplier clock;
  private final long epoch;
  private final Workers workers;
  private final Opening opening;
  private final long tolerance;

  private long latestClock;
  private long millisecond;
  private int sequence;
  private @Nullable Worker worker;

  SnowflakeKeys(LongSupplier clock, long epoch, Workers workers, Opening opening, long tolerance) {
    this.clock = clock;
    this.epoch = epoch;
    this.workers = workers;
    this.opening = opening;
    this.tolerance = tolerance;
  }

  static KeyGenerator create(AlgorithmProperties properties) {
    Workers workers = workers(properties);
    int vibration = properties.integer("max-vibration-offset", 1, 0, LAST_SEQUENCE);
    int tolerance = tolerance(properties);
    properties.check();
    return leased(
        new SnowflakeKeys(
            System::currentTimeMillis,
            SnowflakeId.epoch(ZoneId.systemDefault()),
            workers,
            new Opening.Vibrating(vibration),
            tolerance),
        workers);
  }

  static KeyGenerator createCosid(AlgorithmProperties properties) {
    Workers workers = workers(properties);
    long epoch =
        properties.isPresent("epoch")
            ? properties.requiredLong("epoch")
            : SnowflakeId.epoch(ZoneId.systemDefault());
    if (epoch < 0 || epoch > System.currentTimeMillis()) {
      properties.problem("epoch", "must be milliseconds since 1970, and past");
    }
    boolean isText = properties.flag("as-string", false);
    int tolerance = tolerance(properties);
    properties.check();
    var keys =
        new SnowflakeKeys(
            System::currentTimeMillis,
            epoch,
            workers,
            new Opening.GoingOn(1 << (SnowflakeId.SEQUENCE_BITS - 1)),
            tolerance);
    return leased(isText ? new Radix62(keys) : keys, workers);
  }

  private static Workers workers(AlgorithmProperties properties) {
    int number = properties.integer("worker-id", 0, 0, (1 << SnowflakeId.WORKER_BITS) - 1);
    if (!properties.isPresent("worker-registry")) {
      return Workers.fixed(number);
    }
    if (properties.isPresent("worker-id")) {
      properties.problem("worker-id", "is there beside worker-registry; leave one of them out");
    }
    return new WorkerLease(
        properties.requiredText("worker-registry").strip(),
        1 << SnowflakeId.WORKER_BITS,
        System::currentTimeMillis,
        System::nanoTime,
        new SecureRandom());
  }

  private static KeyGenerator leased(KeyGenerator keys, Workers workers) {
    return workers instanceof WorkerLease lease ? new LeasedKeys(keys, lease) : keys;
  }

  private static int tolerance(AlgorithmProperties properties) {
    return properties.integer(
        "max-tolerate-time-difference-milliseconds", 10, 0, Integer.MAX_VALUE);
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
    // whose number is new may begin another millisecond
    int number = worker();
    return new SqlValue.Int(SnowflakeId.of(millisecond - epoch, number, sequence));
  }

  /** All of one millisecond, where it has as many: the rest of one that has not is left out. */
  @Override
  public synchronized List<SqlValue> next(int count) {
    int rest = LAST_SEQUENCE - sequence;
    if (rest < count && count <= LAST_SEQUENCE - opening.latest()) {
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

  /** Whose number is new makes keys of later moments than whoever had it before. */
  private int worker() {
    Worker current = workers.at(millisecond);
    if (!current.equals(worker)) {
      worker = current;
      if (millisecond <= current.floor()) {
        begin(current.floor() + 1);
        return workers.at(millisecond).number();
      }
    }
    return current.number();
  }

  private void begin(long newMillisecond) {
    millisecond = newMillisecond;
    sequence = opening.first(sequence);
  }
}
