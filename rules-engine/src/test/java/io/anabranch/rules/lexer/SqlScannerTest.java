package io.anabranch.rules.lexer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlScannerTest {

  private static final String MARKS = " IDFSXB?";

  private final SqlScanner scanner = new SqlScanner();

  private Scan scan(String sql, LexerMode mode) {
    byte[] bytes = sql.getBytes(UTF_8);
    return scanner.scan(bytes, 0, bytes.length, mode, new Scan());
  }

  private Scan scan(String sql) {
    return scan(sql, LexerMode.DEFAULT);
  }

  /** The normal form with each slot as {@code <kind>}. */
  private static String normal(Scan scan) {
    var text = new StringBuilder();
    for (char c : new String(scan.copyNormalForm(), UTF_8).toCharArray()) {
      if (c >= 1 && c <= 7) {
        text.append('<').append(MARKS.charAt(c)).append('>');
      } else if (c == 14 || c == 15) {
        text.append(c == 14 ? "<X'>" : "<B'>");
      } else if (c == 8) {
        text.append('~');
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "SELECT 1|SELECT <I>",
        "  select↵ a , 12 |select a , <I>",
        "select 1.5, .5, 1., 1e5, 1.5e-3, .5E+2|select <D>, <D>, <D>, <F>, <F>, <F>",
        "select 1e, 1e+, 12ab, 1_x|select 1e, 1e+, 12ab, 1_x",
        "select t1.2e3, t.5 from t|select t1.2e3, t.5 from t",
        "select `t`.5, t .5|select `t`.5, t <D>",
        "select 0x1F, 0xZZ, 0X1F, x'4D', X'4d', 0b01, 0b2, b'1', B'0'|select <X>, 0xZZ, 0X1F, <X'>, <X'>, <B>, 0b2, <B'>, <B'>",
        "select 'a''b', \"c\"\"d\", 'e\\'f'|select <S>, <S>, <S>",
        "select 'a' 'b'↵\"c\"|select <S>",
        "select a 'x', 1 'y', f(1) 'z', `b` 'w'|select a 'x', <I> 'y', f(<I>) 'z', `b` 'w'",
        "select 1 as 'one', 2 AS two|select <I> as 'one', <I> AS two",
        "select DATE'2020-01-01', time '10:00', timestamp '2020-01-01 00:00:00'|select DATE'2020-01-01', time '10:00', timestamp '2020-01-01 00:00:00'",
        "select N'x', n 'x', _utf8'y', _latin1 x'41', _binary 0x41|select N'x', n 'x', _utf8'y', _latin1 x'41', _binary 0x41",
        "select a from t where b like 'x%' and c in ('p', 'q') or not 'r'|select a from t where b like <S> and c in (<S>, <S>) or not <S>",
        "select a from t where b between 'x' and 'y' order by 'z'|select a from t where b between <S> and <S> order by <S>",
        "select a # c 'x↵from t|select a from t",
        "select a -- c 'x↵from t|select a from t",
        "select 5--3, a--b|select <I>--<I>, a--b",
        "select a--↵from t|select a from t",
        "select/* c ' */1|select <I>",
        "select /*+ NO_INDEX(t) */ 1|select /*+ NO_INDEX(t) */ <I>",
        "/*!40101 SET NAMES utf8 */|/*!40101 SET NAMES utf8 */",
        "select /*! STRAIGHT_JOIN */ 7 /*M!100100 , 8*/|select /*! STRAIGHT_JOIN */ <I> /*M!100100 , <I>*/",
        "select @a, @@b.c, @'d e', @`f`, @\"g\"|select @a, @@b.c, @'d e', @`f`, @\"g\"",
        "select cast(a as decimal(10,2)), convert(b, char(5)), left(c, 3)|select cast(a as decimal(10,2)), convert(b, char(5)), left(c, <I>)",
        "select 1 from (select 2) AS `v` where (3 = 4)|select <I> from (select <I>) AS `v` where (<I> = <I>)",
        "select * from t where id=? and -5 < ? limit ?,10|select * from t where id=<?> and -<I> < <?> limit <?>,<I>",
        "insert into t(a) values(1,'x'),(-2,null)|insert into t(a) values(<I>,<S>),(-<I>,null)",
        "select '|select <S>",
        "select 'abc|select <S>",
        "/* SHARDINGSPHERE_HINT: a=b */ select 1|~ a=b ~ select <I>",
        "/* other */ select 1|select <I>",
        "create user 'a'@'b' identified by 'c'|create user 'a'@'b' identified by <S>",
      })
  void foldsTextAndTakesLiteralsOut(String sql, String expected) {
    assertThat(normal(scan(sql.replace('↵', '\n')))).isEqualTo(expected);
  }

  @Test
  void slotsSpanTheirLiterals() {
    String sql = "select 'a' /* c */ 'b', -12, x'00' , ?";
    Scan scan = scan(sql);
    var slots = new ArrayList<String>();
    for (int i = 0; i < scan.slotCount(); i++) {
      slots.add(sql.substring(scan.slotStart(i), scan.slotEnd(i)) + " " + scan.slotKind(i));
    }
    assertThat(slots)
        .containsExactly("'a' /* c */ 'b' STRING", "12 INTEGER", "x'00' HEX_STRING", "? PARAMETER");
    assertThat(scan.parameterCount()).isEqualTo(1);
  }

  /** In what delimits a name a backslash is a letter, whatever stands in front of the quote. */
  @Test
  void quotesEndWhereServersEndThem() {
    for (char quote : new char[] {'\'', '"', '`'}) {
      for (String before : List.of("", "@", "a.", "_utf8mb4 ", "N", "a@")) {
        if (before.equals("N") && quote != '\'') {
          continue;
        }
        for (boolean ansi : new boolean[] {false, true}) {
          for (boolean plain : new boolean[] {false, true}) {
            var mode = new LexerMode(ansi, plain, DoubleBytes.NONE);
            String quoted = before + quote + "a\\" + quote;
            SqlTokens tokens = SourceText.of("SELECT " + quoted + ", x -- " + quote, mode).tokens();
            boolean ends = plain || quote == '`' || (quote == '"' && ansi);
            assertThat(tokens.all().hasWord("x"))
                .as("%s, ANSI_QUOTES %s, NO_BACKSLASH_ESCAPES %s", quoted, ansi, plain)
                .isEqualTo(ends);
          }
        }
      }
    }
  }

  @Test
  void modesChangeQuotesAndBackslashes() {
    assertThat(
            normal(scan("select \"a\" from \"t\"", new LexerMode(true, false, DoubleBytes.NONE))))
        .isEqualTo("select \"a\" from \"t\"");
    assertThat(normal(scan("select 'a\\', 'b'", new LexerMode(false, true, DoubleBytes.NONE))))
        .isEqualTo("select <S>, <S>");
    Charset gbk = Charset.forName("GBK");
    LexerMode mode = LexerMode.of(gbk, false, false);
    byte[] sql = "select '\u7e17', 1".getBytes(gbk);
    assertThat(sql).contains((byte) '\\');
    Scan scan = scanner.scan(sql, 0, sql.length, mode, new Scan());
    assertThat(normal(scan)).isEqualTo("select <S>, <I>");
    assertThat(scan.isAscii()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Shift_JIS|b1|1", // half-width katakana stand alone
        "Shift_JIS|df|1",
        "Shift_JIS|95|2", // 表 ends in a backslash
        "Shift_JIS|fc|2",
        "windows-31j|fd|1",
        "GBK|81|2",
        "GBK|80|1",
        "GBK|ff|1",
        "Big5|a4|2",
        "Big5|80|1",
        "Big5|fa|1",
        "EUC-KR|81|1",
        "UTF-8|c3|1",
      })
  void aByteTakesTheNextOneOnlyWhereItMayBeginACharacter(String name, String first, int bytes) {
    LexerMode mode = LexerMode.of(Charset.forName(name), false, false);
    byte lead = HexFormat.of().parseHex(first)[0];
    byte[] sql = "select 'x\\', '".getBytes(ISO_8859_1);
    sql[8] = lead;

    // a backslash of its own takes the quote behind it away
    assertThat(scanner.scan(sql, 0, sql.length, mode, new Scan()).slotCount())
        .isEqualTo(bytes == 1 ? 1 : 2);
    byte[] quoted = "select 'x', 1".getBytes(ISO_8859_1);
    quoted[8] = lead;
    assertThat(scanner.scan(quoted, 0, quoted.length, mode, new Scan()).slotCount()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select 1|SELECT",
        "(select 1) union (select 2)|QUERY_EXPRESSION",
        "with a as (select 1) select * from a|QUERY_EXPRESSION",
        "values row(1)|QUERY_EXPRESSION",
        "table t|QUERY_EXPRESSION",
        "/* x */ insert into t values(1)|INSERT",
        "replace t values(1)|REPLACE",
        "update t set a=1|UPDATE",
        "delete from t|DELETE",
        "create table t(a int)|CREATE",
        "create user a|ACCOUNT",
        "create or replace role a|ACCOUNT",
        "alter user a|ACCOUNT",
        "drop table t|DROP",
        "drop user t|ACCOUNT",
        "drop prepare s|DEALLOCATE",
        "rename table a to b|RENAME",
        "rename user a to b|ACCOUNT",
        "truncate t|TRUNCATE",
        "show tables|SHOW",
        "desc t|DESCRIBE",
        "explain select 1|DESCRIBE",
        "explain route select 1|EXPLAIN_ROUTE",
        "preview select 1|EXPLAIN_ROUTE",
        "alter readwrite_splitting rule g disable r0|ALTER_GROUP",
        "analyze table t|TABLE_MAINTENANCE",
        "analyze select 1|DESCRIBE",
        "set names utf8|SET",
        "set transaction read only|SET",
        "set password = 'x'|ACCOUNT",
        "set role r|ACCOUNT",
        "use a|USE",
        "begin|BEGIN",
        "begin work|BEGIN",
        "start transaction with consistent snapshot|BEGIN",
        "start slave|OTHER",
        "commit and chain|COMMIT",
        "rollback|ROLLBACK",
        "rollback work|ROLLBACK",
        "rollback work to savepoint a|SAVEPOINT",
        "rollback to a|SAVEPOINT",
        "savepoint a|SAVEPOINT",
        "release savepoint a|SAVEPOINT",
        "xa start 'x'|XA",
        "lock tables t read|LOCK_TABLES",
        "unlock tables|UNLOCK_TABLES",
        "prepare s from 'x'|PREPARE",
        "execute s|EXECUTE",
        "execute immediate 'x'|EXECUTE",
        "deallocate prepare s|DEALLOCATE",
        "call p()|CALL",
        "do sleep(1)|DO",
        "handler t open|HANDLER",
        "load data infile 'x' into table t|LOAD_DATA",
        "load index into cache t|OTHER",
        "kill 5|KILL",
        "flush tables|FLUSH",
        "checksum table t|TABLE_MAINTENANCE",
        "optimize table t|TABLE_MAINTENANCE",
        "repair table t|TABLE_MAINTENANCE",
        "grant all on *.* to a|ACCOUNT",
        "revoke all on *.* from a|ACCOUNT",
        "/*!40101 SET NAMES utf8 */|SET",
        "with x as (select 1 for update) select * from x for update|QUERY_EXPRESSION",
        "with x as (select 1) (select 1) for update|QUERY_EXPRESSION",
        "with x(a) as (select 1), y as (select 2) update t set a = 1|UPDATE",
        "with recursive x as (select 1) delete from t|DELETE",
        "-- only a comment|EMPTY",
        "selec 1|OTHER",
        "= 1|OTHER",
      })
  void tellsTheKindByLeadingWords(String sql, StatementKind kind) {
    assertThat(scan(sql).kind()).isEqualTo(kind);
  }

  private List<String> split(String packet) {
    byte[] bytes = packet.getBytes(UTF_8);
    var parts = new ArrayList<String>();
    Scan scan = new Scan();
    int from = 0;
    while (from >= 0) {
      scanner.scan(bytes, from, bytes.length, LexerMode.DEFAULT, scan);
      parts.add(packet.substring(scan.start(), scan.end()));
      from = scan.next();
    }
    return parts;
  }

  @Test
  void splitsPacketsAtSemicolons() {
    assertThat(split("select 1; select ';' ;\n")).containsExactly("select 1", "select ';' ");
    assertThat(split("a;;b")).containsExactly("a", "", "b");
    assertThat(split("a; -- rest\n /* x */ # y")).containsExactly("a");
    assertThat(split("a; /*! b */")).containsExactly("a", "/*! b */");
    assertThat(split("select `;`, \";\" /* ; */; x")).hasSize(2);
  }

  @Test
  void keepsRoutineBodiesTogether() {
    String procedure =
        "create definer=`a`@`b` procedure p() begin declare x int; if 1 then select case 1 when 1"
            + " then 2 end; end if; while 0 do select 1; end while; begin select 2; end; end";
    assertThat(split(procedure + "; select 1")).containsExactly(procedure, "select 1");
    String compound = "begin not atomic declare x int; select x; end";
    assertThat(split(compound + ";commit")).containsExactly(compound, "commit");
    assertThat(split("begin; select 1; commit")).hasSize(3);
    assertThat(split("create procedure p() select 1; select 2")).hasSize(2);
    assertThat(split("create table t(a int); begin; end")).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create trigger t before insert on x for each row case new.a when 1 then set new.b = 2; else set new.b = 3; end case",
        "create trigger t before insert on x for each row if new.a > 1 then set new.a = 1; end if",
        "create trigger if not exists t after update on x for each row if not new.a then set @a = if(1, 2, 3); end if",
        "create procedure p(a int, b int) while a do set a = a - 1; set b = case a when 1 then 2 end; end while",
        "create procedure p() l: loop leave l; end loop l",
        "create procedure p() repeat set @a = repeat('x', 2); until 1 end repeat",
        "create procedure p() for i in 1..5 do select i; end for",
        "create procedure p() begin drop table if exists t; if (select 1) then begin end; elseif 2 then select if(1, if(2, 3, 4), 5); end if; end",
        "create or replace procedure p() begin declare exit handler for sqlexception begin rollback; end; select case when if(1,2,3) then 4 end; end",
        "create function f(a int) returns int begin case a when 1 then return 1; else begin return 2; end; end case; end",
        "create event e on schedule every 1 day do begin select 1; if 1 then select 2; end if; end",
        "if 1 then select 1; else select 2; end if",
        "case 1 when 1 then select 1; end case",
        "for i in 1..2 do select i; end for",
        "begin not atomic if 1 then select 1; end if; end",
        "create function f() returns int return if(1, 2, 3)",
        "create function f() returns int return case 1 when 2 then 3 end",
        "create trigger t before insert on x for each row set new.a = if(new.b, 1, 2)",
        "create procedure p() select case when if(1,2,3) then 4 end, if(1, 2, 3)",
        "create table if not exists t (a int, b int)",
      })
  void bodiesEndWithTheirBlocks(String statement) {
    assertThat(split(statement + "; select 'next'")).containsExactly(statement, "select 'next'");
  }

  @Test
  void notesWordsThatLeaveSomethingBehind() {
    assertThat(scan("select last_insert_id(5)").mentionsLastInsertId()).isTrue();
    assertThat(scan("select `last_insert_id`(5)").mentionsLastInsertId()).isTrue();
    assertThat(
            scan("select 'last_insert_id', t.last_insert_id, @@last_insert_id")
                .mentionsLastInsertId())
        .isFalse();
    assertThat(scan("select sql_calc_found_rows 1").countsFoundRows()).isTrue();
    assertThat(scan("select 1 into @a").mentionsInto()).isTrue();
    assertThat(scan("select 'into'").mentionsInto()).isFalse();
    assertThat(scan("select @a:=1").assigns()).isTrue();
    assertThat(scan("select @a = ':='").assigns()).isFalse();
    assertThat(scan("select /*! GET_LOCK('a', 1) */").mentionsGetLock()).isTrue();
    assertThat(scan("create temporary table t (a int)").mentionsTemporary()).isTrue();
    assertThat(scan("select 1").mentionsTemporary()).isFalse();
    assertThat(scan("select NextVal(s)").mentionsSequence()).isTrue();
    assertThat(scan("select previous value for s").mentionsSequence()).isTrue();
    assertThat(scan("select value, 'lastval(s)' from t").mentionsSequence()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select a from t where b = 1 limit 5|-1",
        "select a from t where b = 1 limit 5, 6|1",
        "select a from t where b = 1 limit ? offset ?|2",
        "select a from (select 1 limit 2, 3) t|-1",
        "select a from t|-1",
      })
  void tellsWhichLiteralSkipsRows(String sql, int slot) {
    assertThat(scan(sql).offsetSlot()).isEqualTo(slot);
  }

  @Test
  void noticesWhatSessionsCareFor() {
    assertThat(scan("select * from t where id=1 for update").mayLock()).isTrue();
    assertThat(scan("select * from t lock in share mode").mayLock()).isTrue();
    assertThat(scan("select * from t for share").mayLock()).isTrue();
    assertThat(scan("select 'for update'").mayLock()).isFalse();
    assertThat(scan("select @a").hasUserVariable()).isTrue();
    assertThat(scan("select @@a, '@b'").hasUserVariable()).isFalse();
    assertThat(scan("create user 'a'@'b'").hasUserVariable()).isFalse();
    assertThat(scan("select 'é'").isAscii()).isFalse();
    assertThat(scan("select 'e'").isAscii()).isTrue();
  }

  @Test
  void fingerprintsFollowTheNormalForm() {
    assertThat(scan("select  1").fingerprint()).isEqualTo(scan("select /* x */ 22").fingerprint());
    assertThat(scan("select 1").fingerprint()).isNotEqualTo(scan("select '1'").fingerprint());
    assertThat(scan("select 1").fingerprint()).isNotEqualTo(scan("select ?").fingerprint());
    assertThat(scan("/* SHARDINGSPHERE_HINT: a=1 */ select 1").fingerprint())
        .isNotEqualTo(scan("/* SHARDINGSPHERE_HINT: a=2 */ select 1").fingerprint());
    assertThat(scan("select 1").hasNormalForm(scan("select 2").copyNormalForm())).isTrue();
    assertThat(scan("select 1").hasNormalForm(scan("select a").copyNormalForm())).isFalse();
  }

  @Test
  void exposesTheHint() {
    String sql = "/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=ds_0 */ select 1";
    Scan scan = scan(sql);
    assertThat(sql.substring(scan.hintStart(), scan.hintEnd()))
        .isEqualTo(" DATA_SOURCE_NAME=ds_0 ");
    assertThat(scan("select /* SHARDINGSPHERE_HINT: a=b */ 1").hasHint()).isFalse();
  }

  @Test
  void scansAnythingWithinBounds() {
    String alphabet = "'\"`\\/*!M+-#@?;.,()0123xXbBeENn_aZ \n\té$=<>:|BEGIN END CREATE EVENT AS(";
    var random = new Random(20_261_121);
    List<DoubleBytes> sets = List.copyOf(EnumSet.allOf(DoubleBytes.class));
    Scan scan = new Scan();
    for (int round = 0; round < 200_000; round++) {
      var sql = new StringBuilder();
      for (int i = random.nextInt(40); i > 0; i--) {
        sql.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      byte[] bytes = sql.toString().getBytes(random.nextBoolean() ? UTF_8 : ISO_8859_1);
      byte[] packet = Arrays.copyOf(bytes, bytes.length + 3);
      packet[bytes.length] = '\'';
      DoubleBytes doubleBytes = sets.get(random.nextInt(sets.size()));
      var mode = new LexerMode(random.nextBoolean(), random.nextBoolean(), doubleBytes);
      scanner.scan(packet, 0, bytes.length, mode, scan);
      assertThat(scan.end()).isBetween(0, bytes.length);
      assertThat(scan.next()).isLessThan(bytes.length);
      int last = 0;
      for (int slot = 0; slot < scan.slotCount(); slot++) {
        assertThat(scan.slotStart(slot)).isGreaterThanOrEqualTo(last);
        assertThat(scan.slotEnd(slot)).isGreaterThan(scan.slotStart(slot));
        last = scan.slotEnd(slot);
      }
      assertThat(last).isLessThanOrEqualTo(scan.end());
      long fingerprint = scan.fingerprint();
      SourceText source = SourceText.of(scan, ISO_8859_1, mode);
      SqlTokens tokens = source.tokens();
      int slots = 0;
      for (int t = 0; t < tokens.size(); t++) {
        assertThat(tokens.end(t)).isGreaterThan(tokens.start(t));
        if (tokens.slot(t) >= 0) {
          assertThat(tokens.slot(t)).isEqualTo(slots++);
        }
      }
      assertThat(slots).isEqualTo(scan.slotCount());
      scanner.scan(packet, 0, bytes.length, mode, scan);
      assertThat(scan.fingerprint()).isEqualTo(fingerprint);
    }
  }

  /** What servers would read otherwise, or not all of them alike, is not read at all. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "select x'4g'| UTF-8| 7",
        "select b'012'| UTF-8| 7",
        "select x'4F', X'', b'01', B''| UTF-8| -1",
        "select a\u00A0from b| ISO-8859-1| 7",
        "select @a\u00A0from b| ISO-8859-1| 7",
        "select a\u00FF| ISO-8859-1| 7",
        "select gr\u00F6\u00DFe, '\u00A0' /* \u00A0 */, `\u00A0`| ISO-8859-1| -1",
        "select a\u00A0, \u00FF| UTF-8| -1",
        "select 1 --\u007F'| UTF-8| 9",
        "select 1 --\u007F'| GBK| 9",
        "select 1 --\u0081'| ISO-8859-1| 9",
        "select 1 --\u00E1| UTF-8| -1",
        "select 1 --\u0001'| UTF-8| -1",
        "select '--\u007F'| UTF-8| -1",
      })
  void whatServersReadOtherwiseIsNotReadable(String sql, String charset, int from) {
    Charset known = Charset.forName(charset);
    byte[] bytes = sql.getBytes(known);
    LexerMode mode = LexerMode.of(StatementCharset.of(known), false, false);
    Scan found = new SqlScanner().scan(bytes, 0, bytes.length, mode, new Scan());
    assertThat(found.unreadable()).isEqualTo(from);
  }

  /** What follows its first quote is another literal, with escapes of its own. */
  @Test
  void hexadecimalStringsEndAtTheirFirstQuote() {
    String sql = "select x'41''\\' , ' , (select pw from accounts) -- '";
    SqlTokens tokens = SourceText.of(sql, LexerMode.DEFAULT).tokens();
    assertThat(tokens.mention("accounts")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT `GET_LOCK` ('a', 1)",
        "SELECT `get_lock`/**/('a', 1)",
        "SELECT `get_lock` -- x\n ('a', 1)",
        "SELECT `get_lock` /*! */ ('a', 1)",
        "SELECT mariadb_schema.GET_LOCK('a', 1)",
        "SELECT mariadb_schema . GET_LOCK ('a', 1)",
        "SELECT mariadb_schema.`GET_LOCK`('a', 1)"
      })
  void locksAreNotedHoweverTheyAreCalled(String sql) {
    assertThat(scan(sql).mentionsGetLock()).isTrue();
  }
}
