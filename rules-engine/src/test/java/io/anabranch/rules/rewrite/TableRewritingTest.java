package io.anabranch.rules.rewrite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.PreparedSlotValues;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.syntax.TableMention;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableRewritingTest {

  private static Scan scan(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    return new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
  }

  /** Replaces the word {@code t} by table reference 0. */
  private static SqlTemplate template(Scan scan) {
    SourceText source = SourceText.of(scan, UTF_8, LexerMode.DEFAULT).withoutComments();
    int table = source.tokens().all().findWord("t");
    var mention = TableMention.at(source, table);
    return new TableRewriting(source, "shop", List.of(mention)).template();
  }

  @Test
  void rendersLiteralsOfEachExecution() {
    Scan first = scan("select 'ä', b /* gone */ from t where id=12 -- end");
    var aimed = template(first).aimedAt("ds_0", List.of("t_0"));
    var values = new TextSlotValues();
    assertThat(aimed.render(values.over(first, UTF_8, LexerMode.DEFAULT)).sqlText())
        .isEqualTo("select 'ä', b from t_0 where id=12");
    Scan second = scan("select 'x', b from t where id=34567");
    ShardQuery query = aimed.render(values.over(second, UTF_8, LexerMode.DEFAULT));
    assertThat(query.sqlText()).isEqualTo("select 'x', b from t_0 where id=34567");
    assertThat(query.dataSource()).isEqualTo("ds_0");
    assertThat(query.parameters()).isEmpty();
  }

  @Test
  void rendersPreparedStatementsOnce() {
    Scan scan = scan("select * from t where a=? and b=?");
    var aimed = template(scan).aimedAt("ds_1", List.of("order"));
    var values = new PreparedSlotValues(scan, UTF_8, LexerMode.DEFAULT);
    ShardQuery query = aimed.render(values);
    assertThat(query.sqlText()).isEqualTo("select * from `order` where a=? and b=?");
    assertThat(query.parameters()).containsExactly(0, 1);
    assertThat(aimed.render(values)).isSameAs(query);
  }

  @Test
  void keepsParameterIndexesBesideLiterals() {
    Scan scan = scan("select 1, ?, 'x', ? from t");
    var aimed = template(scan).aimedAt("ds_1", List.of("t_1"));
    var values = new PreparedSlotValues(scan, UTF_8, LexerMode.DEFAULT);
    ShardQuery query = aimed.render(values);
    assertThat(query.sqlText()).isEqualTo("select 1, ?, 'x', ? from t_1");
    assertThat(query.parameters()).containsExactly(0, 1);
  }

  /** Names that need no quotes come in the place of quoted ones. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "ALTER TABLE`t`ADD c INT | ALTER TABLE t_0 ADD c INT",
        "ALTER TABLE shop.`t`ADD c INT | ALTER TABLE t_0 ADD c INT",
        "ALTER TABLE`shop`.t/**/ADD c INT | ALTER TABLE t_0/**/ADD c INT",
        "ALTER TABLE/**/`t`/* ü */ADD c INT /* end */ | ALTER TABLE/**/t_0/* ü */ADD c INT",
        "ALTER TABLE`t`-- x | ALTER TABLE t_0",
      })
  void keepsWordsApart(String sql, String expected) {
    Scan scan = scan(sql);
    SourceText source = SourceText.of(scan, UTF_8, LexerMode.DEFAULT);
    var mention = TableMention.at(source, 2);
    String text =
        new TableRewriting(source, "shop", List.of(mention))
            .template()
            .aimedAt("ds_0", List.of("t_0"))
            .render(new TextSlotValues().over(scan, UTF_8, LexerMode.DEFAULT))
            .sqlText();
    assertThat(text).isEqualTo(expected);
  }

  @Test
  void keepsWordsApartBehindAList() {
    Scan scan = scan("DROP TABLE IF EXISTS a,`t`RESTRICT");
    SourceText source = SourceText.of(scan, UTF_8, LexerMode.DEFAULT);
    List<TableMention> list = List.of(TableMention.at(source, 4), TableMention.at(source, 6));
    assertThat(
            TableRewriting.ofList(source, list, 1)
                .aimedAt("ds_0", List.of("t_0"))
                .constant()
                .sqlText())
        .isEqualTo("DROP TABLE IF EXISTS t_0 RESTRICT");
  }
}
