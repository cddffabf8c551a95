package io.anabranch.protocol.parameter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The types of an execution of which several connections do a part each. */
class TypeHistoryTest {

  private static final byte[] WHOLE = {ParameterKind.SIGNED};

  private record Values(NumberText text, @Nullable String written, byte... kinds)
      implements TypedParameters {

    @Override
    public @Nullable String written(int parameter) {
      return written;
    }

    @Override
    public int count() {
      return kinds.length;
    }

    @Override
    public byte kind(int parameter) {
      return kinds[parameter];
    }

    @Override
    public NumberText number(int parameter) {
      return text;
    }
  }

  private final TypeHistory history = new TypeHistory();

  private static Values values(byte... kinds) {
    return new Values(NumberText.POSITIVE, "1", kinds);
  }

  @Test
  void aValueElsewhereSettlesTheTypesOfAll() {
    Values values = values(ParameterKind.SIGNED, ParameterKind.DECIMAL);
    assertThat(history.settle(values, WHOLE, new int[] {0})).isNull();
    assertThat(history.settle(values, WHOLE, new int[] {1}))
        .containsExactly(ParameterKind.SIGNED, ParameterKind.DECIMAL);
    history.begin();
    assertThat(history.settle(values, WHOLE, new int[] {0}))
        .containsExactly(ParameterKind.SIGNED, ParameterKind.DECIMAL);
  }

  @Test
  void whateverPartComesFirst() {
    Values values = values(ParameterKind.TEXT, ParameterKind.DECIMAL);
    history.settle(values, WHOLE, new int[] {1});
    assertThat(history.settle(values, WHOLE, new int[] {0}))
        .containsExactly(ParameterKind.SIGNED, ParameterKind.DECIMAL);
  }

  @Test
  void textsThatAreNumbersCountAsThese() {
    Values values = values(ParameterKind.TEXT, ParameterKind.DECIMAL);
    assertThat(history.settle(values, WHOLE, new int[] {0})).isNull();
    assertThat(history.settle(values, WHOLE, new int[] {1}))
        .containsExactly(ParameterKind.SIGNED, ParameterKind.DECIMAL);
  }

  /** It would have run with another type: who has the second part sees that it is not its own. */
  @Test
  void whatHasRunIsNotChanged() {
    Values values = values(ParameterKind.SIGNED, ParameterKind.DOUBLE);
    byte[] decimal = {ParameterKind.DECIMAL};
    assertThat(history.settle(values, decimal, new int[] {0})).isNull();
    assertThat(history.settle(values, decimal, new int[] {1}))
        .containsExactly(ParameterKind.LOST, ParameterKind.LOST);
    history.refused();
    // the server would have done it
    history.begin();
    assertThat(history.settled(0)).isEqualTo(ParameterKind.SIGNED);
    assertThat(history.settled(1)).isEqualTo(ParameterKind.DOUBLE);
  }

  @Test
  void aPartThatWasNotAskedLeavesTheTypesUnknown() {
    Values values = values(ParameterKind.SIGNED, ParameterKind.DECIMAL);
    assertThat(history.settle(values, WHOLE, new int[] {0})).isNull();
    history.refused();
    history.begin();
    assertThat(history.settled(0)).isEqualTo(ParameterKind.LOST);
    assertThat(history.settle(values, WHOLE, new int[] {1}))
        .containsExactly(ParameterKind.LOST, ParameterKind.LOST);
  }

  @Test
  void theSamePartsAgainDecideNothing() {
    Values values = values(ParameterKind.SIGNED, ParameterKind.SIGNED);
    for (int part : new int[] {0, 1, 0}) {
      assertThat(history.settle(values, WHOLE, new int[] {part})).isNull();
    }
  }

  private static byte @Nullable [] settled(byte derived, byte kind, String written) {
    var values = new Values(NumberText.NONE, written, kind, ParameterKind.DECIMAL);
    return TypeHistory.settle(
        null, values, new byte[] {derived, ParameterKind.SIGNED}, new int[] {0, 1});
  }

  private static byte settledMoment(byte derived, byte kind, String written) {
    return Objects.requireNonNull(settled(derived, kind, written))[0];
  }

