package io.anabranch.rules.algorithm.key;

import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * What a key of {@code SNOWFLAKE} and its kin is made of: 41 bits of milliseconds since an epoch,
 * 10 bits of worker, 12 bits of sequence.
 */
public final class SnowflakeId {

  static final int WORKER_BITS = 10;
  static final int SEQUENCE_BITS = 12;

  private SnowflakeId() {}

  /** 2016-11-01 00:00 of that zone, in milliseconds since 1970. */
  public static long epoch(ZoneId zone) {
    return LocalDateTime.of(2016, 11, 1, 0, 0).atZone(zone).toInstant().toEpochMilli();
  }

  static long of(long milliseconds, int worker, int sequence) {
    return (long) worker << SEQUENCE_BITS
        | milliseconds << (WORKER_BITS + SEQUENCE_BITS)
        | sequence;
  }

  /** Since the epoch that it was made with. */
  public static long milliseconds(long id) {
    return id >> (WORKER_BITS + SEQUENCE_BITS);
  }
}
