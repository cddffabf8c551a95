package io.anabranch.frontend.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SystemSchemaTest {

  private static @Nullable String qualify(String sql) {
    return SystemSchema.qualify(SourceText.of(sql, LexerMode.DEFAULT), "mysql");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT a FROM`t`JOIN`u`USING(a)|SELECT a FROM mysql.`t`JOIN mysql.`u`USING(a)",
        "select * from user|select * from mysql.user",
        "select user.host from user, db d, x.y, `proc` where a = 1|select user.host from"
            + " mysql.user, mysql.db d, x.y, mysql.`proc` where a = 1",
        "select (select 1 from a, b), c from d join e on d.x = e.x|select (select 1 from mysql.a,"
            + " mysql.b), c from mysql.d join mysql.e on d.x = e.x",
        "select extract(year from now()), a from t limit 1, 2|select extract(year from now()), a"
            + " from mysql.t limit 1, 2",
        "with q as (select * from a) select * from q, b|with q as (select * from mysql.a) select *"
            + " from q, mysql.b",
        "select * from a, (select 1 from b where c = 1) d, e|select * from mysql.a, (select 1 from"
            + " mysql.b where c = 1) d, mysql.e",
        "select * from (a, b) join (c cross join d)|select * from (mysql.a, mysql.b) join (mysql.c"
            + " cross join mysql.d)",
        "select straight_join a from t straight_join u|select straight_join a from mysql.t"
            + " straight_join mysql.u",
        "select (with q as (select 1 from a) select 1 from q), 2 from q|select (with q as (select 1"
            + " from mysql.a) select 1 from q), 2 from mysql.q",
        "select 1 from t for update|select 1 from mysql.t for update",
        "table t order by a, b|table mysql.t order by a, b",
        "update t, u set a = 1, b = 2|update mysql.t, mysql.u set a = 1, b = 2",
        "drop table if exists t, u|drop table if exists mysql.t, mysql.u",
        "delete from t where a in (select 1 from u)|delete from mysql.t where a in (select 1 from"
            + " mysql.u)",
        "alter table t add column a int, add column b int|alter table mysql.t add column a int, add"
            + " column b int",
        "create table t (a int, b int) engine=InnoDB, comment='x'|create table mysql.t (a int, b int)"
            + " engine=InnoDB, comment='x'",
        "create table t like u|create table mysql.t like mysql.u",
        "create table if not exists t as with q as (select 1 from a), r as (select 2) select * from"
            + " q, r, b|create table if not exists mysql.t as with q as (select 1 from mysql.a), r as"
            + " (select 2) select * from q, r, mysql.b",
        "create or replace view v as select a, b from t|create or replace view mysql.v as select a, b"
            + " from mysql.t",
        "rename table a to b, c to d|rename table mysql.a to mysql.b, mysql.c to mysql.d",
        "lock tables a read, b as x write|lock tables mysql.a read, mysql.b as x write",
        "analyze table a, b|analyze table mysql.a, mysql.b",
        "delete from t returning a, b|delete from mysql.t returning a, b",
        "delete from a using a, b where a.x = b.x|delete from mysql.a using mysql.a, mysql.b where"
            + " a.x = b.x",
        "explain format=json update t set a = 1|explain format=json update mysql.t set a = 1",
        "explain t|explain mysql.t",
        "with q as (select 1 from a) update t set a = 1|with q as (select 1 from mysql.a) update"
            + " mysql.t set a = 1",
        "insert low_priority ignore t select a, b from u|insert low_priority ignore mysql.t select a,"
            + " b from mysql.u",
        "select trim(values(b) from c), d from t|select trim(values(b) from c), d from mysql.t",
        "select previous value for share, 1 from t, u|select previous value for share, 1 from"
            + " mysql.t, mysql.u",
        "analyze table t update histogram on a, b with 16 buckets|analyze table mysql.t update histogram"
            + " on a, b with 16 buckets",
        "create table t as table u|create table mysql.t as table mysql.u",
        "create view v as table u|create view mysql.v as table mysql.u",
        "alter table t exchange partition p with table u|alter table mysql.t exchange partition p with"
            + " table mysql.u",
        "flush table a, b with read lock|flush table mysql.a, mysql.b with read lock",
        "grant select on table user to a, b|grant select on table mysql.user to a, b",
        "load data infile 'f' into table t (a, b) set a = (select 1 from u)|load data infile 'f' into"
            + " table mysql.t (a, b) set a = (select 1 from mysql.u)",
        "begin not atomic insert into t select 1 from u; set @a = 1, @b = 2; end|begin not atomic insert"
            + " into mysql.t select 1 from mysql.u; set @a = 1, @b = 2; end",
        "create trigger tr before insert on t for each row insert into u values (1)|create trigger tr"
            + " before insert on t for each row insert into mysql.u values (1)",
        "select 1 from x u, t value for update of value, u|select 1 from mysql.x u, mysql.t value for"
            + " update of value, u",
        "insert into t select x from u returning id, name|insert into mysql.t select x from mysql.u"
            + " returning id, name",
        "select * from a join a duplicate on duplicate.id = a.id, b|select * from mysql.a join mysql.a"
            + " duplicate on duplicate.id = a.id, mysql.b",
        "show tables like 'u%'|show tables FROM mysql like 'u%'",
        "show full tables|show full tables FROM mysql",
        "show columns from user|show columns from mysql.user",
        "show create table user|show create table mysql.user",
        "show table status|show table status FROM mysql",
        "describe user|describe mysql.user",
        "update user set a = 1|update mysql.user set a = 1",
        "insert into user(host) values (1)|insert into mysql.user(host) values (1)",
        "replace into user (host) values (1)|replace into mysql.user (host) values (1)",
        "create table t(a int)|create table mysql.t(a int)",
        "create view v(a) as select 1|create view mysql.v(a) as select 1",
        "truncate t|truncate mysql.t",
        "truncate table t|truncate table mysql.t",
        "load data local infile 'a' into table t (a)|load data local infile 'a' into table mysql.t"
            + " (a)",
        "insert into user select * from db|insert into mysql.user select * from mysql.db",
      })
  void writesTheSchemaWhereItIsMissing(String sql, String qualified) {
    assertThat(qualify(sql)).isEqualTo(qualified);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 1",
        "select a from x.y",
        "select 1 from dual",
        "show tables from x",
        "show columns from a from b",
        "show variables like 'from'",
        "explain select 1",
        "set @a = 1",
        "select truncate(1.5, 1)",
        "select straight_join 1",
        "explain format=json for connection 7",
        "explain for connection 7",
        "explain route truncate t",
        "grant select on x.y to a, b",
        "revoke all privileges, grant option from a",
        "load index into cache x.y",
        "explain extended t",
        "flush table with read lock",
        "select a.from from x.y a",
        "with q as (select 1) select * from q",
        "with Q as (select 1) select * from q",
        "with recursive a as (select * from b), b as (select 1) select * from a",
        "select 1 into @a",
        "select trim(both 'x' from 'y')",
        "alter table x.t truncate partition p0",
      })
  void leavesOthersAlone(String sql) {
    assertThat(qualify(sql)).isNull();
  }
}
