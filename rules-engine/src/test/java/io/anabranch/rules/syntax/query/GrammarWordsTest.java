package io.anabranch.rules.syntax.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.ReservedWords;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
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
        "json_value(MODE, '$' error on error)",
        "json_value(MODE, '$' returning char null on empty error on error) = ERROR",
        "match (TEXT) against ('x' in boolean mode) AND MODE = BOOLEAN",
        "match (TEXT) against (MODE in natural language mode)",
        "match (TEXT) against ('x' in natural language mode with query expansion) = QUERY",
        "match (TEXT) against ('x' with query expansion) AND LANGUAGE in (QUERY, EXPANSION)",
        "position(MODE in BOOLEAN) + position(QUERY in LANGUAGE)",
        "DAY + interval 1 sql_tsi_day + interval MODE sql_tsi_hour",
        "timestampadd(sql_tsi_day, MODE, DATE)",
        "cast(DATE at time zone 'UTC' as datetime) = cast(TIME as char character set ascii)",
        "cast(MODE as char ascii) = cast(LANGUAGE as unsigned) = convert(QUERY, signed)",
        "MODE like ESCAPE escape LANGUAGE and MODE sounds like LANGUAGE",
        "MODE member of (QUERY) and TIME = time '10:00'",
        "(next value for mode) + NEXT + previous value for mode + PREVIOUS",
        "substring(TEXT from VALUE for MODE) = trim(both MODE from TEXT)",
        "LANGUAGE = _utf8mb4 x'41' or MODE = _latin1'a' or interval ESCAPE day",
        "MODE = /*!50000 LANGUAGE + */ interval MODE /*!50000 day */",
        "case MODE when QUERY then LANGUAGE else TEXT end order by MODE asc, QUERY desc limit 1",
        "group_concat(MODE order by QUERY desc separator ',') div MODE mod LANGUAGE xor QUERY",
        "s.extract(DAY) + s.convert(MODE, DATE) + s.json_value(MODE, QUERY)",
        "MODE is unknown and not MODE and LANGUAGE is not true",
        "default + MODE + current_timestamp",
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
                tokens.kind(token) == TokenKind.WORD
                    && !ReservedWords.mayHave(tokens.text(token))
                    && !tokens.isPunctuation(token - 1, '.')
                    && !tokens.isPunctuation(token + 1, '.')
                    && !tokens.isPunctuation(token + 1, '(')
                    && GrammarWords.isAt(tokens, token) == ofGrammar)
        .stream()
        .map(tokens::text)
        .collect(Collectors.joining(" "));
  }
}
