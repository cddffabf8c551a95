package io.anabranch.backend.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.breaker.CircuitBreaker.State;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.protection.BreakerSettings;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CircuitBreakerTest {

  private static final int BAD = 1041;

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
  private final AtomicInteger told = new AtomicInteger();
  private final CircuitBreaker breaker =
      new CircuitBreaker(
          "ds",
          new BreakerSettings(50, 100, 75, 4, 10_000, 1000, 2),
          clock::get,
          told::incrementAndGet);

  private void answered(int errno) {
    breaker.answered(breaker.now(), breaker.now(), errno);
  }

  private void answeredAfter(long milliseconds, int errno) {
    long begun = breaker.now();
    after(milliseconds);
    breaker.answered(begun, breaker.now(), errno);
  }

  private void after(long milliseconds) {
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(milliseconds));
  }

  private void open() {
    for (int i = 0; i < 4; i++) {
      answered(BAD);
    }
    assertThat(breaker.status().state()).isEqualTo(State.OPEN);
  }

  @Test
  void opensWhenEnoughAnswersAreErrors() {
    answered(BAD);
    answered(BAD);
    answered(0);
    assertThat(breaker.isClosed()).isTrue();
    assertThat(breaker.refusal()).isNull();
    answered(BAD);
    RefusedException refusal = Objects.requireNonNull(breaker.refusal());
    assertThat(refusal.is(ErrorCatalogue.DATA_SOURCE_RESTS)).isTrue();
    assertThat(refusal)
        .hasMessageContaining("3 of its last 4 answers")
        .hasMessageContaining("1000 ms");
    assertThat(refusal.isAway()).isTrue();
    assertThat(refusal.isUnreachable()).isFalse();
    assertThat(told).hasValue(1);
    assertThat(breaker.status())
        .isEqualTo(
            new CircuitBreaker.Status(
                State.OPEN, "3 of its last 4 answers were errors of the server", 1, 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1044, 1054, 1062, 1064, 1142, 1146, 1205, 1213, 1317, 1644, 1969, 3024})
  void neverOpensForWhatClientsDo(int errno) {
    for (int i = 0; i < 1000; i++) {
      answered(errno);
      if (errno != 0) {
        answeredAfter(200, errno);
      }
    }
    assertThat(breaker.isClosed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 1021, 1026, 1040, 1041, 1053, 1135})
  void opensForWhatServersSayOfThemselves(int errno) {
    for (int i = 0; i < 4; i++) {
      answered(errno);
    }
    assertThat(breaker.isClosed()).isFalse();
  }

  @Test
  void opensForBrokenConnectionsAndThoseThatCannotBeOpened() {
    breaker.lost(breaker.now());
    breaker.lost(breaker.now());
    breaker.unreachable();
    assertThat(breaker.isClosed()).isTrue();
    breaker.unreachable();
    assertThat(breaker.isClosed()).isFalse();
  }

  @Test
  void opensWhenEnoughAnswersAreSlow() {
    answeredAfter(99, 0);
    answeredAfter(100, 0);
    answeredAfter(100, 0);
    assertThat(breaker.isClosed()).isTrue();
    answeredAfter(500, 0);
    assertThat(breaker.status().reason())
        .isEqualTo("3 of its last 4 answers took 100 ms or longer");
  }

  @Test
  void oldAnswersAreForgotten() {
    for (int i = 0; i < 3; i++) {
      answered(BAD);
    }
    after(10_001);
    answered(BAD);
    assertThat(breaker.isClosed()).isTrue();
  }

  @Test
  void fewTryItAfterTheRestAndCloseIt() {
    open();
    after(999);
    assertThat(breaker.refusal()).isNotNull();
    after(1);
    assertThat(breaker.refusal()).isNull();
    assertThat(breaker.refusal()).isNull();
    assertThat(breaker.refusal()).isNotNull();
    assertThat(breaker.status().state()).isEqualTo(State.HALF_OPEN);
    answered(1064);
    answered(0);
    assertThat(breaker.isClosed()).isTrue();
    assertThat(breaker.status().reason()).isNull();
    answered(BAD);
    answered(BAD);
    assertThat(breaker.isClosed()).as("what was before is forgotten").isTrue();
  }

  @Test
  void aTrialThatFailsOpensItAgain() {
    open();
    after(1000);
    assertThat(breaker.refusal()).isNull();
    answered(BAD);
    assertThat(breaker.status())
        .isEqualTo(new CircuitBreaker.Status(State.OPEN, "a trial failed", 2, 0));
    after(1000);
    assertThat(breaker.refusal()).isNull();
    answeredAfter(100, 0);
    assertThat(breaker.status().reason()).isEqualTo("a trial was slow");
  }

  @Test
  void whatBeganBeforeSaysNothing() {
    long before = breaker.now();
    after(1);
    open();
    after(1000);
    assertThat(breaker.refusal()).isNull();
    breaker.lost(before);
    breaker.answered(before, breaker.now(), BAD);
    breaker.answered(before, breaker.now(), 0);
    breaker.answered(before, breaker.now(), 0);
    assertThat(breaker.status().state()).isEqualTo(State.HALF_OPEN);
  }

  @Test
  void trialsWithoutAnswersMakeRoomForOthers() {
    open();
    after(1000);
    assertThat(breaker.refusal()).isNull();
    assertThat(breaker.refusal()).isNull();
    after(999);
    assertThat(breaker.refusal()).isNotNull();
    after(1);
    assertThat(breaker.refusal()).isNull();
  }

  /** Else a database whose statements take longer than the rest would stay half open for ever. */
  @Test
  void trialsThatTakeLongerThanTheRestCloseIt() {
    var patient =
        new CircuitBreaker(
            "ds",
            new BreakerSettings(50, 0, 75, 4, 10_000, 1000, 2),
            clock::get,
            told::incrementAndGet);
    for (int i = 0; i < 4; i++) {
      patient.unreachable();
    }
    after(1000);
    assertThat(patient.refusal()).isNull();
    long first = patient.now();
    after(1500);
    assertThat(patient.refusal()).as("others are given").isNull();
    long second = patient.now();
    after(500);
    patient.answered(first, patient.now(), 0);
    assertThat(patient.isClosed()).isFalse();
    after(1000);
    patient.answered(second, patient.now(), 0);
    assertThat(patient.isClosed()).isTrue();
  }

  @Test
  void isTriedAtOnceWhenTheDatabaseWasFoundWell() {
    breaker.recovered();
    assertThat(breaker.isClosed()).isTrue();
    open();
    breaker.recovered();
    assertThat(breaker.refusal()).isNull();
    assertThat(breaker.status().state()).isEqualTo(State.HALF_OPEN);
  }

  @Test
  void whoWaitsIsRefusedOnlyWhileItIsOpen() {
    assertThat(breaker.refusalInLine()).isNull();
    open();
    assertThat(breaker.refusalInLine()).isNotNull();
  }
}
