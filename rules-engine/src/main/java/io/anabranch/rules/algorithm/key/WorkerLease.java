package io.anabranch.rules.algorithm.key;

import io.anabranch.rules.algorithm.KeyStore;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A worker's number that one generator has to itself for a time, which is prolonged again and
 * again. The number is used up to a moment only that the table knows of, and for less time than the
 * table says, measured from before it was asked: whoever gets the number next makes keys of later
 * moments. Where it cannot be prolonged no keys are made.
 */
final class WorkerLease implements Workers {

  static final long LEASE_MILLISECONDS = 60_000;

  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** For clocks that do not go alike. */
  private static final long MARGIN_MILLISECONDS = LEASE_MILLISECONDS / 10;

  private final String registry;
  private final int count;
  private final LongSupplier clock;
  private final LongSupplier nanoClock;
  private final RandomGenerator random;

  private volatile @Nullable KeyStore store;
  private volatile State state = new State(null, 0, 0, "it has not been asked yet");

  /** New for each number that is leased. */
  private String holder = "";

  /** When the database was last asked in vain; 0: it was not. */
  private long failed;

  /**
   * @param worker null: there is none
   * @param until last moment of keys
   * @param deadline {@link System#nanoTime} from which on it is not used
   */
  private record State(@Nullable Worker worker, long until, long deadline, String trouble) {}

  WorkerLease(
      String registry,
      int count,
      LongSupplier clock,
      LongSupplier nanoClock,
      RandomGenerator random) {
    this.registry = registry;
    this.count = count;
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.random = random;
  }

  String registry() {
    return registry;
  }

  /** Whether {@link #at} would give a number for keys of now. */
  boolean isHeld() {
    return isHeld(clock.getAsLong());
  }

  private boolean isHeld(long millisecond) {
    State now = state;
    return now.worker != null
        && millisecond <= now.until
        && nanoClock.getAsLong() - now.deadline < 0;
  }

  @Override
  public Worker at(long millisecond) {
    State now = state;
    Worker worker = now.worker;
    if (worker == null || !isHeld(millisecond)) {
      throw ErrorCatalogue.KEYS_UNAVAILABLE.refuse(
          "SNOWFLAKE", "no worker id is leased from " + registry + ": " + now.trouble);
    }
    return worker;
  }

  void serve(KeyStore current) {
    store = current;
  }

  /** Asks for it now, unless that has just failed. Blocks. */
  synchronized void ensure() {
    boolean hasFailed = failed != 0 && nanoClock.getAsLong() - failed < RETRY_NANOS;
    if (!isHeld() && !hasFailed) {
      tend();
    }
  }

  /** Prolongs it, or leases another one. Blocks. */
  synchronized void tend() {
    KeyStore from = store;
    if (from == null) {
      return;
    }
    try {
      State now = state;
      if (now.worker == null || !renew(from, now.worker)) {
        state = new State(null, 0, 0, "somebody else has it");
        claim(from);
      }
      failed = state.worker == null ? nanoClock.getAsLong() : 0;
    } catch (RuntimeException unasked) {
      State now = state;
      state = new State(now.worker, now.until, now.deadline, String.valueOf(unasked.getMessage()));
      failed = nanoClock.getAsLong();
    }
  }

  private boolean renew(KeyStore from, Worker worker) {
    long asked = nanoClock.getAsLong();
    long until = clock.getAsLong() + LEASE_MILLISECONDS;
    if (!from.renew(worker.number(), holder, LEASE_MILLISECONDS, until)) {
      return false;
    }
    state = new State(worker, until, deadline(asked), "it was not prolonged in time");
    return true;
  }

  private void claim(KeyStore from) {
    byte[] lot = new byte[16];
    random.nextBytes(lot);
    holder = HexFormat.of().formatHex(lot);
    KeyStore.Term term = from.claim(holder, count, LEASE_MILLISECONDS, clock.getAsLong());
    if (term == null) {
      state = new State(null, 0, 0, "all " + count + " are leased");
    } else if (!renew(from, new Worker(term.worker(), term.floor()))) {
      state = new State(null, 0, 0, "somebody else has it");
    }
  }

  private static long deadline(long asked) {
    return asked + TimeUnit.MILLISECONDS.toNanos(LEASE_MILLISECONDS - MARGIN_MILLISECONDS);
  }
}
