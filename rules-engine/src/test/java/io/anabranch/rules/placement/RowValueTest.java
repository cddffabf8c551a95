package io.anabranch.rules.placement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.value.SqlValue;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which value of a row is known, and which one a database alone can tell. */
class RowValueTest {

  private static @Nullable SqlValue bound(String value) {
    byte[] sql = ("DO (" + value + ")").getBytes(UTF_8);
    Scan scan = new SqlScanner().scan(sql, 0, sql.length, LexerMode.DEFAULT, new Scan());
    SqlTokens tokens = SourceText.of(scan, UTF_8, LexerMode.DEFAULT).tokens();
    return RowValue.of(tokens, new Span(2, tokens.size() - 1))
        .bind(new TextSlotValues().over(scan, UTF_8, LexerMode.DEFAULT));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "-1, -1",
    "+1, 1",
    "- -1, 1",
    "- - -1, -1",
    "-+-1, 1",
    "+-1, -1",
    "(-1), -1",
    "-(1), -1",
    "-(-(1)), 1",
    "TRUE, 1",
    "-TRUE, -1",
    "- -TRUE, 1",
    "-FALSE, 0"
  })
  void signsOfNumbersCount(String value, long number) {
    assertThat(bound(value)).isEqualTo(new SqlValue.Int(number));
  }

  /** A minus makes a number of a text and of a day, and a second one does not take that back. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-'1'",
        "- -'1e2'",
        "- - -'1e2'",
        "-+-'1'",
        "-(-'1')",
        "(- -'1')",
        "- -x'31'",
        "-DATE '2020-01-03'",
        "- -DATE '2020-01-03'",
        "-(DATE '2020-01-03')",
        "-TIMESTAMP '2020-01-03 00:00:00'",
        "- -TIMESTAMP '2020-01-03 00:00:00.5'"
      })
  void nobodyKnowsWhatAMinusMakesOfAText(String value) {
    assertThat(bound(value)).isIn(null, SqlValue.Unknown.UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"'1e2'", "+'1e2'", "+ +'1e2'", "(+'1e2')"})
  void aPlusChangesNothing(String value) {
    assertThat(bound(value)).isEqualTo(new SqlValue.Text("1e2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"DATE '2020-01-03'", "+DATE '2020-01-03'"})
  void daysAreKnown(String value) {
    assertThat(bound(value)).isEqualTo(new SqlValue.Date(LocalDate.of(2020, 1, 3)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-NULL", "- -NULL", "NULL"})
  void nothingStaysNothing(String value) {
    assertThat(bound(value)).isEqualTo(SqlValue.Null.NULL);
  }
}
