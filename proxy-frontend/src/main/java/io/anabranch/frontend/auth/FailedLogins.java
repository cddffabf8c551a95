package io.anabranch.frontend.auth;

import io.anabranch.rules.model.ClientProperties.Lockout;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Wrong passwords in a row, by account and address, and who is locked out for them. Names that do
 * not exist are counted as others are. Thread-safe.
 */
public final class FailedLogins {

  /** Beyond it the oldest are forgotten. */
  private static final int LIMIT = 50_000;

  private static final int NAME_LENGTH = 64;

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

  private record Failures(int count, long latestNanos) {}

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

  /** How long it is locked out. */
  long seconds() {
    return lockout.seconds();
  }

  /** How long the account is still locked out for the address, rounded up; 0: not at all. */
  long lockedSeconds(String account, InetAddress address) {
    if (!lockout.isOn()) {
      return 0;
    }
    Failures known = find(account, address);
    if (known == null || known.count() < lockout.failures()) {
      return 0;
    }
    long passed = nanoTime.getAsLong() - known.latestNanos();
    long left = TimeUnit.SECONDS.toNanos(lockout.seconds()) - passed;
    if (left <= 0) {
      succeeded(account, address);
      return 0;
    }
    return TimeUnit.NANOSECONDS.toSeconds(left - 1) + 1;
  }

  void failed(String account, InetAddress address) {
    if (lockout.isOn()) {
      Key key = key(account, address);
      long now = nanoTime.getAsLong();
      synchronized (failures) {
        Failures known = failures.remove(key);
        failures.put(key, new Failures(known == null ? 1 : known.count() + 1, now));
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

  private @Nullable Failures find(String account, InetAddress address) {
    synchronized (failures) {
      return failures.get(key(account, address));
    }
  }

  /** Names are cut: who makes them up must not fill the memory. */
  private static Key key(String account, InetAddress address) {
    String name = account.length() > NAME_LENGTH ? account.substring(0, NAME_LENGTH) : account;
    return new Key(name, address);
  }
}
