package io.anabranch.backend.relay.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlownessTest {

  private final Slowness slowness = new Slowness();

  private void answered(int times, long milliseconds) {
    for (int i = 0; i < times; i++) {
      slowness.answered(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }
  }

  /** The first whole millisecond that is slow. */
  private int slow() {
    int milliseconds = 0;
    while (!slowness.isReached(TimeUnit.MILLISECONDS.toNanos(milliseconds))) {
      milliseconds++;
    }
    return milliseconds;
  }

  @Test
  void whereNothingIsKnownOrAllAreQuickItIsTheLeast() {
    assertThat(slow()).isEqualTo(20);
    answered(1000, 0);
    assertThat(slow()).isEqualTo(20);
    answered(1000, 9);
    assertThat(slow()).isEqualTo(20);
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 15, 20, 25})
  void itIsTwiceWhatIsUsual(int usual) {
    answered(30, usual);
    assertThat(slow()).isBetween(2 * usual, 2 * usual * 9 / 8 + 1);
    answered(1000, usual);
    assertThat(slow()).isBetween(2 * usual - 1, 2 * usual * 9 / 8 + 1);
  }

  @Test
  void itIsNeverBeyondTheMost() {
    answered(1000, 10_000);
    assertThat(slow()).isEqualTo(60);
  }

  @Test
  void oneThatTakesForeverIsAnOutlierLikeAnyOther() {
    answered(1, 1_000_000);
    assertThat(slow()).isEqualTo(23);
    answered(64, 1);
    assertThat(slow()).isEqualTo(20);
  }

  @Test
  void fewOutliersChangeNothing() {
    for (int i = 0; i < 1000; i++) {
      answered(70, 1);
      answered(1, 1000);
    }
    assertThat(slow()).isEqualTo(23);
  }

  @Test
  void whereTheFirstOfEachConnectionWaitsThatIsUsual() {
    for (int i = 0; i < 100; i++) {
      answered(1, 20);
      answered(31, 0);
    }
    assertThat(slow()).isBetween(36, 47);
  }

  @Test
  void whenAllAreQuickAgainItComesDown() {
    answered(100, 80);
    assertThat(slow()).isEqualTo(60);
    answered(400, 1);
    assertThat(slow()).isLessThan(40);
    answered(600, 1);
    assertThat(slow()).isEqualTo(20);
  }
}
