package io.anabranch.rules.effort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WishTest {

  private final AtomicLong account = new AtomicLong();
  private final Wish wish = new Wish(account::addAndGet);

  @Test
  void countsWhatIsKeptWhileSomebodyWaits() {
    PlanningRoom.here(
        wish,
        () -> {
          wish.keep(7);
          wish.keep(5);
          return "";
        });
    assertThat(account).hasValue(12);
  }

  @Test
  void countsNothingOnceThePlanIsThere() {
    PlanningRoom.here(wish, () -> "");
    wish.keep(7);
    assertThat(account).hasValue(0);
  }

  @Test
  void keepsNothingForWhoHasGone() {
    wish.abandon();
    assertThatThrownBy(() -> wish.keep(7)).isInstanceOf(RefusedException.class);
    assertThat(account).hasValue(0);
  }

  @Test
  void endsTheReadingOfWhoIsNotWaitedForAnyMore() {
    assertThatThrownBy(
            () ->
                PlanningRoom.here(
                    wish,
                    () -> {
                      wish.abandon();
                      wish.keep(7);
                      return "";
                    }))
        .isInstanceOf(RefusedException.class);
    assertThat(account).hasValue(0);
    assertThat(Thread.interrupted()).isFalse();
  }
}
