package io.anabranch.frontend.effect;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.StatementKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImplicitCommitTest {

  @ParameterizedTest
  @CsvSource({
    "TABLE_MAINTENANCE, CHECK TABLE a, true, true",
    "TABLE_MAINTENANCE, CHECKSUM TABLE a, false, false",
    "ACCOUNT, SET PASSWORD = PASSWORD('x'), true, true",
    "ACCOUNT, SET DEFAULT ROLE NONE, true, true",
    "ACCOUNT, SET ROLE NONE, false, false",
    "OTHER, RESET QUERY CACHE, true, true",
    "OTHER, RESET PERSIST, false, false",
    "OTHER, install soname 'x', true, true",
    "OTHER, UNINSTALL PLUGIN x, true, true",
    "OTHER, BACKUP STAGE START, true, false",
    "OTHER, START SLAVE, false, true",
    "OTHER, STOP REPLICA, false, true",
    "OTHER, START GROUP_REPLICATION, false, false",
    "OTHER, CHANGE REPLICATION SOURCE TO SOURCE_HOST='x', false, true",
    "OTHER, CACHE INDEX a IN b, false, true",
    "OTHER, LOAD INDEX INTO CACHE a, false, true",
    "OTHER, PURGE BINARY LOGS BEFORE '2000-01-01', false, false",
    "OTHER, HELP 'x', false, false",
  })
  void isWhatServersDo(StatementKind kind, String sql, boolean onMariaDb, boolean onMySql) {
    var tokens = SourceText.of(sql, LexerMode.DEFAULT).tokens();
    assertThat(ImplicitCommit.commits(kind, tokens, true)).isEqualTo(onMariaDb);
    assertThat(ImplicitCommit.commits(kind, tokens, false)).isEqualTo(onMySql);
  }
}
