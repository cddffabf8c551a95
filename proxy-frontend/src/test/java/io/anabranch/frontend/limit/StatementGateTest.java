package io.anabranch.frontend.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.model.protection.Limit.Rate;
import io.anabranch.rules.model.protection.Limit.Statements;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two places, and three in the line before them. */
class StatementGateTest {
  private final List<String> admitted = new ArrayList<>();
  private final StatementGate gate = new StatementGate(settings(2, 3));

  private static Statements settings(int most, int queue) {
    return new Statements(most, queue, 1000, Rate.UNLIMITED);
  }

  private QueuedStatement statement(String name) {
    return new QueuedStatement(Runnable::run, () -> admitted.add(name));
  }

  private void fill() {
    assertThat(gate.enter()).isTrue();
    assertThat(gate.enter()).isTrue();
    assertThat(gate.enter()).isFalse();
  }

  @Test
  void letsTheFirstInWhenOneHasEnded() {
    fill();
    assertThat(gate.join(statement("a"), false)).isTrue();
    assertThat(gate.join(statement("b"), false)).isTrue();
    assertThat(admitted).isEmpty();
    gate.leave();
    assertThat(admitted).containsExactly("a");
    gate.leave();
    assertThat(admitted).containsExactly("a", "b");
    assertThat(gate.running()).isEqualTo(2);
    assertThat(gate.waiting()).isZero();
  }

  @Test
  void prefersOpenTransactions() {
    fill();
    gate.join(statement("plain"), false);
    gate.join(statement("open"), true);
    gate.leave();
    assertThat(admitted).containsExactly("open");
  }

  @Test
  void nobodyOvertakesTheLine() {
    fill();
    gate.join(statement("a"), false);
    gate.leave();
    gate.join(statement("b"), false);
    assertThat(gate.enter()).isFalse();
    gate.leave();
    assertThat(admitted).containsExactly("a", "b");
  }

  @Test
  void aLineHasAnEnd() {
    fill();

    for (int i = 0; i < 3; i++) {
      assertThat(gate.join(statement("a"), false)).isTrue();
    }

    assertThat(gate.join(statement("late"), false)).isFalse();
    assertThat(gate.waiting()).isEqualTo(3);
  }

  @Test
  void whoGivesUpIsPassedOver() {
    fill();
    QueuedStatement gone = statement("gone");
    gate.join(gone, false);
    gate.join(statement("next"), false);
    assertThat(gone.giveUp()).isTrue();
    gate.leave();
    assertThat(admitted).containsExactly("next");
    gate.forget(gone);
    assertThat(gate.waiting()).isZero();
    assertThat(gate.running()).isEqualTo(2);
  }

  @Test
  void whoHasItsPlaceCannotGiveUp() {
    fill();
    QueuedStatement first = statement("first");
    gate.join(first, false);
    gate.leave();
    assertThat(first.giveUp()).isFalse();
  }

  @Test
  void otherNumbersLetOthersIn() {
    fill();
    gate.join(statement("a"), false);
    gate.join(statement("b"), false);
    gate.settings(settings(3, 3));
    assertThat(admitted).containsExactly("a");
    gate.settings(settings(0, 0));
    assertThat(admitted).containsExactly("a", "b");
    assertThat(gate.running()).isEqualTo(4);
  }

  @Test
  void nobodyIsForgottenAndNeverTooManyRun() throws InterruptedException {
    StatementGate wide = new StatementGate(settings(3, 1000));
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    int all = 20_000;
    CountDownLatch ended = new CountDownLatch(all);

    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < all; i++) {
        boolean first = i % 7 == 0;
        threads.execute(
            () -> {
              Runnable work =
                  () -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    now.decrementAndGet();
                    wide.leave();
                    ended.countDown();
                  };
              if (wide.enter()) {
                work.run();
              } else if (!wide.join(new QueuedStatement(threads, work), first)) {
                ended.countDown();
              }
            });
      }

      ended.await();
    }

    assertThat(most.get()).isBetween(1, 3);
    assertThat(wide.running()).isZero();
    assertThat(wide.waiting()).isZero();
  }
}
