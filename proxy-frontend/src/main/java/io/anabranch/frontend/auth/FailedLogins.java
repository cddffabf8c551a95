package io.anabranch.frontend.auth;

import io.anabranch.rules.model.ClientProperties.Lockout;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Wrong passwords in a row, by account and address, and who is locked out for them: each time for
 * twice as long as before, until the right one comes. Others behind the same address are not locked
 * out, nor the account from elsewhere. Names that do not exist are counted as others are.
 * Thread-safe.
 */
public final class FailedLogins {

  /** Beyond it the oldest are forgotten. */
  private static final int LIMIT = 50_000;

  private static final int NAME_LENGTH = 64;

  /** The longest lock is so many times doubled. */
  private static final int DOUBLINGS = 6;

  private final Lockout lockout;
  private final LongSupplier nanoTime;
  private final Map<Key, Failures> failures =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Failures> eldest) {
          return size() > LIMIT;
        }
      };

  private record Key(String account, InetAddress address) {}

  /**
   * @param count since the last lock
   * @param locks how often it was locked out
   * @param lockedNanos when it was for the last time
   */
  private record Failures(int count, int locks, long lockedNanos) {

    static final Failures NONE = new Failures(0, 0, 0);
  }

  /**
   * @param nanoTime {@link System#nanoTime}
   */
  public FailedLogins(Lockout lockout, LongSupplier nanoTime) {
    this.lockout = lockout;
    this.nanoTime = nanoTime;
  }

  /** How many wrong passwords lock an account out. */
  int limit() {
    return lockout.failures();
  }

  /** How long the account is locked out this time. */
  long seconds(String account, InetAddress address) {
    return seconds(find(account, address));
  }

  private long seconds(Failures known) {
    return lockout.seconds() << Math.clamp(known.locks() - 1L, 0, DOUBLINGS);
  }

  /** How long the account is still locked out for the address, rounded up; 0: not at all. */
  long lockedSeconds(String account, InetAddress address) {
    if (!lockout.isOn()) {
      return 0;
    }
    Failures known = find(account, address);
    if (known.locks() == 0) {
      return 0;
    }
    long passed = nanoTime.getAsLong() - known.lockedNanos();
    long left = TimeUnit.SECONDS.toNanos(seconds(known)) - passed;
    return left <= 0 ? 0 : TimeUnit.NANOSECONDS.toSeconds(left - 1) + 1;
  }

  void failed(String account, InetAddress address) {
    if (lockout.isOn()) {
      Key key = key(account, address);
      long now = nanoTime.getAsLong();
      synchronized (failures) {
        Failures known = failures.remove(key);
        Failures before = known == null ? Failures.NONE : known;
        int count = before.count() + 1;
        failures.put(
            key,
            count < lockout.failures()
                ? new Failures(count, before.locks(), before.lockedNanos())
                : new Failures(0, before.locks() + 1, now));
      }
    }
  }

  void succeeded(String account, InetAddress address) {
    if (lockout.isOn()) {
      synchronized (failures) {
        failures.remove(key(account, address));
      }
    }
  }

  private Failures find(String account, InetAddress address) {
    synchronized (failures) {
      return failures.getOrDefault(key(account, address), Failures.NONE);
    }
  }

  /** Names are cut: who makes them up must not fill the memory. */
  private static Key key(String account, InetAddress address) {
    String name = account.length() > NAME_LENGTH ? account.substring(0, NAME_LENGTH) : account;
    return new Key(name, address);
  }
}
