package io.anabranch.rules.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which expressions servers compute with more digits than they tell. */
class QuotientsTest {

  private static Quotients of(String text) {
    return Quotients.of(SqlTokens.of(text));
  }

  private static Span all(Quotients quotients) {
    return new Span(0, quotients.tokens().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a / 3", "AVG(a)", "IFNULL(a / 3, 0)", "(SELECT a / 3 FROM t)"})
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
        "ROUND(a / 3, b)",
        "IF(a, 1.5, 1.25)",
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
    SelectSpans select = SelectSpans.at(tokens, 0);
    Quotients quotients = Quotients.of(tokens, select.body(), false, false);
    assertThat(quotients.mayHaveMore(select.items(tokens).getFirst())).isEqualTo(more);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "IF(a, 1.5, 1.25)",
        "CASE WHEN a THEN d ELSE 1.25 END",
        "SUM(IFNULL(d, 0))",
        "ROUND(d, a)",
        "ROUND(d, 1 + 1)",
        "a / 3"
      })
  void mayHaveOtherDigitsThanAreTold(String text) {
    assertThat(padded(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ROUND(d, 2)",
        "ROUND(d, -1)",
        "ROUND(d, ?)",
        "ROUND(d)",
        "CAST(IFNULL(d, 0) AS DECIMAL(9,2))",
        "t.if",
        "SUM(d) * 1.10"
      })
  void haveTheDigitsThatAreToldAndNoFewer(String text) {
    assertThat(padded(text)).isFalse();
  }

  private static boolean padded(String text) {
    SqlTokens tokens = SqlTokens.of(text);
    return Quotients.of(tokens, List.of(), true, false).divides(new Span(0, tokens.size()));
  }
}
