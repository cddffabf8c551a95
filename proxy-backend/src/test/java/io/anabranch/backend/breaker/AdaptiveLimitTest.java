package io.anabranch.backend.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.model.protection.OverloadSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AdaptiveLimitTest {

  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int ANSWERS = 20;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 7);
  private final List<Integer> told = new ArrayList<>();
  private final AdaptiveLimit limit =
      new AdaptiveLimit(new OverloadSettings(0, true, 4, 2), 40, now::get, this::note);

  private void note() {
    told.add(limit.limit());
  }

  /** A window in which each answer takes so long. */
  private void window(long milliseconds) {
    window(milliseconds, 0);
  }

  private void window(long milliseconds, int errno) {
    for (int i = 0; i < ANSWERS; i++) {
      now.addAndGet(6 * MILLISECOND);
      limit.answered(now.get() - milliseconds * MILLISECOND, now.get(), errno);
    }
  }

  private void learn() {
    for (int i = 0; i < 30; i++) {
      window(10);
    }
  }

  @Test
  void nothingIsHeldBackWhileAnswersTakeWhatTheyUsuallyDo() {
    learn();
    window(19);
    window(5);

    assertThat(limit.limit()).isEqualTo(40);
    assertThat(told).isEmpty();
  }

  @Test
  void theSlowerItIsTheMoreIsHeldBack() {
    learn();
    window(25);
    assertThat(limit.limit()).isBetween(30, 34);
    window(1000);
    assertThat(limit.limit()).isBetween(15, 17);
    for (int i = 0; i < 10; i++) {
      window(1000);
    }

    assertThat(limit.limit()).as("the least").isEqualTo(4);
    assertThat(told.getLast()).isEqualTo(4);
  }

  @Test
  void allAreBackWithinAFewWindows() {
    learn();
    for (int i = 0; i < 10; i++) {
      window(1000);
    }
    for (int i = 0; i < 6; i++) {
      window(10);
    }

    assertThat(limit.limit()).isEqualTo(40);
  }

  @Test
  void allAreBackWhereNobodyHasBeenForAWhile() {
    learn();
    window(1000);
    now.addAndGet(TimeUnit.SECONDS.toNanos(11));
    limit.answered(now.get() - 1000 * MILLISECOND, now.get(), 0);

    assertThat(limit.limit()).isEqualTo(40);
  }

  @Test
  void whoWaitsDoesNotWaitForAnswersThatNeverCome() {
    learn();
    for (int i = 0; i < 10; i++) {
      window(1000);
    }
    limit.waitedFor();
    assertThat(limit.limit()).as("answers come").isEqualTo(4);
    for (int i = 0; i < 3; i++) {
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      limit.waitedFor();
    }

    assertThat(limit.limit()).isBetween(6, 7);
  }

  @Test
  void aFewLongStatementsSayNothing() {
    learn();
    for (int i = 0; i < 200; i++) {
      now.addAndGet(6 * MILLISECOND);
      long took = (i % 3 == 0 ? 5000 : 10) * MILLISECOND;
      limit.answered(now.get() - took, now.get(), 0);
    }

    assertThat(limit.limit()).isEqualTo(40);
  }

  @Test
  void errorsSayNothing() {
    learn();
    window(1000, 1205);

    assertThat(limit.limit()).isEqualTo(40);
  }

  @Test
  void smallDifferencesSayNothing() {
    for (int i = 0; i < 30; i++) {
      window(1);
    }
    window(5);

    assertThat(limit.limit()).isEqualTo(40);
  }

  @Test
  void whatStaysSlowBecomesUsual() {
    learn();
    for (int i = 0; i < 1000; i++) {
      window(30);
    }

    assertThat(limit.limit()).isEqualTo(40);
  }
}
