package io.anabranch.rules.algorithm.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.KeyStore;
import io.anabranch.rules.algorithm.KeyWaits;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.value.SqlValue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkerLeaseTest {

  /** The table as it is meant to work, by the test's clock. */
  private final class Registry implements KeyStore {

    private final Map<Integer, String> holders = new HashMap<>();
    private final Map<Integer, Long> expires = new HashMap<>();
    private final Map<Integer, Long> horizons = new HashMap<>();
    private boolean fails;

    @Override
    public long block(String name, long start, int count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable Term claim(String holder, int count, long milliseconds, long moment) {
      require();
      for (int worker = 0; worker < count; worker++) {
        long horizon = horizons.getOrDefault(worker, -1L);
        if (expires.getOrDefault(worker, -1L) < now && horizon < moment) {
          holders.put(worker, holder);
          expires.put(worker, now + milliseconds);
          return new Term(worker, horizon);
        }
      }
      return null;
    }

    @Override
    public boolean renew(int worker, String holder, long milliseconds, long until) {
      require();
      if (!holder.equals(holders.get(worker))) {
        return false;
      }
      expires.put(worker, now + milliseconds);
      horizons.merge(worker, until, Math::max);
      return true;
    }

    private void require() {
      if (fails) {
        throw new IllegalStateException("lost connection");
      }
    }
  }

  private static final long EPOCH = 1_477_958_400_000L;

  private final Registry registry = new Registry();
  private final Random random = new Random(1);
  private long now = EPOCH + 1_000_000;

  private LeasedKeys keys(int count) {
    var lease =
        new WorkerLease("ds", count, () -> now, () -> TimeUnit.MILLISECONDS.toNanos(now), random);
    lease.serve(registry);
    return new LeasedKeys(
        new SnowflakeKeys(() -> now, EPOCH, lease, new Opening.Vibrating(0), 1_000_000), lease);
  }

  private static long next(LeasedKeys of) {
    return ((SqlValue.Int) KeyWaits.allowing(of::next)).value();
  }

  private static long worker(long key) {
    return key >> 12 & 1023;
  }

  @Test
  void proxiesHaveDifferentNumbers() {
    LeasedKeys one = keys(1024);
    LeasedKeys two = keys(1024);
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      assertThat(seen.add(next(one))).isTrue();
      assertThat(seen.add(next(two))).isTrue();
    }
    assertThat(seen.stream().map(WorkerLeaseTest::worker).distinct()).containsOnly(0L, 1L);
  }

  @Test
  void makesNoKeysWithoutTheTableWhenItsTimeIsOver() {
    LeasedKeys keys = keys(1024);
    next(keys);
    registry.fails = true;
    now += WorkerLease.LEASE_MILLISECONDS / 2;
    keys.tend();
    next(keys);
    now += WorkerLease.LEASE_MILLISECONDS / 2;
    assertThatThrownBy(() -> next(keys))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("no worker id is leased from ds: lost connection");
    registry.fails = false;
    now += 2000;
    next(keys);
  }

  @Test
  void anotherOneGetsTheNumberForLaterKeysOnly() {
    LeasedKeys first = keys(1);
    long last = next(first);
    LeasedKeys second = keys(1);
    assertThatThrownBy(() -> next(second)).hasMessageContaining("all 1 are leased");
    now += WorkerLease.LEASE_MILLISECONDS + 1;
    long later = next(second);
    assertThat(worker(later)).isZero();
    assertThat(later).isGreaterThan(last);
    first.tend();
    assertThatThrownBy(() -> next(first)).hasMessageContaining("all 1 are leased");
  }

  /** A clock that is behind does not make keys that another one has made. */
  @Test
  void waitsForAClockThatIsBehind() {
    LeasedKeys first = keys(1);
    now += 30_000;
    next(first);
    registry.expires.put(0, 0L);
    now -= 29_000;
    LeasedKeys second = keys(1);
    assertThatThrownBy(() -> next(second)).hasMessageContaining("all 1 are leased");
  }

  @Test
  void whoLosesItGetsAnotherOne() {
    LeasedKeys keys = keys(1024);
    next(keys);
    registry.holders.put(0, "thief");
    registry.expires.put(0, now + 1_000_000);
    keys.tend();
    assertThat(worker(next(keys))).isEqualTo(1);
  }

  @Test
  void eventLoopsDoNotWait() {
    LeasedKeys keys = keys(1024);
    assertThat(catchThrowableOfType(RefusedException.class, keys::next))
        .matches(refused -> refused.is(ErrorCatalogue.KEYS_AWAITED));
    keys.tend();
    assertThat(worker(((SqlValue.Int) keys.next()).value())).isZero();
  }
}
