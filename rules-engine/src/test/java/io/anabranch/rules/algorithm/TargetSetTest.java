package io.anabranch.rules.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TargetSetTest {

  @Test
  void numbersArePaddedToTheShortestSuffix() {
    TargetSet padded =
        new TargetSet(IntStream.range(0, 12).mapToObj(i -> String.format("t_%02d", i)).toList());

    assertThat(padded.indexOfSuffix(3)).isEqualTo(3);
    assertThat(padded.indexOfSuffix(11)).isEqualTo(11);
    assertThat(padded.indexOfSuffix(12)).isEqualTo(-1);
    assertThat(padded.indexOfSuffix(-1)).isEqualTo(-1);
  }

  @Test
  void onlyNamesWithTheFirstPrefixAreNumbered() {
    TargetSet targets = new TargetSet(List.of("a_1", "b_2", "a_03", "a_4", "a_4x5", "a_"));

    assertThat(targets.indexOfSuffix(1)).isZero();
    assertThat(targets.indexOfSuffix(2)).isEqualTo(-1);
    assertThat(targets.indexOfSuffix(3)).isEqualTo(-1);
    assertThat(targets.indexOfSuffix(4)).isEqualTo(3);
    assertThat(targets.indexOfSuffix(5)).isEqualTo(-1);
    assertThat(targets.indexOf("b_2")).isEqualTo(1);
    assertThat(targets.indexOf("c")).isEqualTo(-1);
  }

  @Test
  void largeNumbersAreFound() {
    TargetSet targets = new TargetSet(List.of("t_202401", "t_202402"));

    assertThat(targets.indexOfSuffix(202402)).isEqualTo(1);
    assertThat(targets.indexOfSuffix(202403)).isEqualTo(-1);
  }
}
