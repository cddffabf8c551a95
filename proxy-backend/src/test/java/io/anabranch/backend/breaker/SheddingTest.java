package io.anabranch.backend.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.model.protection.Priority;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SheddingTest {

  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long START = Long.MAX_VALUE - MILLISECOND;

  private final Shedding shedding = new Shedding("ds_0", 5, 1000);

  private static long at(long milliseconds) {
    return START + milliseconds * MILLISECOND;
  }

  @Test
  void whereTheLineIsFullAnybodyMayHaveToGo() {
    shedding.begins(at(0));
    assertThat(shedding.upTo(5, at(1))).isNull();
    assertThat(shedding.upTo(6, at(1))).isEqualTo(Priority.HIGH);
  }

  @Test
  void whereTheLineMovesTooSlowlyTheLowestGo() {
    shedding.begins(at(0));
    for (int i = 1; i <= 20; i++) {
      shedding.served(at(i * 300L));
    }
    assertThat(shedding.upTo(3, at(6001))).isNull();
    assertThat(shedding.upTo(4, at(6001))).isEqualTo(Priority.LOW);
  }

  @Test
  void aLineThatStandsIsSlow() {
    shedding.begins(at(0));
    assertThat(shedding.upTo(2, at(400))).isNull();
    assertThat(shedding.upTo(2, at(501))).isEqualTo(Priority.LOW);
  }

  @Test
  void aLineThatBeginsAnewKnowsNothingOfTheFormer() {
    shedding.begins(at(0));
    shedding.served(at(900));
    shedding.begins(at(2000));
    assertThat(shedding.upTo(4, at(2001))).isNull();
  }

  @Test
  void withoutABoundAnyNumberMayWait() {
    var unbounded = new Shedding("ds_0", 0, 1000);
    unbounded.begins(at(0));
    assertThat(unbounded.upTo(100_000, at(0))).isNull();
  }

  @Test
  void tellsWhenThereMayBeRoom() {
    shedding.begins(at(0));
    shedding.served(at(300));
    assertThat(shedding.refusal(4, at(301)))
        .hasMessage(
            "AB2076: data source 'ds_0' has more to do than it can, 4 statements wait for a"
                + " connection; try again in 1200 ms");
    assertThat(shedding.shed()).isEqualTo(1);
  }
}
