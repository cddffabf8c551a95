package io.anabranch.rules.syntax.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.SqlTokens;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns are written {@code DATE}, words of the grammar {@code date}. */
class GrammarWordsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DATE = date '2000-01-01'",
        "DATE = date'2000-01-01' AND DATE < timestamp '2000-01-01 00:00:00'",
        "DAY + interval 1 day > DAY",
        "DAY + interval DAY day",
        "DAY + interval t.DAY day - interval -DAY day",
        "DAY + interval (DAY) day + interval ? day + interval @a day + interval `a` day",
        "interval if(1, 2, 3) hour + HOUR",
        "extract(day FROM DAY) + timestampdiff(hour, DAY, HOUR)",
        "cast(DATE AS date) = convert(DATE, date)",
        "convert(DATE, char)",
        "get_format(date, 'EUR')",
        "DATE collate utf8mb4_bin = _utf8mb4 'x'",
        "convert(DATE USING latin1)",
        "UNKNOWN is unknown OR UNKNOWN is not unknown",
        "f(DAY, HOUR) in (DAY, HOUR) AND not DAY",
        "case DAY when HOUR then DAY else DAY end",
        "DAY = 1 order by DAY, HOUR desc",
        "json_value(DATE, '$' returning date)",
      })
  void areTold(String sql) {
    SqlTokens tokens = SqlTokens.of(sql);
    String words = texts(tokens, true);
    String columns = texts(tokens, false);
    assertThat(words).isEqualTo(words.toLowerCase(Locale.ROOT));
    assertThat(columns).isEqualTo(columns.toUpperCase(Locale.ROOT));
  }

  private static String texts(SqlTokens tokens, boolean ofGrammar) {
    return tokens
        .all()
        .where(
            token ->
                tokens.isAnyWord(token, "DATE", "DAY", "HOUR", "TIMESTAMP", "UNKNOWN")
                    && GrammarWords.isAt(tokens, token) == ofGrammar)
        .stream()
        .map(tokens::text)
        .collect(Collectors.joining(" "));
  }
}
