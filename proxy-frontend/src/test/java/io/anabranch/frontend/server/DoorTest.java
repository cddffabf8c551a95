package io.anabranch.frontend.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.model.ProxyProperties.Ending;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoorTest {

  @ParameterizedTest
  @CsvSource({
    "NOBODY,       550, 3000, 9999, false",
    "WHO_RESTS,   9999, 3000, 2999, false",
    "WHO_RESTS,   9999, 3000, 3000, true",
    "WHO_RESTS,    550, 3000,  549, false",
    "WHO_RESTS,    550, 3000,  550, true",
    "WHO_RESTS,    550,  200,  199, false",
    "WHO_RESTS,    550,  200,  200, true",
    "WHO_IS_DONE,  550, 3000,  549, false",
    "WHO_IS_DONE,  550, 3000,  550, true",
    "EVERYBODY,   9999, 3000,    0, true"
  })
  void sendsAwayWhoIsSilent(Drain whom, long most, long quiet, long silence, boolean isSentAway) {
    var door = new Door(new Ending(0, quiet, 10_000, 10_000, 30_000));
    door.drain(whom, most);
    assertThat(door.isQuiet(TimeUnit.MILLISECONDS.toNanos(silence))).isEqualTo(isSentAway);
  }
}
