package io.anabranch.rules.lexer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextShapesTest {

  private static final List<String> STATEMENTS =
      List.of(
          "SELECT c FROM sbtest1 WHERE id=498731",
          "SELECT c FROM sbtest1 WHERE id BETWEEN 5 AND 104 ORDER BY c",
          "INSERT INTO sbtest3 (id, k, c, pad) VALUES (0, 5013, '83868641912-287', 'x')",
          "UPDATE account SET balance = balance - 7 WHERE id IN (1, 22, 333) LIMIT 5, 10",
          "select `a`, \"b\" , x'4D', 0x1F, n'q', _utf8'z' from t1.2e3 where a like 'k%' and b = -5",
          "select cast(a as decimal(10, 2)), 'it''s', @u := 5, 1.5e3 from t for update",
          "SELECT SQL_CALC_FOUND_ROWS a FROM t WHERE LAST_INSERT_ID() = 12 LIMIT 3 OFFSET 4",
          "(SELECT 1 FROM t WHERE a = 'x' 'y') UNION (SELECT 22 FROM u WHERE b = 'z')",
          "SELECT a FROM t WHERE b = 'x'\n  AND c = 3 INTO OUTFILE 'f'");

  private final TextShapes shapes = new TextShapes();
  private final SqlScanner scanner = new SqlScanner();

  private static byte[] bytes(String sql) {
    return sql.getBytes(ISO_8859_1);
  }

  private Scan scanned(byte[] sql, LexerMode mode) {
    return scanner.scan(sql, 0, sql.length, mode, new Scan());
  }

  private void learn(String sql, LexerMode mode) {
    byte[] text = bytes(sql);
    shapes.learn(scanned(text, mode), text.length, mode);
    shapes.learn(scanned(text, mode), text.length, mode);
  }

  private boolean isKnown(String sql, LexerMode mode) {
    byte[] text = bytes(sql);
    var read = new Scan();
    if (!shapes.read(text, 0, text.length, mode, read)) {
      return false;
    }
    assertThat(all(read)).as(sql).isEqualTo(all(scanned(text, mode)));
    return true;
  }

  private boolean isKnown(String sql) {
    return isKnown(sql, LexerMode.DEFAULT);
  }

  /** Everything that a scan says. */
  private static String all(Scan scan) {
    var text = new StringBuilder();
    for (int i = 0; i < scan.slotCount; i++) {
      text.append(scan.slotKinds[i])
          .append(' ')
          .append(scan.slotStarts[i])
          .append('-')
          .append(scan.slotEnds[i])
          .append(", ");
    }
    return text.append(scan.start + "-" + scan.end + " next " + scan.next + " ")
        .append(scan.kind + " " + scan.fingerprint + " parameters " + scan.parameterCount)
        .append(" ascii " + scan.ascii + " comment " + scan.executableComment)
        .append(" variable " + scan.userVariable + " locks " + scan.locking)
        .append(" notes " + scan.notes + " limit " + scan.limitSlot)
        .append(" hint " + scan.hintStart + "-" + scan.hintEnd + " offset " + scan.offsetSlot())
        .append(" " + new String(scan.copyNormalForm(), ISO_8859_1))
        .toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "SELECT c FROM sbtest1 WHERE id=498731|SELECT c FROM sbtest1 WHERE id=1",
        "SELECT c FROM sbtest1|SELECT c FROM sbtest1",
        "SELECT c FROM t WHERE id = 4|SELECT c FROM t WHERE id = 0",
        "DELETE FROM t WHERE a = 'x' AND b = 1|DELETE FROM t WHERE a = 'longer than that' AND b = 77",
        "DELETE FROM t WHERE a = 'x' LIMIT 5|DELETE FROM t WHERE a = '' LIMIT 100",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b')|INSERT INTO t VALUES (9, 'cc'), (88, 'd#--/*')",
      })
  void textsThatDifferInLiteralsAreKnown(String first, String second) {
    assertThat(isKnown(first)).isFalse();
    learn(first, LexerMode.DEFAULT);
    assertThat(isKnown(first)).isTrue();
    assertThat(isKnown(second)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT c FROM t1 WHERE id=-5 AND s='x'",
        "SELECT c FROM t1 WHERE id=5.5 AND s='x'",
        "SELECT c FROM t1 WHERE id=5e3 AND s='x'",
        "SELECT c FROM t1 WHERE id=0x5 AND s='x'",
        "SELECT c FROM t1 WHERE id=5 AND s='x' 'y'",
        "SELECT c FROM t1 WHERE id=5 AND s='x''y'",
        "SELECT c FROM t1 WHERE id=5 AND s='x\\'y'",
        "SELECT c FROM t1 WHERE id=5 AND s='é'",
        "SELECT c FROM t1 WHERE id=5 AND s='12345678é'",
        "SELECT c FROM t1 WHERE id=5 AND s='x",
        "SELECT c FROM t1 WHERE id=5 AND s=\"x\"",
        "SELECT c FROM t1 WHERE id=5 AND s='x';",
        "SELECT c FROM t1 WHERE id=5 AND s='x'; SELECT 1",
        "SELECT c FROM t1 WHERE id=5 AND s='x'--5",
        "SELECT c FROM t1 WHERE id=5 AND s=",
        "SELECT c FROM t1 WHERE id= AND s='x'",
        "SELECT c FROM t1 WHERE id=5",
        "SELECT C FROM t1 WHERE id=5 AND s='x'"
      })
  void otherTextsAreNot(String other) {
    learn("SELECT c FROM t1 WHERE id=5 AND s='x'", LexerMode.DEFAULT);
    assertThat(isKnown(other)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 5 FROM t",
        "SELECT c FROM t1 WHERE id=5;",
        "SELECT c FROM t1 WHERE id=?",
        "SELECT c FROM t1 WHERE id=5.5",
        "SELECT c FROM t1 WHERE id=\"a\"",
        "SELECT c FROM t1 /* trace 7 */ WHERE id=5",
        "SELECT c FROM t1 WHERE id=5 -- trace 7",
        "SELECT c FROM t1 WHERE id=5 # trace 7",
        "/* SHARDINGSPHERE_HINT: WRITE_ROUTE_ONLY=true */ SELECT c FROM t1 WHERE id=5",
        "SELECT é FROM t1 WHERE id=5 and a='x'"
      })
  void someAreNeverLearned(String sql) {
    learn(sql, LexerMode.DEFAULT);
    assertThat(isKnown(sql)).isFalse();
  }

  @Test
  void whatIsMetOnceIsNotLearned() {
    byte[] text = bytes(STATEMENTS.getFirst());
    shapes.learn(scanned(text, LexerMode.DEFAULT), text.length, LexerMode.DEFAULT);
    assertThat(isKnown(STATEMENTS.getFirst())).isFalse();
  }

  @Test
  void eachModeHasItsOwn() {
    var ansi = new LexerMode(true, false, DoubleBytes.NONE);
    String sql = "SELECT \"c\" FROM t1 WHERE \"id\" = 5";
    learn(sql, ansi);
    assertThat(isKnown(sql, LexerMode.DEFAULT)).isFalse();
    assertThat(isKnown(sql, ansi)).isTrue();
  }

  @Test
  void moreShapesThanThereIsRoomForPushOthersOut() {
    for (int i = 0; i < 10_000; i++) {
      learn("SELECT column_" + i + " FROM t WHERE id = 5 AND a = " + i, LexerMode.DEFAULT);
    }
    assertThat(isKnown("SELECT column_9999 FROM t WHERE id = 7 AND a = 0")).isTrue();
  }

  @Test
  void whatIsKnownIsReadAsTheScannerReadsIt() {
    var random = new Random(7);
    var modes =
        List.of(
            LexerMode.DEFAULT,
            new LexerMode(true, false, DoubleBytes.NONE),
            new LexerMode(false, true, DoubleBytes.NONE),
            new LexerMode(false, false, DoubleBytes.GBK));
    String inserted = "0123456789'\"`\\-#/*.;@(), exXnN_\u00e9\n";
    int known = 0;
    for (int round = 0; round < 40_000; round++) {
      LexerMode mode = modes.get(random.nextInt(modes.size()));
      String sql = STATEMENTS.get(random.nextInt(STATEMENTS.size()));
      byte[] text = bytes(sql);
      for (int i = random.nextInt(4); i > 0; i--) {
        int at = random.nextInt(text.length);
        byte other = (byte) inserted.charAt(random.nextInt(inserted.length()));
        if (random.nextBoolean()) {
          text[at] = other;
        } else {
          byte[] longer = Arrays.copyOf(text, text.length + 1);
          System.arraycopy(text, at, longer, at + 1, text.length - at);
          longer[at] = other;
          text = longer;
        }
      }
      String changed = new String(text, ISO_8859_1);
      if (isKnown(changed, mode)) {
        known++;
      }
      shapes.learn(scanned(text, mode), text.length, mode);
    }
    assertThat(known).isGreaterThan(1000);
  }
}
