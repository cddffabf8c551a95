package io.anabranch.frontend.privilege;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.frontend.auth.Identity;
import io.anabranch.frontend.limit.SessionLimits;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.TestDeployment;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.model.Authority;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivilegesTest {

  private final Deployment deployment = TestDeployment.create();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a.x, b.y from t a, shop.u b where a.x in (b.y, a.z)",
        "select shop.t.x from shop.t order by t.a, t.b",
        "select extract(year from t.d), trim('x' from t.e) from t",
        "select a.b from (t a, u c) join shop.v d on a.x = d.x, w",
        "insert into t values (1) on duplicate key update t.a = 2, t.b = 3",
        "update t a set a.x = 1, a.y = 2 where a.z = 3",
        "delete a.* from t a",
        "select * from information_schema.tables",
        "set sql_mode = @@global.sql_mode, @a = 1",
        "create table user (global int, password int)",
        "create table t2 like t",
        "create definer = current_user view v as select definer = 'x' from t",
        "create or replace definer=current_user() sql security invoker view v as select 1",
        "create index i on t (a)",
        "show columns from t from shop",
        "show tables from information_schema",
        "show full columns from t",
        "show create database shop",
        "show open tables from shop",
        "show procedure status",
        "set statement max_statement_time = 1 for select * from information_schema.tables",
        "prepare s from 'select 1'",
        "execute immediate 'select 1'",
        "(select t.a from t) union (select u.b from u)",
        "create procedure p() comment 'x' language sql not deterministic sql security invoker"
            + " select stop, reset from t",
        "create function f(a int) returns varchar(10) character set utf8mb4 collate utf8mb4_bin"
            + " deterministic return concat(a, 1)",
        "create function f() returns set('a', 'b') return if(1 = 1, 'a', case 1 when 2 then 'b' else"
            + " 'a' end)",
        "create procedure p() begin declare exit handler for sqlstate value '42000', not found, 1062"
            + " rollback; declare x int default case when 1 then 2 else 3 end; l: loop leave l; end"
            + " loop l; while x < 3 do set x = x + 1; end while; case x when 1 then set @a = 1; else"
            + " begin end; end case; if x then select 1; elseif 2 then do 1; else repeat set @b = 1;"
            + " until 1 end repeat; end if; show warnings; set x = substring('ab' from 1 for 2); end",
        "create trigger g before insert on t for each row follows h set new.server_id = 1",
        "create event e on schedule every 1 day starts current_timestamp + interval 1 hour do delete"
            + " from t",
        "alter event e disable",
        "alter procedure p comment 'x'",
        "create view v as select event, stop from t",
        "create index event on t (a)",
        "begin not atomic for r in (select a from t) do insert into u values (r.a); end for; end",
        "xa commit 'x'",
        "create table t (engine varchar(10), a int) engine = innodb partition by hash (engine)",
        "alter table t add engine varchar(10)",
        "create table t2 as select engine from t",
        "set default_storage_engine = InnoDB",
      })
  void ordinaryStatementsPass(String sql) {
    assertThatCode(() -> check(sql, TestDeployment.ALICE)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create user x",
        "create definer=root@localhost view v as select 1",
        "create or replace algorithm = merge definer = 'root'@'%' view v as select 1",
        "alter definer=`root`@`localhost` view v as select 1",
        "create definer=root@localhost trigger g before insert on t for each row set @a = 1",
        "create definer=root@localhost procedure p() select 1",
        "create definer = admins function f() returns int return 1",
        "drop role if exists r",
        "grant all on *.* to x",
        "set password = password('x')",
        "set @a = 1, global max_connections = 9",
        "set @@global.max_connections = 9",
        "set persist x = 1",
        "set sql_log_bin = 0",
        "set @a = 1, session `sql_log_bin` := 0",
        "set @@session.gtid_domain_id = 7",
        "set @@server_id=7",
        "set statement sql_log_bin = 0 for delete from t",
        "set \"sql_log_bin\" = 0",
        "set @@\"sql_log_bin\" = 0, @a = 1",
        "set @@session.\"gtid_next\" = 'automatic'",
        "create procedure p() set sql_l\u00f6g_bin = 0",
        "create procedure p() set default_st\u00f6rage_engine = 'federated'",
        "lock instance for backup",
        "unlock instance",
        "create or replace spatial reference system 4711 name 'x' definition 'y'",
        "drop spatial reference system if exists 3857",
        "show library status",
        "flush tables",
        "shutdown",
        "reset master",
        "start slave",
        "change master to master_host = 'x'",
        "install plugin p soname 'x'",
        "create database evil",
        "drop schema shop",
        "show create user x",
        "show slave status",
        "select 1 into outfile '/tmp/x'",
        "select load_file('/etc/hostname')",
        "select `load_file` ('/etc/hostname')",
        "load data infile '/etc/passwd' into table t",
        "create procedure p() begin set global x = 1; end",
        "begin not atomic flush tables; end",
        "/*!50000 flush tables */",
        "create procedure p() set @@global.max_connections = 1",
        "create procedure p() alter user root@localhost identified by 'x'",
        "create procedure p() comment 'x' deterministic sql security invoker drop user x",
        "create procedure p() stop replica",
        "create procedure p() reset master",
        "create procedure p() change replication source to source_host = 'x'",
        "create procedure p() create server s foreign data wrapper mysql options (host 'x')",
        "create procedure p() drop database shop",
        "create procedure p() show full processlist",
        "create procedure p() show grants",
        "create procedure p() show engine innodb status",
        "create procedure p() show databases",
        "create procedure p() frobnicate",
        "create procedure p() xa recover",
        "create procedure p() begin set sql_log_bin = 0; delete from t; end",
        "create procedure p() l: begin create user x; end",
        "create procedure p() begin declare continue handler for not found, sqlexception create user"
            + " x; end",
        "create procedure p() if case when 1 then 1 end then drop user x; end if",
        "create procedure p() while 1 do reset master; end while",
        "create procedure p() begin if 1 then select 1; else rename user x to y; end if; end",
        "create function f() returns varchar(9) charset latin1 deterministic begin set role r; return"
            + " 1; end",
        "create trigger g after insert on t for each row precedes h drop user x",
        "create event e on schedule every 1 day comment 'x' do create user x",
        "alter event e do create user x",
        "begin not atomic set @@global.read_only = 1; end",
        "begin not atomic set statement max_statement_time = 1 for alter user x; end",
        "begin not atomic show full processlist; end",
        "if 1 then create user x; end if",
        "xa recover",
        "show profiles",
        "show explain for 7",
        "explain for connection 7",
        "explain format=json for connection 7",
        "show user_statistics",
      })
  void whatNeedsAnAdminIs1227(String sql) {
    refused(sql, 1227);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from mysql.user",
        "select * from t, `mysql`.`user`",
        "select * from /*!50000 mysql.user */",
        "select * from hidden.t",
        "select 1 from t hidden, hidden.u",
        "select 1 from (t hidden, hidden.u)",
        "select other.t.x from t",
        "insert other.t select 1 from t other",
        "insert into t select a from u where exists (select 1 from other.v)",
        "call other.p()",
        "select other.f()",
        "update t, other.u set a = 1",
        "delete from other.t",
        "create table t2 like other.t",
        "create trigger x before insert on other.t for each row set @a = 1",
        "create index other using btree on other.t (c)",
        "create unique index other on other.t (c)",
        "drop index other on other.t",
        "create procedure p() show tables from other",
        "rename table t to other.t",
        "show tables from mysql",
        "show columns from user from mysql",
        "describe mysql.user",
        "show create database mysql",
        "show create schema if not exists other",
        "show open tables from mysql",
      })
  void otherSchemasAre1044(String sql) {
    refused(sql, 1044);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "show open tables",
        "show open tables where `Database` = 'mysql'",
        "set @a = (select count(*) from information_schema.tables)",
        "set statement max_statement_time = (select 1 from information_schema.tables) for select 1",
        "create table w (a int) engine = connect table_type = 'DOS' file_name = '/etc/passwd'",
        "create table w (a int) engine federated",
        "create table w (a int) partition by range (a) (partition p0 values less than (10) engine ="
            + " connect, partition p1 values less than (20) engine = connect)",
        "alter table t engine = merge union = (u)",
        "create procedure p() create table w (a int) engine = spider",
        "set default_storage_engine = connect",
        "set session storage_engine = 'federated'",
      })
  void whatCannotBeKeptToOwnDatabasesIsRefused(String sql) {
    refused(sql, 1235);
  }

  @Test
  void adminsMayDoAll() {
    assertThatCode(() -> check("select * from mysql.user", TestDeployment.ROOT))
        .doesNotThrowAnyException();
  }

  private void refused(String sql, int errno) {
    assertThatThrownBy(() -> check(sql, TestDeployment.ALICE))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused ->
                org.assertj.core.api.Assertions.assertThat(refused.errno()).isEqualTo(errno));
  }

  private void check(String sql, Authority.User user) {
    var session =
        new Session(
            7,
            new EmbeddedChannel(),
            new Identity(user, user.name(), "10.0.0.1", 0, 45),
            () -> deployment,
            Runnable::run,
            MemoryBudget.unconfigured().session("test"),
            SessionLimits.none());
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    var scan = new Scan();
    new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, scan);
    var source = SourceText.of(scan, StandardCharsets.UTF_8, LexerMode.DEFAULT);
    Privileges.check(scan.kind(), source, session, KnownNames.of("shop"));
  }
}
