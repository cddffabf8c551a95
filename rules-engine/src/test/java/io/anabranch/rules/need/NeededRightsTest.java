package io.anabranch.rules.need;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.right.Need;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NeededRightsTest {

  private static String needs(String sql) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    Scan scan = new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
    SourceText source = SourceText.of(scan, StandardCharsets.UTF_8, LexerMode.DEFAULT);
    return NeededRights.of(scan.kind(), source.tokens()).stream()
        .map(NeededRightsTest::words)
        .distinct()
        .sorted()
        .collect(Collectors.joining(" "));
  }

  private static String words(Need need) {
    String schema = need.schema() == null ? "" : need.schema() + ".";
    return switch (need) {
      case Need.OnTable(var privilege, var _, String table) -> privilege + ":" + schema + table;
      case Need.Sight(var _, String table) -> "SIGHT:" + schema + table;
      case Need.Locked(var _, String table) -> "LOCKED:" + schema + table;
      case Need.OnDatabase(var privilege, var _) -> privilege + ":" + schema + "*";
      case Need.Definition(var _, String table) -> "DEFINITION:" + schema + table;
      case Need.Explanation(var _, String table) -> "EXPLANATION:" + schema + table;
      case Need.Routine(var privilege, var _, String name) -> privilege + ":" + schema + name;
      case Need.Everything _ -> "ALL:" + schema + "*";
      case Need.Through(var _, String view, var _, String table) ->
          "THROUGH:" + view + ">" + schema + table;
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "select 1 | ''",
        "select * from a | SELECT:a",
        "select 1.from a | SELECT:a",
        "select * from a for update | LOCKED:a SELECT:a",
        "select * from a lock in share mode | SELECT:a",
        "select * from a for share | SELECT:a",
        "select * from a x, s.b y for update of y skip locked | LOCKED:s.b SELECT:a SELECT:s.b",
        "select * from a x, b y, c z for update of x, `y` | LOCKED:a LOCKED:b SELECT:a SELECT:b SELECT:c",
        "select * from a where x in (select y from b for update) | LOCKED:a LOCKED:b SELECT:a SELECT:b",
        "select .5from a | SELECT:a",
        "select 1 from.a | SELECT:a",
        "select 1 from .a | SELECT:a",
        "select x.from, y from b | SELECT:b",
        "select * from a, b | SELECT:a SELECT:b",
        "select * from a x, s.b as y | SELECT:a SELECT:s.b",
        "select * from a join b on (a.x = b.x) or previous value for share > 0, c | SELECT:a SELECT:b SELECT:c SELECT:share",
        "select * from a join b on nextval(s) > 0 or next value for share.s > 0, c | INSERT:s INSERT:share.s SELECT:a SELECT:b SELECT:c SELECT:s SELECT:share.s",
        "select * from a join b on trim(values(x) from 'y') = b.x, c | SELECT:a SELECT:b SELECT:c",
        "select * from a join b duplicate on duplicate.x = a.x, c | SELECT:a SELECT:b SELECT:c",
        "select * from a join (select 1 as duplicate) d on duplicate, c | SELECT:a SELECT:c",
        "select * from a join b on values(a.x) is null, c | SELECT:a SELECT:b SELECT:c",
        "select * from a except values (1), (2) | SELECT:a",
        "select * from a intersect all values (1), (2) | SELECT:a",
        "select * from a value, b y for update of value, y | LOCKED:a LOCKED:b SELECT:a SELECT:b",
        "select * from (a, (b)) join c | SELECT:a SELECT:b SELECT:c",
        "select * from a window, b | SELECT:a SELECT:b",
        "select * from a value, b | SELECT:a SELECT:b",
        "select * from a join b on f.x = 1, c | SELECT:a SELECT:b SELECT:c",
        "select * from a use index for order by (i), c | SELECT:a SELECT:c",
        "select * from a use index for join (i), c | SELECT:a SELECT:c",
        "select * from a partition (p), c | SELECT:a SELECT:c",
        "select * from a straight_join b | SELECT:a SELECT:b",
        "select straight_join x from b | SELECT:b",
        "select * from (select * from b) d, c | SELECT:b SELECT:c",
        "select * from a where x in (select y from b) | SELECT:a SELECT:b",
        "select * from a where exists (table b) | SELECT:a SELECT:b",
        "select (select max(x) from b) from a | SELECT:a SELECT:b",
        "select extract(year from d), trim(both 'x' from y) from a | SELECT:a",
        "select substring((select z from b) from 2) | SELECT:b",
        "select * from a union select * from b | SELECT:a SELECT:b",
        "(select * from a) union (select * from b) | SELECT:a SELECT:b",
        "table a | SELECT:a",
        "values row(1) union table a | SELECT:a",
        "with c as (select * from a) select * from c | SELECT:a",
        "with c as (select * from c) select * from c | SELECT:c",
        "with recursive c as (select 1 union select n from c) select * from c | ''",
        "with c as (select 1), d as (select * from c) select * from d, c, e | SELECT:e",
        "(with c as (select 1) select * from c) union select * from c | SELECT:c",
        "with c (x) as (select 1) select * from s.c | SELECT:s.c",
        "select * from (with c as (select 1) select * from c) d, c | SELECT:c",
        "with C as (select 1) select * from c | SELECT:c",
        "with `\u0131tems` as (select 1) select * from items | SELECT:items",
        "select sum(x) over w, sum(y) over v from a window w as (order by x), v as (order by y) | SELECT:a",
        "select * from a order by x, y limit 1 | SELECT:a",
        "select x into @v from a | SELECT:a",
        "select * from json_table('[]', '$[*]' columns (x int path '$')) j, a | SELECT:a",
        "select f(x), s.g(1), count(*) from a | EXECUTE:f EXECUTE:s.g SELECT:a",
        "select next value for q | INSERT:q SELECT:q",
        "select nextval(s.q) | INSERT:s.q SELECT:s.q",
        "insert into a values (1), (2) | INSERT:a",
        "insert ignore s.a (x, y) select z, w from b | INSERT:s.a SELECT:b",
        "insert into a values (1) on duplicate key update x = values(x) | INSERT:a UPDATE:a",
        "insert into a set x = (select 1 from b) returning x | INSERT:a SELECT:a SELECT:b",
        "insert into mid (select x from b) | INSERT:mid SELECT:b",
        "insert into a table b | INSERT:a SELECT:b",
        "replace a values (1) | DELETE:a INSERT:a",
        "update a set x = 1 | UPDATE:a",
        "update a set x = now() + interval 1 day, y = default | UPDATE:a",
        "update a set x = x + 1 | SELECT:a UPDATE:a",
        "update a set x = (year > 2000) | SELECT:a UPDATE:a",
        "update a set x = 10 mod year | SELECT:a UPDATE:a",
        "update a set x = 10 mod 3 | UPDATE:a",
        "update a set x = not unknown | SELECT:a UPDATE:a",
        "update a set x = 1 is not unknown | UPDATE:a",
        "update a set x = date | SELECT:a UPDATE:a",
        "update a set x = 1 and not hour | SELECT:a UPDATE:a",
        "update a set x = interval day second + now() | SELECT:a UPDATE:a",
        "update a set x = case when 1 then 2 else 3 end, y = date '2000-01-01' | UPDATE:a",
        "update a set x = cast('2000-01-01' as date), y = convert('1', time) | UPDATE:a",
        "update a set x = timestampadd(hour, 1, '2000-01-01') - interval (1 + 2) day | UPDATE:a",
        "update a set x = 5 mod 3, y = if(null is not unknown, 1, 2) | UPDATE:a",
        "update a set x = 1, y = concat('', a.x) | SELECT:a UPDATE:a",
        "update a set x = trim(both 'a' from 'aba'), y = 'a' like 'b' escape '!' | UPDATE:a",
        "update a set x = json_value('{}', '$' returning char error on error) | UPDATE:a",
        "update a set x = convert('a' using latin1) collate latin1_bin, y = _latin1'a' | UPDATE:a",
        "update a set x = interval 1 sql_tsi_day + now(), y = 'a' sounds like 'b' | UPDATE:a",
        "update a set x = (select secret 'date') | SELECT:a UPDATE:a",
        "update a set x = (select boolean mode) | SELECT:a UPDATE:a",
        "update a set x = (select _y 'a') | SELECT:a UPDATE:a",
        "update a set x = 'a' like 'b' escape secret | SELECT:a UPDATE:a",
        "update a set x = position('a' in secret) | SELECT:a UPDATE:a",
        "update a set x = substring('a' from value for 1) | SELECT:a UPDATE:a",
        "update a set x = 3 between 1 and current | SELECT:a UPDATE:a",
        "update a, b, (select 'r' as returning) d set a.x = returning, y = 1 | SELECT:a SELECT:b UPDATE:a UPDATE:b",
        "insert into a values (1) on duplicate key update x = (@k := x) | INSERT:a SELECT:a UPDATE:a",
        "update a set x = 1 where y = 2 | SELECT:a UPDATE:a",
        "update a, b set a.x = b.y | SELECT:a SELECT:b UPDATE:a",
        "update a x join b y set y.c = 1, z = 2 | SELECT:a SELECT:b UPDATE:a UPDATE:b",
        "update a join (select * from c) d set a.x = d.x | SELECT:a SELECT:c UPDATE:a",
        "update a set x = (select max(y) from b) | SELECT:a SELECT:b UPDATE:a",
        "with c as (select 1 as n) update a join c set a.x = c.n | SELECT:a UPDATE:a",
        "delete from a | DELETE:a",
        "delete from a where x = 1 | DELETE:a SELECT:a",
        "delete x from a x | DELETE:a SELECT:a",
        "delete from x using a x | DELETE:a SELECT:a",
        "delete x from a x join b y on 1 | DELETE:a SELECT:a SELECT:b",
        "delete from x using a x, b | DELETE:a SELECT:a SELECT:b",
        "delete a.*, b from a join b | DELETE:a DELETE:b SELECT:a SELECT:b",
        "delete history from a | DELETE:a DELETE_HISTORY:a",
        "load data local infile 'f' replace into table a (x, @y) set z = (select 1 from b)"
            + " | DELETE:a INSERT:a SELECT:b",
        "explain select * from a | EXPLANATION:a SELECT:a",
        "explain extended update a set x = 1 | EXPLANATION:a UPDATE:a",
        "explain insert into v values (1) | EXPLANATION:v INSERT:v",
        "explain format=json select * from a | EXPLANATION:a SELECT:a",
        "analyze format=json select * from a | EXPLANATION:a SELECT:a",
        "desc a | SIGHT:a",
        "set @x = (select 1 from a) | SELECT:a",
        "set statement max_statement_time = (select 1 from a) for delete from b | SELECT:a",
        "do (select 1 from a) | SELECT:a",
        "call s.p((select 1 from a)) | EXECUTE:s.p SELECT:a",
        "handler a open | SELECT:a",
        "lock tables a read, b as c write" + " | LOCK_TABLES:* SELECT:a SELECT:b",
        "analyze table a, b | INSERT:a INSERT:b SELECT:a SELECT:b",
        "checksum table a | SELECT:a",
        "create table a (x int references b (x)) | CREATE:a REFERENCES:b",
        "create table if not exists s.a like b | CREATE:s.a SELECT:b",
        "create table a (like b) | CREATE:a SELECT:b",
        "create or replace table a (x int) engine=innodb as select * from b"
            + " | CREATE:a DROP:a SELECT:b",
        "create table a (select * from b) | CREATE:a SELECT:b",
        "create temporary table a (x int) | CREATE_TEMPORARY_TABLES:*",
        "create unique index i on a (x) | INDEX:a",
        "create view v as select * from a" + " | CREATE_VIEW:v SELECT:a THROUGH:v>a",
        "create or replace sql security invoker view v as table a"
            + " | CREATE_VIEW:v DROP:v SELECT:a THROUGH:v>a",
        "create procedure p() delete from s.a | ALL:* ALL:s.* CREATE_ROUTINE:*",
        "create trigger t before insert on a for each row set @x = 1 | ALL:* TRIGGER:a",
        "alter table a add x int | ALTER:a",
        "alter table a rename to b | ALTER:a CREATE:b DROP:a INSERT:b THROUGH:b>a",
        "alter table a rename column x to y | ALTER:a",
        "alter table a exchange partition p with table b | ALL:* ALTER:a",
        "alter table a truncate partition p | ALTER:a DROP:a",
        "alter view v as select * from a | CREATE_VIEW:v DROP:v SELECT:a THROUGH:v>a",
        "drop table if exists a, s.b | DROP:a DROP:s.b",
        "drop index i on a | INDEX:a",
        "drop procedure p | ALL:* ALTER_ROUTINE:p",
        "rename table a to b, c to s.d"
            + " | ALTER:a ALTER:c CREATE:b CREATE:s.d DROP:a DROP:c INSERT:b INSERT:s.d THROUGH:b>a THROUGH:d>c",
        "truncate a | DROP:a",
        "truncate table s.a | DROP:s.a",
        "show full columns from a from s | SIGHT:s.a",
        "show index from a | SIGHT:a",
        "show create table a | DEFINITION:a",
        "show create view v | SELECT:v SHOW_VIEW:v",
        "show tables where exists (select 1 from a) | SELECT:a",
        "show triggers from s | ''",
        "show procedure status where db = 's' | ''",
        "show package body status | ''",
        "show events from s | EVENT:s.*",
        "help 'select' | ''",
        "signal sqlstate '45000' set message_text = 'x' | ''",
        "resignal | ''",
        "set default_storage_engine = InnoDB | ''",
        "set @@session.default_storage_engine = 'memory' | ''",
        "update a for portion of p from '2020-01-01' to '2020-01-02' set x = 1 | SELECT:a UPDATE:a",
        "delete from a for portion of p from '2020-01-01' to '2020-01-02' | DELETE:a SELECT:a",
        "check table a, b | SIGHT:a SIGHT:b",
        "check table across quick | SIGHT:across",
        "check table a, s.b across shards | SELECT:a SELECT:s.b",
        "check view v | SIGHT:v",
        "select lastval(q), previous value for r | SELECT:q SELECT:r",
        "select setval(q, 7) | INSERT:q",
        "create table a (x int default nextval(s.q)) | CREATE:a INSERT:s.q SELECT:s.q",
        "create table a (x int default (next value for q) for update) | CREATE:a INSERT:q SELECT:q",
        "create table a (x int default s.q.nextval) | CREATE:a INSERT:s.q SELECT:s.q",
        "alter table a add x int default (1 + nextval(`q`)) | ALTER:a INSERT:q SELECT:q",
        "begin not atomic delete from a; end | ALL:*",
        "create event e on schedule every 1 day do select 1 | ALL:* EVENT:*",
        "alter procedure s.p comment 'x' | ALL:* ALL:s.* ALTER_ROUTINE:s.p",
        "show variables like 'x' | ''",
        "use s | ''",
        "begin | ''",
        "prepare p from 'delete from a' | ''",
        "kill 3 | ''",
      })
  void isWhatMySqlAsksFor(String sql, String expected) {
    assertThat(needs(sql)).isEqualTo(expected.equals("''") ? "" : expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from /*!99999 (select 1 */ a",
        "select * from \"a\"",
        "select * from 'a'",
        "select * from { oj a left join b on 1 }",
        "select * from a.b.c",
        "create table a (x int) engine=merge union=(b, c)",
        "create table a (x int) engine=federated connection='mysql://x'",
        "create table a (x int) engine connect",
        "create table a (x int) union (b)",
        "alter table a union = (b)",
        "set default_storage_engine = merge",
        "set @@session.`default_storage_engine` = 'merge'",
        "delete z from a x",
        "explain into @v select * from a",
        "explain format=json into @v select * from a",
        "explain format=json for schema s select * from a",
        "with c as (select 1) insert into a select * from c",
        "create server s foreign data wrapper mysql options (host 'x')",
        "create database d",
        "rename user a to b",
        "flush tables",
        "grant select on a to b",
        "shutdown",
        "lock instance for backup",
        "set statement max_statement_time = 1",
        "show procedure code p",
        "show engine innodb status",
        "show create user a",
      })
  void whatIsInDoubtOrForNobodyIsRefused(String sql) {
    assertThatThrownBy(() -> needs(sql)).isInstanceOf(RefusedException.class);
  }

  /** Needs no table, or is looked at again when its text is known. */
  private static final Set<StatementKind> OF_SESSION =
      EnumSet.of(
          StatementKind.EXPLAIN_ROUTE,
          StatementKind.USE,
          StatementKind.COMMIT,
          StatementKind.ROLLBACK,
          StatementKind.SAVEPOINT,
          StatementKind.XA,
          StatementKind.UNLOCK_TABLES,
          StatementKind.PREPARE,
          StatementKind.EXECUTE,
          StatementKind.DEALLOCATE,
          StatementKind.KILL,
          StatementKind.EMPTY,
          StatementKind.SET);

  /** By construction: a kind, and a form of it, that no list has is refused. */
  @ParameterizedTest
  @EnumSource(StatementKind.class)
  void aFormThatIsInNoListIsRefused(StatementKind kind) {
    SqlTokens tokens = SqlTokens.of("zigzag \"quux\" over the moon");
    if (OF_SESSION.contains(kind)) {
      assertThat(NeededRights.of(kind, tokens)).isEmpty();
    } else {
      assertThatThrownBy(() -> NeededRights.of(kind, tokens)).isInstanceOf(RefusedException.class);
    }
  }

  @Test
  void optimizerHintsHideNothing() {
    assertThat(needs("select /*+ NO_INDEX_MERGE(a) */ * from /*+ x */ b")).isEqualTo("SELECT:b");
    assertThat(List.of(needs("insert /*+ SET_VAR(a=1) */ into a values (1)")))
        .containsExactly("INSERT:a");
  }
}
