package io.anabranch.rules.lexer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceTextTest {

  private static List<String> tokens(String sql) {
    SqlTokens tokens = SqlTokens.of(sql);
    var found = new ArrayList<String>();
    for (int i = 0; i < tokens.size(); i++) {
      found.add(tokens.text(i) + ":" + tokens.kind(i));
    }
    return found;
  }

  @Test
  void joinsOperatorsAndKeepsKindsApart() {
    assertThat(tokens("a<=>-1 || `b`.c:=@d /* x */ ->>'e'"))
        .containsExactly(
            "a:WORD",
            "<=>:OPERATOR",
            "-:OPERATOR",
            "1:NUMBER",
            "||:OPERATOR",
            "`b`:QUOTED",
            ".:PUNCTUATION",
            "c:WORD",
            ":=:OPERATOR",
            "@d:VARIABLE",
            "->>:OPERATOR",
            "'e':STRING");
  }

  /** What names of columns may have inside stays; so do hints, versions and lines. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "/* a */ select 'é' /* b */ + 1 from/* c */t/* d */| select 'é' /* b */ + 1 from t",
        "select f(/* a */ b), c from t where /* d */ e -- f| select f(/* a */ b), c from t where e",
        "select /*+ a */ b from /*! c */ d # e| select /*+ a */ b from /*! c */ d",
        "/* ANABRANCH_HINT: a=b */ select c /* d */| /* ANABRANCH_HINT: a=b */ select c",
        "select a, /* b */ c + 1, /* d */ e from t| select a, /* b */ c + 1, /* d */ e from t",
        "select a from t /*! where b /*!50000 and c */ */| select a from t /*! where b /*!50000 and c */ */",
        "select 'a' /* b */ 'c' from t| select 'a' /* b */ 'c' from t",
        "delete from t where a > 5 --/* b */1 and c = 7| delete from t where a > 5 --/**/1 and c = 7",
        "delete from t where a > 5 -/* b */-/* c */ 1| delete from t where a > 5 -/**/-/**/1",
      })
  void leavesCommentsOut(String sql, String left) {
    SourceText text = SourceText.of(sql, LexerMode.DEFAULT).withoutComments();
    assertThat(text.text().strip().replaceAll(" +", " ")).isEqualTo(left);
  }

  @Test
  void linesAreThoseOfTheText() {
    SourceText text = SourceText.of("a -- b\nc /* d\n\n */ d", LexerMode.DEFAULT);
    assertThat(text.withoutComments().text().chars().filter(c -> c == '\n').count()).isEqualTo(3);
    SourceText plain = SourceText.of("a\n b", LexerMode.DEFAULT);
    assertThat(plain.withoutComments()).isSameAs(plain);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "a /* b */ /* c| 10",
        "a; /* c| -1",
        "a /*/| 2",
        "/*| 0",
        "a /**/ -- /*| -1",
        "a /*! b| -1",
        "a /*!99999 ' */ '/*' b| -1",
        "a /*! b /*! c */| -1",
        "a '/*' `/*`| -1",
        "a '/*| 2",
        "a 'b' 'c''| 6",
        "a `b| 2",
        "a 'b\\'| 2",
        "a x'41| 2",
        "a @'b| 3",
        "a; 'b| -1",
        "a /*! */ 'b| -1",
      })
  void commentsAndQuotesMayHaveNoEnd(String sql, int unclosed) {
    byte[] bytes = sql.getBytes(UTF_8);
    Scan scan = new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
    assertThat(scan.unreadable()).isEqualTo(unclosed);
  }

  @Test
  void aCommentWithoutAnEndIsAStatement() {
    byte[] bytes = "a; /* c".getBytes(UTF_8);
    Scan scan = new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
    assertThat(scan.next()).isEqualTo(3);
    assertThat(new SqlScanner().scan(bytes, 3, bytes.length, LexerMode.DEFAULT, scan).unreadable())
        .isEqualTo(3);
  }

  /** One in another is run as it stands, and what closes it closes both. */
  @Test
  void versionCommentsHoldOthers() {
    assertThat(tokens("a /*! b /*!50000 c */ d"))
        .containsExactly(
            "a:WORD",
            "/*!:EXECUTABLE_START",
            "b:WORD",
            "/*!50000:EXECUTABLE_START",
            "c:WORD",
            "*/:EXECUTABLE_END",
            "d:WORD");
  }

  @Test
  void countsParentheses() {
    SqlTokens tokens = SqlTokens.of("f(a,(b)) c");
    assertThat(tokens.depth(0)).isZero();
    assertThat(tokens.depth(2)).isEqualTo(1);
    assertThat(tokens.depth(5)).isEqualTo(2);
    assertThat(tokens.closing(1)).isEqualTo(7);
    assertThat(tokens.closing(4)).isEqualTo(6);
    assertThat(tokens.depth(8)).isZero();
  }

  @Test
  void unquotesNames() {
    SqlTokens tokens = SqlTokens.of("`a``b` c");
    assertThat(tokens.name(0)).isEqualTo("a`b");
    assertThat(tokens.name(1)).isEqualTo("c");
    assertThat(tokens.isName(0)).isTrue();
  }

  @Test
  void mapsCharactersToBytesWhereTokensBegin() {
    byte[] packet = "x; select 'é', größe, 1 from t".getBytes(UTF_8);
    Scan scan = new SqlScanner().scan(packet, 3, packet.length, LexerMode.DEFAULT, new Scan());
    SourceText source = SourceText.of(scan, UTF_8, LexerMode.DEFAULT);
    assertThat(source.text()).isEqualTo("select 'é', größe, 1 from t");
    SqlTokens tokens = source.tokens();
    for (int i = 0; i < tokens.size(); i++) {
      int from = source.byteOffset(tokens.start(i));
      int to = source.byteOffset(tokens.end(i));
      assertThat(new String(source.bytes(), from, to - from, UTF_8)).isEqualTo(tokens.text(i));
    }
    assertThat(source.byteOffset(source.text().length())).isEqualTo(source.bytes().length);
  }

  /** Long literals are decoded in pieces: characters may lie across their borders. */
  @Test
  void decodesLongLiterals() {
    String literal = "x" + "é€😀".repeat(40_000);
    byte[] broken = ("select 'y" + literal + "', 2").getBytes(UTF_8);
    broken[8] = (byte) 0xFF;
    Scan scan = new SqlScanner().scan(broken, 0, broken.length, LexerMode.DEFAULT, new Scan());
    SourceText source = SourceText.of(scan, UTF_8, LexerMode.DEFAULT);
    assertThat(source.text()).isEqualTo("select '\uFFFD" + literal + "', 2");
    assertThat(source.text()).isEqualTo(new String(broken, UTF_8));
    assertThat(source.byteOffset(source.tokens().start(3))).isEqualTo(broken.length - 1);
    assertThat(source.byteOffset(source.tokens().end(1))).isEqualTo(broken.length - 3);
  }
}
