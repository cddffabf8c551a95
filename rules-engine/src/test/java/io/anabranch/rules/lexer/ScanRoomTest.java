package io.anabranch.rules.lexer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ScanRoomTest {

  private static final class Counted implements ScanRoom {
    private final long limit;
    private long taken;

    Counted(long limit) {
      this.limit = limit;
    }

    @Override
    public void take(long bytes) {
      if (taken + bytes > limit) {
        throw new IllegalStateException("no room");
      }
      taken += bytes;
    }

    @Override
    public void give(long bytes) {
      taken -= bytes;
    }
  }

  private static Scan scan(String sql, Scan into) {
    byte[] bytes = sql.getBytes(UTF_8);
    return new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, into);
  }

  @Test
  void ofAStatementOfUsualSizeNobodyIsAsked() {
    var room = new Counted(0);
    assertThat(scan("DO " + "1, ".repeat(1000) + "1", new Scan(room)).slotCount()).isEqualTo(1001);
  }

  @Test
  void manyLiteralsTakeRoomUntilTheScanLetsGo() {
    var room = new Counted(Long.MAX_VALUE);
    var scan = new Scan(room);
    scan("DO " + "1, ".repeat(100_000) + "1", scan);
    assertThat(room.taken).isGreaterThan(12 * 100_000);
    scan.letGo();
    assertThat(room.taken).isZero();
    assertThat(scan.slotCount()).isZero();
    assertThat(scan.sql()).isEmpty();
  }

  @Test
  void theNextStatementGivesBack() {
    var room = new Counted(Long.MAX_VALUE);
    var scan = new Scan(room);
    scan("DO " + "1, ".repeat(100_000) + "1", scan);
    scan("DO 1", scan);
    assertThat(room.taken).isZero();
  }

  @Test
  void whereThereIsNoRoomTheScanEnds() {
    var scan = new Scan(new Counted(100_000));
    assertThatThrownBy(() -> scan("DO " + "1, ".repeat(100_000) + "1", scan)).hasMessage("no room");
    assertThat(scan("DO 1", scan).slotCount()).isEqualTo(1);
  }

  @Test
  void tokensAreNeverCountedTooFew() {
    for (String sql :
        new String[] {
          "SELECT a, 'b' AS c, 1.5e3 FROM t WHERE `a b`=? AND @x:=1 OR b<>-0x1F /* c */ LIMIT 3",
          "INSERT INTO t VALUES (1,'x'),(2,N'y')",
          "SELECT DATE '2024-01-01', _utf8'x', x'00', 1a, a.b.c",
          "INSERT INTO t VALUES (_binary'"
              + "(,".repeat(1000)
              + "', N'"
              + "a b".repeat(1000)
              + "')",
          "SELECT /*+ " + "a(b) ".repeat(1000) + " */ `" + "(".repeat(1000) + "`",
          ""
        }) {
      Scan scan = scan(sql, new Scan());
      int tokens = SourceText.of(scan, UTF_8, LexerMode.DEFAULT).tokens().size();
      assertThat(scan.mostTokens()).as(sql).isBetween(tokens, tokens + 2);
    }
  }
}
