package io.anabranch.frontend.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.protocol.command.StatementParameter;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GivenKeyTest {

  private static boolean isPossible(String sql, StatementParameter... parameters) {
    byte[] bytes = sql.getBytes(UTF_8);
    Scan scan = new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
    return GivenKey.isPossible(scan, List.of(parameters), 12);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t (id, a) VALUES (12, 1)",
        "INSERT INTO t VALUES ('12')",
        "INSERT INTO t VALUES (11.6)",
        "INSERT INTO t VALUES (1.2e1)",
        "INSERT INTO t VALUES (0xC)",
        "INSERT INTO t VALUES (6 + 6)",
        "INSERT INTO t VALUES (ABS(1))",
        "INSERT INTO t VALUES (@a)",
        "INSERT INTO t SET id = 5",
        "INSERT INTO t SELECT 5",
        "REPLACE INTO t VALUES (12)",
        "INSERT INTO t (a) VALUES (5) ON DUPLICATE KEY UPDATE a = 1",
      })
  void whatMayBeTheKeyIsOne(String sql) {
    assertThat(isPossible(sql)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t (a) VALUES (5)",
        "INSERT INTO t (a, b) VALUES ('x', 5), ('2024-06-03', NULL)",
        "INSERT INTO t VALUES (NULL, 'a+b')",
        "INSERT INTO t VALUES (DEFAULT, 7)",
      })
  void otherKeysWereGenerated(String sql) {
    assertThat(isPossible(sql)).isFalse();
  }

  @Test
  void parametersMayBeTheKey() {
    String sql = "INSERT INTO t VALUES (?)";
    byte[] twelve = {12, 0, 0, 0};
    byte[] five = {5, 0, 0, 0};
    assertThat(isPossible(sql, new StatementParameter(3, twelve))).isTrue();
    assertThat(isPossible(sql, new StatementParameter(3, five))).isFalse();
    assertThat(isPossible(sql, new StatementParameter(253, new byte[] {2, '1', '2'}))).isTrue();
    assertThat(isPossible(sql, new StatementParameter(6, null))).isFalse();
  }
}
