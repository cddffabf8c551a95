package io.anabranch.rules.algorithm.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.InvalidPropertiesException;
import io.anabranch.rules.algorithm.KeyStore;
import io.anabranch.rules.algorithm.KeyWaits;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SegmentKeysTest {

  /** A counter that tells how it was asked. */
  private static final class Counter implements KeyStore {

    private final List<Integer> asked = new ArrayList<>();
    private long next = 1;
    private boolean fails;
    private @Nullable CountDownLatch gate;

    @Override
    public long block(String name, long start, int count) {
      CountDownLatch closed = gate;
      if (closed != null) {
        try {
          closed.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      synchronized (this) {
        if (fails) {
          throw new IllegalStateException("the disk is full");
        }
        next = Math.max(next, start);
        long first = next;
        next += count;
        asked.add(count);
        return first;
      }
    }

    @Override
    public Term claim(String holder, int count, long milliseconds, long now) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean renew(int worker, String holder, long milliseconds, long until) {
      throw new UnsupportedOperationException();
    }
  }

  private final Counter counter = new Counter();

  private static List<Long> keys(SegmentKeys of, int count) {
    return KeyWaits.allowing(() -> of.next(count)).stream()
        .map(key -> ((SqlValue.Int) key).value())
        .toList();
  }

  @Test
  void keysOfOneStatementFollowOneAnother() {
    var keys = new SegmentKeys("t", "ds", 10, 1);
    keys.serve(counter);
    long last = 0;
    for (int count : new int[] {1, 3, 7, 10, 25, 1, 2}) {
      List<Long> made = keys(keys, count);
      assertThat(made).hasSize(count);
      assertThat(made.getFirst()).isGreaterThan(last);
      assertThat(made.getLast() - made.getFirst()).isEqualTo(count - 1L);
      last = made.getLast();
    }
    assertThat(counter.asked).contains(10, 25);
  }

  @Test
  void givesNoNumberTwiceToManyThreads() throws InterruptedException {
    List<SegmentKeys> proxies =
        List.of(new SegmentKeys("t", "ds", 7, 1), new SegmentKeys("t", "ds", 3, 1));
    proxies.forEach(keys -> keys.serve(counter));
    Set<Long> seen = ConcurrentHashMap.newKeySet();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 16; i++) {
      SegmentKeys keys = proxies.get(i % 2);
      int most = 1 + i;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int of = 0; of < 50; of++) {
                      seen.addAll(keys(keys, most));
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    // 8 threads each ask for 1, 3 … 15 and 2, 4 … 16 keys, 50 times
    assertThat(seen).hasSize(50 * (64 + 72));
  }

  @Test
  void eventLoopsDoNotWait() {
    var closed = new CountDownLatch(1);
    counter.gate = closed;
    var keys = new SegmentKeys("t", "ds", 10, 5);
    keys.serve(counter);

    assertThat(catchThrowableOfType(RefusedException.class, keys::next))
        .matches(refused -> refused.is(ErrorCatalogue.KEYS_AWAITED));
    closed.countDown();
    assertThat(keys(keys, 1)).containsExactly(5L);
    assertThat(keys.next()).isEqualTo(new SqlValue.Int(6));
  }

  /** The next block is there before the first one is used up. */
  @Test
  void fetchesAhead() throws InterruptedException {
    var keys = new SegmentKeys("t", "ds", 4, 1);
    keys.serve(counter);
    keys(keys, 2);
    for (int tries = 0; tries < 1000 && counter.asked.size() < 2; tries++) {
      Thread.sleep(5);
    }
    assertThat(counter.asked).containsExactly(4, 4);
  }

  @Test
  void tellsWhyThereAreNoKeysAndAsksAgain() {
    counter.fails = true;
    var keys = new SegmentKeys("orders", "ds", 10, 1);
    assertThatThrownBy(() -> keys(keys, 1))
        .hasMessageContaining("no keys of orders can be made: the proxy does not run");
    keys.serve(counter);
    assertThatThrownBy(() -> keys(keys, 1)).hasMessageContaining("the disk is full");
    counter.fails = false;
    assertThat(keys(keys, 1)).containsExactly(1L);
  }

  @Test
  void checksItsProperties() {
    assertThatThrownBy(
            () -> SegmentKeys.create(new AlgorithmProperties(Map.of("name", "a'b", "step", "0"))))
        .isInstanceOf(InvalidPropertiesException.class)
        .hasMessageContaining("name must be 1 to 128 letters")
        .hasMessageContaining("data-source is required")
        .hasMessageContaining("step must be from 1");
  }
}