  /** Measured with MySQL 9.7, whose Com_stmt_reprepare tells. */
  @Test
  void textsAndNumbersAreTheTimesThatServersReadInThem() {
    for (byte day : new byte[] {ParameterKind.DATE, ParameterKind.DATETIME}) {
      for (String each : List.of("2024-01-05", " 2024-01-05", "2024-02-30")) {
        assertThat(settledMoment(day, ParameterKind.TEXT, each)).isEqualTo(ParameterKind.DATE);
      }
      for (String each : List.of("2024-01-05 00:00:00", "2024-01-05T10:00", "2024-01-05 12")) {
        assertThat(settledMoment(day, ParameterKind.BYTES, each)).isEqualTo(ParameterKind.DATETIME);
      }
      for (String each : List.of("", " ", "c1", ":", "-1")) {
        assertThat(settledMoment(day, ParameterKind.TEXT, each)).isEqualTo(ParameterKind.TEXT);
      }
      for (String each : List.of("20240105", "20240230", "20240105.5")) {
        assertThat(settledMoment(day, ParameterKind.DECIMAL, each)).isEqualTo(ParameterKind.DATE);
      }
      for (String each : List.of("0", "0.0", "20240105120000")) {
        assertThat(settledMoment(day, ParameterKind.DOUBLE, each))
            .isEqualTo(ParameterKind.DATETIME);
      }
      for (String each : List.of("1", "100", "-1", "99999999", "20240105240000")) {
        assertThat(settledMoment(day, ParameterKind.SIGNED, each)).isEqualTo(ParameterKind.SIGNED);
      }
      for (String each : List.of("2024-01-05 x", "2024-01-05Z", "10:00", "5")) {
        assertThat(settledMoment(day, ParameterKind.TEXT, each)).isEqualTo(ParameterKind.OPEN);
      }
    }
    byte time = ParameterKind.TIME;
    for (String each : List.of("10:00:00", "5", "100000")) {
      assertThat(settledMoment(time, ParameterKind.TEXT, each)).isEqualTo(time);
    }
    assertThat(settledMoment(time, ParameterKind.SIGNED, "7595959")).isEqualTo(time);
    assertThat(settledMoment(time, ParameterKind.TEXT, "2024-01-05")).isEqualTo(ParameterKind.TEXT);
    assertThat(settledMoment(time, ParameterKind.TEXT, "2024-01-05 10:00:00"))
        .isEqualTo(ParameterKind.DATETIME);
  }

  @Test
  void aMomentIsNoDay() {
    byte[] day = {ParameterKind.DATE};
    int[] one = {0};
    var moment = new Values(NumberText.NONE, "2024-01-05 10:00:00", ParameterKind.TEXT);
    assertThat(TypeHistory.settle(null, moment, day, one)).containsExactly(ParameterKind.DATETIME);
    var perhaps = new Values(NumberText.NONE, "2024-01-05 10:00:00Z", ParameterKind.TEXT);
    assertThat(TypeHistory.settle(null, perhaps, day, one)).containsExactly(ParameterKind.OPEN);
    var none = new Values(NumberText.NONE, "x", ParameterKind.TEXT);
    assertThat(TypeHistory.settle(null, none, day, one)).isNull();
    // the server may have the former time in its place
    byte[] before = {ParameterKind.DATETIME};
    assertThat(TypeHistory.settle(before, none, day, one)).containsExactly(ParameterKind.LOST);
  }

  @Test
  void whatOnlyTheServerKnewIsLostForTheNextExecution() {
    byte[] types = {ParameterKind.DATETIME, ParameterKind.SIGNED};
    int[] both = {0, 1};
    var open = new Values(NumberText.NONE, "5", ParameterKind.TEXT, ParameterKind.DECIMAL);
    history.begin();
    assertThat(history.settle(open, types, both))
        .containsExactly(ParameterKind.OPEN, ParameterKind.DECIMAL);
    history.begin();
    assertThat(history.settle(open, types, both))
        .containsExactly(ParameterKind.LOST, ParameterKind.DECIMAL);
  }
}
