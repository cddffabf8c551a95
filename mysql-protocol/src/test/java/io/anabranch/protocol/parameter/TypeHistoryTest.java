package io.anabranch.protocol.parameter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The types of an execution of which several connections do a part each. */
class TypeHistoryTest {

  private static final byte[] WHOLE = {ParameterKind.SIGNED};

  private record Values(NumberText text, byte... kinds) implements TypedParameters {

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
    return new Values(NumberText.POSITIVE, kinds);
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
    assertThat(history.settle(values, decimal, new int[] {1})).isNull();
  }

  @Test
  void theSamePartsAgainDecideNothing() {
    Values values = values(ParameterKind.SIGNED, ParameterKind.SIGNED);
    for (int part : new int[] {0, 1, 0}) {
      assertThat(history.settle(values, WHOLE, new int[] {part})).isNull();
    }
  }
}
