package io.anabranch.rules.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.planner.SelectLayout.Span;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which expressions servers compute with more digits than they tell. */
class QuotientsTest {

  private static Quotients of(String text) {
    return new Quotients(SqlTokens.of(text), Set.of(), false);
  }

  private static Span all(Quotients quotients) {
    return new Span(0, quotients.tokens().size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a / 3", "AVG(a)", "IFNULL(a / 3, 0)", "ROUND(a / 3, b)", "(SELECT a / 3 FROM t)"})
  void haveMoreDigits(String text) {
    Quotients quotients = of(text);
    assertThat(quotients.divides(all(quotients))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a DIV 3",
        "avg",
        "ROUND(a / 3, 2)",
        "ROUND(AVG(a))",
        "CAST(a / 3 AS DECIMAL(20,9))",
        "CONCAT(a / 3)",
        "'a / 3'"
      })
  void haveTheDigitsThatAreTold(String text) {
    Quotients quotients = of(text);
    assertThat(quotients.divides(all(quotients))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SUM(a) / 3 | false",
        "3 / SUM(a) | false",
        "100 * SUM(a) / (COUNT(*) + 1) | false",
        "AVG(a / 3) | false",
        "a / 3 | true",
        "w / 7 + MAX(a) / 3 | true",
        "IFNULL(w / 7, MAX(a)) | true"
      })
  void divideBesideAggregates(String text, boolean beside) {
    Quotients quotients = of(text);
    assertThat(quotients.dividesBesideAggregates(all(quotients))).isEqualTo(beside);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT x FROM (SELECT a / 3 x FROM t) y | true",
        "SELECT z FROM (SELECT x AS z FROM (SELECT a / 3 x FROM t) y) v | true",
        "SELECT q FROM (SELECT a / 3 FROM t) y (q) | true",
        "SELECT k FROM (SELECT a / 3 x, k FROM t) y | false",
        "SELECT x FROM (SELECT AVG(a) x FROM t) y | false",
        "SELECT x FROM (SELECT a / 3 x FROM t LIMIT 9) y | false"
      })
  void comeFromDerivedTables(String query, boolean more) {
    SqlTokens tokens = SqlTokens.of(query);
    Span item = Quotients.items(tokens, 0).getFirst();
    Quotients quotients =
        Quotients.of(tokens, List.of(new Span(item.behind(), tokens.size())), false);
    assertThat(quotients.mayHaveMore(item)).isEqualTo(more);
  }
}
