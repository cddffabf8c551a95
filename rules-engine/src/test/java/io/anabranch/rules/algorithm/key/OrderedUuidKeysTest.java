package io.anabranch.rules.algorithm.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.value.SqlValue;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class OrderedUuidKeysTest {

  private static final RandomGenerator NO_LOT =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          return 0x18C4DC0C0C07398FL << 2;
        }

        @Override
        public int nextInt(int bound) {
          return 0xCC3 % bound;
        }
      };

  private long now = 0x017F22E279B0L;

  /** The time of the RFC's example, its random bits, a counter. */
  @Test
  void hasTheLayoutOfTheRfc() {
    var keys = new OrderedUuidKeys(() -> now, NO_LOT);

    assertThat(next(keys)).isEqualTo("017f22e279b07" + "4c3" + "98c4dc0c0c07398f");
    assertThat(next(keys)).isEqualTo("017f22e279b07" + "4c4" + "98c4dc0c0c07398f");
  }

  @Test
  void risesWhateverTheClockDoes() {
    var keys = new OrderedUuidKeys(() -> now, new Random(7));
    String last = "";
    for (int i = 0; i < 20_000; i++) {
      String key = next(keys);
      assertThat(key).matches("[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}").isGreaterThan(last);
      last = key;
      now += i % 1000 == 0 ? -3 : i % 100 == 0 ? 1 : 0;
    }
  }

  private static String next(OrderedUuidKeys keys) {
    return ((SqlValue.Text) keys.next()).value();
  }
}
