package io.anabranch.frontend.notice;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {

  @Test
  void aFloodIsOneLineInAWhileWithACount() {
    var now = new AtomicLong();
    var pace = new Pace(now::get);
    assertThat(pace.next()).isZero();
    for (int i = 0; i < 400; i++) {
      assertThat(pace.next()).isEqualTo(-1);
    }
    now.addAndGet(Duration.ofSeconds(5).toNanos());
    assertThat(pace.next()).isEqualTo(400);
    assertThat(pace.next()).isEqualTo(-1);
  }
}
