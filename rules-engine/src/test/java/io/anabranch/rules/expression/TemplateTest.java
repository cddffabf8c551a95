package io.anabranch.rules.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected results are those of Groovy. */
class TemplateTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          t_${id % 4}                                       | 7            | t_3
          t_$->{id % 4}                                     | 7            | t_3
          t_${id % 4}                                       | -1           | t_-1
          t_${Math.abs(id % 4)}                             | -1           | t_1
          t_${id / 2}                                       | 4            | t_2
          t_${id / 2}                                       | 5            | t_2.5
          t_${id / 3}                                       | 1            | t_0.3333333333
          t_${(int) (id / 2)}                               | 5            | t_2
          t_${(long)(id / 2) % 4}                           | 11           | t_1
          t_${id.intdiv(10) % 4}                            | 57           | t_1
          t_${id * 1000003}                                 | 2147483647   | t_2146483645
          t_${id * 2}                                       | 2147483648   | t_4294967296
          t_${id.toLong() * 2}                              | 2147483647   | t_4294967294
          t_${id + 1}                                       | 2147483647   | t_-2147483648
          t_${2 + id * 3 - 4}                               | 5            | t_13
          t_${(2 + id) * 3 % 5}                             | 5            | t_1
          t_${-id}                                          | 5            | t_-5
          t_${id > 5 ? 'big' : 'small'}                     | 6            | t_big
          t_${id >= 5 && id <= 7 ? 1 : 0}                   | 8            | t_0
          t_${!(id != 3) ? 'three' : id}                    | 4            | t_4
          t_${id < 10 ? 0 : id < 20 ? 1 : 2}                | 15           | t_1
          t_${id.toString().padLeft(3, '0')}                | 7            | t_007
          t_${id.toString().padLeft(2,'0')}                 | 777          | t_777
          t_${id.toString().substring(1)}                   | 987          | t_87
          t_${id.toString().substring(0, 2).toInteger() % 7}| 987          | t_0
          t_${id.toString()[-1]}                            | 987          | t_7
          t_${id.toString()[-2..-1]}                        | 987          | t_87
          t_${id.toString()[0..-2]}                         | 987          | t_98
          t_${id.hashCode() % 4}                            | 6            | t_2
          t_${Math.floorMod(id, 4)}                         | -1           | t_3
          t_${[3, 5, 9][id]}                                | 1            | t_5
          t_${"x" + id + 'y'}                               | 1            | t_x1y
          a${id % 2}_b${id % 3}_c                           | 5            | a1_b2_c
          t_${id as_typo}                                   | 1            | !
          """)
  void evaluatesLikeGroovy(String source, long id, String expected) {
    Object value = Numbers.fitted(id);
    if (expected.equals("!")) {
      assertThatThrownBy(() -> Template.parse(source)).isInstanceOf(ExpressionException.class);
      return;
    }
    assertThat(Template.parse(source).evaluate(value)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          t_${Long.parseLong(no) % 3}                  | 20240008 | t_1
          t_${no.toLong() % 3}                         | 20240008 | t_1
          t_${no.substring(0, 4)}                      | 20240008 | t_2024
          t_${Math.abs(no.hashCode()) % 4}             | abc      | t_2
          t_${no.toUpperCase().startsWith('AB') ? 1:2} | abc      | t_1
          t_${no.length()}                             | abc      | t_3
          """)
  void takesStrings(String source, String no, String expected) {
    assertThat(Template.parse(source).evaluate(no)).isEqualTo(expected);
  }

  @Test
  void or() {
    Template template = Template.parse("t_${id == 3 || id == 4 ? 1 : 0}");

    assertThat(template.evaluate(4)).isEqualTo("t_1");
    assertThat(template.evaluate(5)).isEqualTo("t_0");
  }

  @Test
  void takesNumbersBeyondLong() {
    Template template = Template.parse("t_${id % 4}");

    assertThat(template.evaluate(new BigInteger("18446744073709551615"))).isEqualTo("t_3");
    assertThatThrownBy(() -> template.evaluate(new BigDecimal("1.5")))
        .isInstanceOf(ExpressionException.class)
        .hasMessageContaining("intdiv");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          t_${id                        | 4  | '{' is not closed
          t_$id                         | 3  | write ${name}
          t_${id +}                     | 9  | unexpected 'end of the expression'
          t_${id.execute()}             | 8  | the method 'execute' with 0 arguments is not supported
          t_${new Date()}               | 5  | 'new' is not supported
          t_${System.exit(0)}           | 12 | the method 'exit' with 1 arguments is not supported
          t_${println(1)}               | 5  | the function 'println' is not supported
          t_${id; 1}                    | 7  | unexpected character ';'
          t_${'abc}                     | 4  | '{' is not closed
          t_${"a$b"}                    | 7  | '$' is not supported inside a string
          t_${id.padLeft(2)             | 4  | '{' is not closed
          t_${}                         | 5  | unexpected 'end of the expression'
          t_${((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))} | 37 | nested too deeply
          """)
  void tellsWhereItDoesNotParse(String source, int character, String reason) {
    assertThatThrownBy(() -> Template.parse(source))
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> {
              assertThat(e).hasMessageContaining(reason);
              assertThat(e.position()).isEqualTo(character - 1);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          t_${id % 0}                | 1 | division by zero
          t_${id / 0}                | 1 | division by zero
          t_${id.padLeft(3)}         | 1 | convert it with .toString()
          t_${id / 2 % 2}            | 1 | use .intdiv()
          t_${'x' % 2}               | 1 | convert it with .toLong()
          t_${'x'.toLong()}          | 1 | not a number: 'x'
          t_${'x'.substring(5)}      | 1 | beyond a string of 1 characters
          t_${'x'.padLeft(9999999)}  | 1 | 256 characters at most
          t_${0..99999999}           | 1 | elements at most
          t_${id < 'x' ? 1 : 2}      | 1 | cannot compare an integer with a string
          """)
  void tellsWhatItCannotEvaluate(String source, int id, String reason) {
    Template template = Template.parse(source);

    assertThatThrownBy(
            () -> {
              if (template.variables().isEmpty()) {
                template.evaluate();
              } else {
                template.evaluate(id);
              }
            })
        .isInstanceOf(ExpressionException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void knowsTheCommonestShape() {
    assertThat(Template.parse("a_${x % 8}_b").asModulo())
        .isEqualTo(new Template.Modulo("a_", 8, "_b"));
    assertThat(Template.parse("a_${x % 8}${y % 2}").asModulo()).isNull();
    assertThat(Template.parse("a_${(x + 1) % 8}").asModulo()).isNull();
    assertThat(Template.parse("a_${x * 8}").asModulo()).isNull();
    assertThat(Template.parse("a_").asModulo()).isNull();
  }
}
