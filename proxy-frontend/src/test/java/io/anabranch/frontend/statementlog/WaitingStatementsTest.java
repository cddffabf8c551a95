package io.anabranch.frontend.statementlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.frontend.session.StatementListener.Lane;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.StatementKind;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WaitingStatementsTest {

  private static LoggedStatement statement(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    Scan scan = new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
    return new LoggedStatement(
        0,
        7,
        "app",
        "app",
        "127.0.0.1:5",
        null,
        StatementKind.SELECT,
        Lane.RELAY,
        Set.of(),
        new LoggedStatement.Times(1, 2, 3, 4, 5, Map.of()),
        0,
        0,
        0,
        scan.copyNormalForm(),
        UTF_8,
        false,
        false,
        true,
        null,
        null);
  }

  /** However few they are, long texts take no more than that. */
  @Test
  void takesNoMoreBytesThanItMay() {
    LoggedStatement known = statement("SELECT a_long_name_of_a_column FROM t");
    int each = known.written().length;
    var waiting = new WaitingStatements(3L * each);
    assertThat(waiting.offer(known)).isTrue();
    assertThat(waiting.offer(known)).isTrue();
    assertThat(waiting.offer(known)).isTrue();
    assertThat(waiting.offer(known)).isFalse();
    assertThat(waiting.take(2)).hasSize(2);
    assertThat(waiting.offer(known)).isTrue();
    assertThat(waiting.take(9)).hasSize(2);
    assertThat(waiting.isEmpty()).isTrue();
  }

  @Test
  void takesNoMoreThanItsNumber() {
    LoggedStatement known = statement("DO 1");
    var waiting = new WaitingStatements(Long.MAX_VALUE);
    int taken = 0;
    while (waiting.offer(known)) {
      taken++;
    }
    assertThat(waiting.take(taken + 1)).hasSize(taken);
  }
}
