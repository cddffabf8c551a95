package io.anabranch.rules.lexer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenRangeTest {

  private static final SqlTokens TOKENS =
      SqlTokens.of("SELECT `from`, t.limit, (SELECT 1, 2 FROM b LIMIT 1) FROM T LIMIT 5");

  @Test
  void findsTheFirstTheLastAndAll() {
    assertThat(TOKENS.all().find(token -> TOKENS.isWord(token, "SELECT"))).isZero();
    assertThat(TOKENS.from(1).find(token -> TOKENS.isWord(token, "SELECT"))).isEqualTo(8);
    assertThat(TOKENS.all().findLast(token -> TOKENS.isWord(token, "SELECT"))).isEqualTo(8);
    assertThat(TOKENS.from(9).find(token -> TOKENS.isWord(token, "SELECT"))).isEqualTo(-1);
    assertThat(TOKENS.all().where(token -> TOKENS.kind(token) == TokenKind.NUMBER))
        .extracting(TOKENS::text)
        .containsExactly("1", "2", "1", "5");
    assertThat(TOKENS.all().count(token -> TOKENS.kind(token) == TokenKind.NUMBER)).isEqualTo(4);
    assertThat(TOKENS.between(9, 12).consistsOf(token -> !TOKENS.isName(token))).isTrue();
    assertThat(TOKENS.between(8, 12).consistsOf(token -> !TOKENS.isName(token))).isFalse();
  }

  @Test
  void anEmptyRangeHasNothing() {
    TokenRange empty = TOKENS.between(3, 3);
    assertThat(empty.isEmpty()).isTrue();
    assertThat(empty.hasWord("SELECT", "FROM")).isFalse();
    assertThat(empty.consistsOf(token -> false)).isTrue();
    assertThat(empty.parts()).isEmpty();
    assertThat(empty.skipWords("T")).isEqualTo(3);
    assertThat(empty.texts()).isEmpty();
  }

  /** Names in whatever case, literals byte by byte; ß is no ss. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "a.B + Sum(c)|A.b + SUM(C)|true",
        "`maße` + b|`MAßE` + B|true",
        "maße|masse|false",
        "f(N'a')|F(N'a')|true",
        "f(N'a')|f(N'A')|false",
        "_latin1'a'|_LATIN1'a'|true",
        "_latin1'a'|_latin1'A'|false",
        "s = BINARY 'a'|s = binary 'A'|false",
        "a, b|a|false"
      })
  void saysTheSame(String left, String right, boolean same) {
    TokenRange one = SqlTokens.of(left).all();
    TokenRange other = SqlTokens.of(right).all();
    assertThat(one.saysSame(other)).isEqualTo(same);
    assertThat(one.saying().equals(other.saying())).isEqualTo(same);
  }

  @Test
  void wordsAreUnquotedAndClausesStandOnTheLevelWithoutPoints() {
    assertThat(TOKENS.all().findWord("FROM")).isEqualTo(12);
    assertThat(TOKENS.all().findWord("limit", "from")).isEqualTo(5);
    assertThat(TOKENS.all().findClause("LIMIT")).isEqualTo(19);
    assertThat(TOKENS.from(8).findClause("LIMIT")).isEqualTo(14);
    assertThat(TOKENS.all().findClause("OFFSET")).isEqualTo(-1);
  }

  @Test
  void namesAreAskedWithoutTheOtherTokens() {
    assertThat(TOKENS.between(1, 7).names())
        .extracting(TOKENS::text)
        .containsExactly("`from`", "t", "limit");
    assertThat(TOKENS.all().words("from", "T"))
        .extracting(TOKENS::text)
        .containsExactly("t", "FROM", "FROM", "T");
    assertThat(TOKENS.all().findName(token -> TOKENS.isPunctuation(token - 1, '.'))).isEqualTo(5);
    assertThat(TOKENS.between(6, 8).findName(_ -> true)).isEqualTo(-1);
    assertThat(TOKENS.between(6, 8).hasName(_ -> true)).isFalse();
    assertThat(TOKENS.between(20, 40).names()).isEmpty();
    assertThat(TOKENS.between(-2, 2).names()).containsExactly(0, 1);
    assertThat(TOKENS.between(19, 40).hasWord("LIMIT")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0, 21", "1, 7", "6, 8", "8, 9", "20, 21", "21, 21"})
  void namesAreThoseThatAreOneByOne(int first, int behind) {
    TokenRange range = TOKENS.between(first, behind);
    assertThat(range.names()).isEqualTo(range.where(TOKENS::isName));
  }

  @Test
  void aLevelEndsWhereItIsClosedOrWhereATokenIsSo() {
    assertThat(TOKENS.from(9).until(1, token -> TOKENS.isWord(token, "FROM"))).isEqualTo(12);
    assertThat(TOKENS.from(9).until(1, token -> TOKENS.isWord(token, "WHERE"))).isEqualTo(16);
    assertThat(TOKENS.from(17).until(0, token -> false)).isEqualTo(TOKENS.size());
  }

  @Test
  void parenthesesCanBeLeftOut() {
    assertThat(TOKENS.from(6).outside(open -> true)).containsExactly(6, 7, 17, 18, 19, 20);
    assertThat(TOKENS.from(14).outside(open -> true)).startsWith(14, 15, 16);
    assertThat(TOKENS.all().outside(open -> false)).hasSize(TOKENS.size());
  }

  @Test
  void textKeepsWhatTouches() {
    assertThat(TOKENS.between(1, 9).text()).isEqualTo("`from`, t.limit, (SELECT");
    assertThat(SqlTokens.of("a  /* b */  c").all().text()).isEqualTo("a c");
    assertThat(TOKENS.between(3, 3).text()).isEmpty();
  }

  @Test
  void anythingSeparatesParts() {
    assertThat(TOKENS.all().parts(token -> TOKENS.isWord(token, "FROM")))
        .containsExactly(new Span(0, 17), new Span(18, 21));
  }

  @Test
  void namesAreFoundQuotedOrNot() {
    assertThat(TOKENS.all().hasName("From")).isTrue();
    assertThat(TOKENS.all().hasName("t")).isTrue();
    assertThat(TOKENS.all().findName(Set.of("b", "limit"))).isEqualTo(5);
    assertThat(TOKENS.all().hasKind(TokenKind.STRING)).isFalse();
    assertThat(TOKENS.all().hasKind(TokenKind.QUOTED)).isTrue();
  }

  @Test
  void callsQualifiersAndSlotsAreFound() {
    SqlTokens tokens = SqlTokens.of("SELECT f(a.b.c), db.g (?), t.* FROM (u) WHERE x = 5");
    assertThat(tokens.all().calls()).extracting(tokens::text).containsExactly("f", "g", "FROM");
    assertThat(tokens.all().qualifiers()).extracting(tokens::text).containsExactly("a", "db", "t");
    assertThat(tokens.all().slots()).extracting(tokens::text).containsExactly("?", "5");
    assertThat(tokens.text(tokens.beforeOpenings(tokens.all().findWord("u")))).isEqualTo("FROM");
    assertThat(SqlTokens.of("((a").beforeOpenings(2)).isEqualTo(-1);
  }

  @Test
  void partsAreWhatCommasOnTheLevelSeparate() {
    assertThat(TOKENS.between(1, 17).parts())
        .containsExactly(new Span(1, 2), new Span(3, 6), new Span(7, 17));
    assertThat(TOKENS.between(9, 12).parts()).containsExactly(new Span(9, 10), new Span(11, 12));
  }

  @ParameterizedTest
  @CsvSource({"((a)), 2, 3", "(a)+(b), 0, 7", "(a), 1, 2", "a, 0, 1", "(), 1, 1"})
  void parenthesesAroundAllAreTakenOff(String text, int first, int behind) {
    TokenRange range = SqlTokens.of(text).all().unwrapped();
    assertThat(new Span(range.first(), range.behind())).isEqualTo(new Span(first, behind));
  }

  @Test
  void wordsInFrontAreLeftOut() {
    SqlTokens tokens = SqlTokens.of("DELETE LOW_PRIORITY quick FROM t");
    assertThat(tokens.from(1).skipWords("QUICK", "LOW_PRIORITY")).isEqualTo(3);
    assertThat(tokens.from(1).skipWords("IGNORE")).isEqualTo(1);
    assertThat(tokens.from(4).skipWords("T")).isEqualTo(5);
    assertThat(tokens.between(3, 5).texts()).containsExactly("FROM", "t");
  }
}
