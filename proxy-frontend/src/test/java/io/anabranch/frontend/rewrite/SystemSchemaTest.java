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
        "select * from user|select * from mysql.user",
        "select user.host from user, db d, x.y, `proc` where a = 1|select user.host from"
            + " mysql.user, mysql.db d, x.y, mysql.`proc` where a = 1",
        "select (select 1 from a, b), c from d join e on d.x = e.x|select (select 1 from mysql.a,"
            + " mysql.b), c from mysql.d join mysql.e on d.x = e.x",
        "select extract(year from now()), a from t limit 1, 2|select extract(year from now()), a"
            + " from mysql.t limit 1, 2",
        "with q as (select * from a) select * from q, b|with q as (select * from mysql.a) select *"
            + " from q, mysql.b",
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
        "alter table x.t truncate partition p0",
      })
  void leavesOthersAlone(String sql) {
    assertThat(qualify(sql)).isNull();
  }
}
