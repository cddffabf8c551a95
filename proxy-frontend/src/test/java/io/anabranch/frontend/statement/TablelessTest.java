package io.anabranch.frontend.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TablelessTest {

  private static SqlTokens tokens(String sql) {
    return SourceText.of(sql, LexerMode.DEFAULT).tokens();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from information_schema.tables",
        "SELECT table_name, count(*) FROM `information_schema`.TABLES t WHERE table_schema = 'a'",
      })
  void oneTableOfTheCatalogueIsNone(String sql) {
    assertThat(Tableless.readsCatalogue(tokens(sql))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from information_schema.tables, t",
        "select * from information_schema.tables join t",
        "select * from information_schema.tables where table_rows > (select count(*) from t)",
        "select stored(1) from information_schema.tables",
        "select * from t",
        "select * from information_schema",
        "select 1",
      })
  void anythingElseIsNot(String sql) {
    assertThat(Tableless.readsCatalogue(tokens(sql))).isFalse();
  }
}
