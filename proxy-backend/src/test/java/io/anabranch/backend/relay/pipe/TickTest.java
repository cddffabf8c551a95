package io.anabranch.backend.relay.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TickTest {

  private static final long MILLISECOND = 1_000_000;

  @ParameterizedTest
  @ValueSource(longs = {0, 1000 * MILLISECOND, Long.MAX_VALUE - 5 * MILLISECOND})
  void onTimeItCountsTheTimeInWhichAStatementWasTheFirst(long from) {
    var tick = new Tick(from, from + Tick.NANOS);
    assertThat(tick.isLate()).isFalse();
    assertThat(tick.counted(from - 40 * MILLISECOND)).isEqualTo(Tick.NANOS);
    assertThat(tick.counted(from)).isEqualTo(Tick.NANOS);
    assertThat(tick.counted(from + 4 * MILLISECOND)).isEqualTo(6 * MILLISECOND);
    assertThat(tick.counted(from + Tick.NANOS)).isZero();
  }

  @Test
  void aLittleLateIsOnTime() {
    var tick = new Tick(0, Tick.NANOS + MILLISECOND);
    assertThat(tick.isLate()).isFalse();
    assertThat(tick.counted(0)).isEqualTo(Tick.NANOS);
  }

  @Test
  void aLoopThatStoodStillCountsAsIfItHadBeenOnTime() {
    var tick = new Tick(0, 500 * MILLISECOND);
    assertThat(tick.isLate()).isTrue();
    assertThat(tick.counted(0)).isEqualTo(Tick.NANOS);
    assertThat(tick.counted(498 * MILLISECOND)).isEqualTo(2 * MILLISECOND);
  }
}
