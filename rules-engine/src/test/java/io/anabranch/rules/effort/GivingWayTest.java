package io.anabranch.rules.effort;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class GivingWayTest {

  /** None of them would ever wait: nothing else would run. */
  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void othersRunBesideThreadsThatNeverWait() throws InterruptedException {
    var isOver = new AtomicBoolean();
    List<Thread> busy = new ArrayList<>();
    for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
      busy.add(Thread.ofVirtual().start(() -> work(isOver)));
    }
    Thread.ofVirtual().start(() -> isOver.set(true)).join();
    for (Thread each : busy) {
      each.join();
    }
    assertThat(isOver).isTrue();
  }

  private static void work(AtomicBoolean isOver) {
    var others = new GivingWay();
    while (!isOver.get()) {
      others.step();
    }
  }
}
