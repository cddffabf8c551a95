package io.anabranch.rules.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Literals in the place of markers, and what columns are called then. */
class MarkerLiteralsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "SELECT ?, 'it''s', id + ? AS x FROM t WHERE a = ? LIMIT ?"
            + "|SELECT i0 AS `?`, 'it''s', id + o1 AS x FROM t WHERE a = l2 LIMIT l3",
        "SELECT id FROM t WHERE a IN (?, 0x41, ?)|SELECT id FROM t WHERE a IN (l0, 0x41, l1)",
        "SELECT (SELECT ? FROM u), id FROM t|SELECT (SELECT o0 AS `?` FROM u) AS `(SELECT ? FROM"
            + " u)`, id FROM t",
        "SELECT id FROM t WHERE a = ? GROUP BY f(?) HAVING ? ORDER BY (?), b LIMIT ?"
            + "|SELECT id FROM t WHERE a = l0 GROUP BY f(k1) HAVING l2 ORDER BY (k3), b LIMIT l4",
        "SELECT SUM(a) OVER (ORDER BY a ROWS BETWEEN ? PRECEDING AND ? FOLLOWING) AS s,"
            + " MIN(a) OVER (ORDER BY d RANGE INTERVAL ? DAY PRECEDING) AS m, LAG(a, ?) OVER w AS l,"
            + " (SELECT b FROM u WHERE b > ? LIMIT ?, ?) AS b, (SELECT ? LIMIT ? OFFSET ?) AS c"
            + "|SELECT SUM(a) OVER (ORDER BY a ROWS BETWEEN l0 PRECEDING AND l1 FOLLOWING) AS s,"
            + " MIN(a) OVER (ORDER BY d RANGE INTERVAL l2 DAY PRECEDING) AS m, LAG(a, o3) OVER w AS l,"
            + " (SELECT b FROM u WHERE b > o4 LIMIT l5, l6) AS b, (SELECT o7 AS `?` LIMIT l8 OFFSET l9)"
            + " AS c",
        "INSERT INTO t VALUES (?, 'é')|INSERT INTO t VALUES (l0, 'é')",
        "SELECT `a` FROM t|SELECT `a` FROM t",
      })
  void ofAStatement(String sql, String expected) {
    SourceText source = SourceText.of(sql, LexerMode.DEFAULT);
    int markers = (int) sql.chars().filter(c -> c == '?').count();
    List<MarkerLiterals.Value> values =
        IntStream.range(0, markers)
            .mapToObj(i -> new MarkerLiterals.Value("l" + i, "i" + i, "o" + i, "k" + i))
            .toList();
    assertThat(MarkerLiterals.in(source, values)).isEqualTo(expected);
  }
}
