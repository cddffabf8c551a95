package io.anabranch.rules.syntax.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.syntax.TableMention;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each table of a program is told, however the statements in it bring it in. */
class TriggerBodyTest {

  /** Behind the tokens of {@code create procedure p()}. */
  private static final int BODY = 5;

  /** Sorted: what is read, and with its verb what may change. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '~',
      value = {
        "begin select 1 into @a from t; end # t",
        "begin select 1 from (t join u); end # t u",
        "begin select 1 from ((t join u on 1) left join (v, w) on 1), x; end # t u v w x",
        "begin select 1 from t straight_join u; end # t u",
        "begin select 1 from t straight_join (u cross join v); end # t u v",
        "begin select 1 from t natural join u, v partition (p) as w, x; end # t u v x",
        "begin select 1 from t use index (i), u force index for join (i); end # t u",
        "table t # t",
        "begin declare c cursor for table t; open c; fetch next from c into a; end # t",
        "begin set @a = (table t limit 1); end # t",
        "begin select 1 where 1 in (table t union table u); end # t u",
        "begin insert into t table u; end # INSERT t u",
        "begin insert into t (a) with c as (select 1 from u) select * from c; end # INSERT t u",
        "begin with c as (select 1) select * from c; select * from c; end # c",
        "begin if exists (select 1 from (t)) then set @a = 1; end if; end # t",
        "begin while (select count(*) from t) > 1 do set @a = 1; end while; end # t",
        "begin select extract(day from a), trim(leading 'x' from b) from t; end # t",
        "begin set @a = trim(b from (select c from t)); end # t",
        "begin select json_table.a from json_table('x', '$' columns (a int path '$')) j, t; end # t",
        "begin select 1 from lateral (select 1 from t) u; end # t",
        "begin select 1 from dual; end #",
        "begin update t join u on 1 set a = (select 1 from v); end # UPDATE t UPDATE u v",
        "begin update t straight_join u set a = 1; end # UPDATE t UPDATE u",
        "begin delete from t where a in (select b from (u join v)); end # DELETE t u v",
        "begin delete t from t join u; end # DELETE t DELETE u",
        "begin delete from t using t join u; end # DELETE t DELETE u",
        "begin replace into t select * from (u) where a in (select b from d.v); end # REPLACE t u v",
        "begin insert into t values ((select a from u)) on duplicate key update b = 1; end # INSERT t u",
        "begin declare exit handler for not found insert into t values (1); end # INSERT t",
        "begin create temporary table if not exists t select * from (u); end # u",
        "begin create or replace table t (a int); end #",
        "begin create view v as select * from (t join u); end # t u",
        "begin alter table t add a int; truncate table u; drop table v, w; end"
            + " # ALTER t DROP v DROP w TRUNCATE u",
        "begin prepare s from 'select 1'; prepare s from @a; end #",
        "begin for r in (select 1 from (t)) do insert into u values (r.a); end for; end # INSERT u t",
        "return (select 1 from (t) limit 1) # t",
        "begin create temporary table t (a int) engine=memory, comment='x'; end #",
        "begin create temporary table t (a int), comment='x' select b from u, v; end # u v",
        "begin alter table t add a int, modify b int, algorithm=inplace, rename to u; end # ALTER t",
        "begin alter table if exists t add a int, order by c, d; select 1 from u, v; end # ALTER t u v",
        "begin alter table t exchange partition p with table u, add a int; end # ALTER t u",
        "begin alter table t convert table u to partition p values in (1), force; end # ALTER t u",
        "begin drop temporary table if exists t, u; select 1 from v; end # v",
        "begin drop temporary table t; drop temporary tables t, u; end #",
        "begin create temporary table if not exists t (a int), comment='x'; end #",
        "begin drop table t, d.u; end # DROP t DROP u",
        "begin rename table t to u, v to w; end # RENAME t RENAME u RENAME v RENAME w",
        "begin truncate table t; end # TRUNCATE t",
        "begin analyze table t, d.u; check table v for upgrade; optimize local table w, x; end"
            + " # t u v w x",
        "begin flush tables t, u with read lock; flush tables with read lock; flush logs; end # t u",
        "begin select 1 from (table t limit 1) x, u; end # t u",
        "begin create table t (a int check (a > 0), check (a > b)); end #",
      })
  void tellsAllTables(String body, String tables) {
    assertThat(used(body)).isEqualTo(tables == null ? "" : tables);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "begin select 1 from {oj t left join u on 1}; end",
        "begin update (t join u) set a = 1; end",
        "begin delete t from (t join u); end",
        "begin update t join (u join v) set a = 1; end",
      })
  void refusesWhatItDoesNotUnderstand(String body) {
    assertThatThrownBy(() -> used(body))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("this list of tables in a stored program");
  }

  private static String used(String body) {
    var used = new TreeSet<String>();
    String text = "create procedure p() " + body;
    new TriggerBody(SourceText.of(text, LexerMode.DEFAULT), BODY)
        .visit(
            new TriggerBody.Uses() {
              @Override
              public void reads(TableMention table) {
                used.add(table.name());
              }

              @Override
              public void writes(TableMention table, String verb, int behind) {
                used.add(verb + " " + table.name());
              }
            });
    return String.join(" ", used);
  }
}
