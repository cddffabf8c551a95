package io.anabranch.frontend.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.model.protection.Limit.Rate;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tokens by a clock that the test moves, over the end of its numbers. */
class TokenBucketTest {
  private static final Rate TEN_WITH_FOUR_AT_ONCE = new Rate(10, 4);
  private static final long START = Long.MAX_VALUE - 5;
  private final TokenBucket bucket = new TokenBucket(START);
  private long now = START;

  private boolean takes() {
    return bucket.take(TEN_WITH_FOUR_AT_ONCE, now) == 0;
  }

  private void pass(long milliseconds) {
    now += TimeUnit.MILLISECONDS.toNanos(milliseconds);
  }

  @Test
  void givesTheBurstAndThenTheRate() {
    for (int i = 0; i < 4; i++) {
      assertThat(takes()).isTrue();
    }

    assertThat(takes()).isFalse();
    pass(99);
    assertThat(takes()).isFalse();
    pass(1);
    assertThat(takes()).isTrue();
    assertThat(takes()).isFalse();
  }

  @Test
  void tellsWhenThereWillBeOne() {
    for (int i = 0; i < 4; i++) {
      takes();
    }

    pass(30);
    assertThat(bucket.take(TEN_WITH_FOUR_AT_ONCE, now)).isEqualTo(70_000_000);
    now += 70_000_000;
    assertThat(takes()).isTrue();
  }

  @Test
  void restsNoLongerThanItsBurst() {
    pass(3_600_000);
    int taken = 0;

    while (takes()) {
      taken++;
    }

    assertThat(taken).isEqualTo(4);
  }

  @Test
  void refusalsTakeNothing() {
    for (int i = 0; i < 1000; i++) {
      takes();
    }

    pass(400);
    int taken = 0;

    while (takes()) {
      taken++;
    }

    assertThat(taken).isEqualTo(4);
  }

  @Test
  void givesTheRateOverALongTime() {
    int taken = 0;

    for (int millisecond = 0; millisecond < 10_000; millisecond++) {
      taken += takes() ? 1 : 0;
      pass(1);
    }

    assertThat(taken).isBetween(103, 104);
  }
}
