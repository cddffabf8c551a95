package io.anabranch.rules.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowExpressionTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          t_${0..2}                              | t_0 t_1 t_2
          t_$->{0..2}                            | t_0 t_1 t_2
          <GROOVY>t_${0..1}                      | t_0 t_1
          ds.t                                   | ds.t
          ${['a','b']}_t${1..2}                  | a_t1 a_t2 b_t1 b_t2
          ds_${0..1}.t_${0..1}                   | ds_0.t_0 ds_0.t_1 ds_1.t_0 ds_1.t_1
          ds_0.t_${0..1},ds_1.t_${2..4}          | ds_0.t_0 ds_0.t_1 ds_1.t_2 ds_1.t_3 ds_1.t_4
          ` ds_0.t_0 , ds_0.t_1 `                | ds_0.t_0 ds_0.t_1
          t_${[1, 3, 'x']}                       | t_1 t_3 t_x
          t_${3..1}                              | t_3 t_2 t_1
          t_${'a'..'c'}                          | t_a t_b t_c
          t_${(0..2).collect{ t -> t.toString().padLeft(2,'0') }}  | t_00 t_01 t_02
          t_${(1..2).collect { it * 10 }}        | t_10 t_20
          t_${(1..2).collect { a -> a * (0..2).size() }} | t_3 t_6
          t_${[1] + [5]}                         | t_1 t_5
          <LITERAL>ds_0.t_0, ds_0.t_1            | ds_0.t_0 ds_0.t_1
          <LITERAL>t_${0..1}                     | t_${0..1}
          <INTERVAL>P=t_;SP=yyyyMM;DIA=1;DIU=Months;DL=202411;DU=202502 | t_202411 t_202412 t_202501 t_202502
          <INTERVAL>DU=2024;DL=2020;SP=yyyy;DIU=Years;DIA=2;P=t_  | t_2020 t_2022 t_2024
          <INTERVAL>P=t_;SP=yyyyMMdd;DL=20240228;DU=20240301      | t_20240228 t_20240229 t_20240301
          """)
  void expands(String source, String expected) {
    assertThat(RowExpression.expand(source)).containsExactly(expected.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          t_${x}                    | unknown name 'x'
          t_${0..                   | '{' is not closed
          <JS>t_${0..1}             | unknown expression type '<JS>'
          <INTERVAL>P=t_            | SP= is missing
          <INTERVAL>P=t_;X=1        | unknown part 'X'
          <INTERVAL>P=t_;SP=yyyyMM;DIA=1;DIU=Moons;DL=202411;DU=202502 | unknown unit 'Moons'
          <INTERVAL>P=t_;SP=yyyyMM;DIA=0;DIU=Months;DL=202411;DU=202502 | DIA must be positive
          ${0..999}${0..999}        | more than 100000 names
          ${0..999999}              | 100000 elements at most
          """)
  void refuses(String source, String reason) {
    assertThatThrownBy(() -> RowExpression.expand(source))
        .isInstanceOf(ExpressionException.class)
        .hasMessageContaining(reason);
  }
}
