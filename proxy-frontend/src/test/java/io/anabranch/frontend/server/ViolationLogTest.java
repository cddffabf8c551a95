package io.anabranch.frontend.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ViolationLogTest {

  @Test
  void aFloodIsOneLineInAWhileWithACount() {
    var now = new AtomicLong();
    var log = new ViolationLog(now::get);
    assertThat(log.next()).isZero();
    for (int i = 0; i < 400; i++) {
      assertThat(log.next()).isEqualTo(-1);
    }
    now.addAndGet(Duration.ofSeconds(5).toNanos());
    assertThat(log.next()).isEqualTo(400);
    assertThat(log.next()).isEqualTo(-1);
  }
}
