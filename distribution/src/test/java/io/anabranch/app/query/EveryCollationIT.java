package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.rules.compare.DecidedCollations;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Strings of every collation that the server has, on several shards as on one database: groups,
 * DISTINCT, order, extremes, joins and unions. A build tries one collation in {@link #TURNS},
 * always the same ones, and those that are known for their trouble; {@code -Dcollations.turn=0} and
 * so on tries others, {@code -Dcollations.all=true} all. Differences are written to {@code
 * target/collations}.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("both")
class EveryCollationIT {

  private static final String SCHEMA = "every_collation";

  private static final String RULES =
      """
      rules:
      - !SHARDING
        autoTables:
          t:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: three } }
        shardingAlgorithms:
          three: { type: MOD, props: { sharding-count: 3 } }
      """;

  /** A build tries one collation in so many. */
  private static final int TURNS = 150;

  private static final int USUAL_TURN = 79;

  /** What character sets do not have becomes a question mark: several rows of it are welcome. */
  private static final List<String> STRINGS =
      List.of(
          "a",
          "A",
          "a ",
          "a  ",
          " a",
          "b",
          "B",
          "ab",
          "Ab",
          "aB",
          "á",
          "à",
          "ä",
          "Ä",
          "å",
          "â",
          "æ",
          "Æ",
          "ae",
          "oe",
          "œ",
          "ö",
          "ü",
          "u",
          "U",
          "ß",
          "ss",
          "SS",
          "s",
          "ſ",
          "ẞ",
          "ch",
          "CH",
          "c",
          "cz",
          "č",
          "d",
          "dz",
          "dž",
          "đ",
          "ð",
          "i",
          "I",
          "ı",
          "İ",
          "í",
          "j",
          "l",
          "ll",
          "ĺ",
          "ł",
          "n",
          "ñ",
          "nj",
          "o",
          "ø",
          "þ",
          "th",
          "y",
          "z",
          "ž",
          "",
          " ",
          "0",
          "1",
          "10",
          "9",
          "٣",
          "-",
          "a-b",
          "_",
          "%",
          "'",
          "\\",
          "?",
          "\t",
          "a\t",
          "\u0001",
          "a\u0001",
          "\u00a0",
          "\u00ad",
          "a\u0301",
          "e\u0301",
          "é",
          "α",
          "Α",
          "ά",
          "σ",
          "ς",
          "Σ",
          "ж",
          "Ж",
          "ё",
          "е",
          "й",
          "и",
          "א",
          "ب",
          "ก",
          "เก",
          "あ",
          "ア",
          "ｱ",
          "か",
          "が",
          "ー",
          "カー",
          "カア",
          "日",
          "日本",
          "中",
          "一",
          "한",
          "하",
          "ﾊ",
          "Ａ",
          "ａ",
          "ﬀ",
          "ff",
          "Ⅳ",
          "IV",
          "½",
          "€",
          "😀",
          "😁",
          "𝐀",
          "a\u0000",
          "aa",
          "AA",
          "zz",
          "ZZ",
          "zzz",
          "~",
          "A ",
          "A\u0000 ");

  private static final List<String> TROUBLE =
      List.of(
          "latin2_czech_cs",
          "big5_chinese_ci",
          "tis620_thai_ci",
          "utf8mb4_uca1400_as_cs",
          "utf8mb4_thai_520_w2",
          "gb18030_chinese_ci",
          "latin7_general_cs",
          "utf8mb4_0900_as_cs");

  private static final List<String> STATEMENTS =
      List.of(
          "SELECT id FROM t ORDER BY w, id",
          "SELECT id FROM t ORDER BY w DESC, id LIMIT 30",
          "SELECT id FROM t ORDER BY g, w DESC, id DESC",
          "SELECT COUNT(*), MIN(id), MAX(id) FROM t GROUP BY w ORDER BY 2",
          "SELECT g, COUNT(*), MIN(id) FROM t GROUP BY g, w ORDER BY 1, 3",
          "SELECT COUNT(*), SUM(id) FROM t GROUP BY w ORDER BY w",
          "SELECT COUNT(*) FROM (SELECT DISTINCT w FROM t) x",
          "SELECT COUNT(DISTINCT w), COUNT(DISTINCT g, w) FROM t",
          "SELECT g, COUNT(DISTINCT w) FROM t GROUP BY g ORDER BY g",
          "SELECT a.id, b.id FROM t a JOIN t b ON a.w = b.w WHERE a.id < b.id ORDER BY 1, 2",
          "SELECT id FROM t WHERE w IN (SELECT w FROM t WHERE g = 1) ORDER BY id",
          "SELECT COUNT(*) FROM (SELECT w FROM t WHERE g = 0 UNION SELECT w FROM t WHERE g < 3) x",
          "SELECT id FROM t WHERE w = (SELECT MIN(w) FROM t) ORDER BY id",
          "SELECT id FROM t WHERE w > 'b' ORDER BY w, id LIMIT 5",
          "SELECT id, RANK() OVER (ORDER BY w) FROM t ORDER BY id");

  /** Of equal strings any may stand for its group: their number, and that they are equal. */
  private static final List<String> SHOWN =
      List.of(
          "SELECT MIN(w) FROM t",
          "SELECT MAX(w) FROM t",
          "SELECT MIN(w) FROM t GROUP BY g ORDER BY g",
          "SELECT MAX(w) FROM t GROUP BY g ORDER BY g",
          "SELECT w FROM t GROUP BY w ORDER BY w",
          "SELECT DISTINCT w FROM t ORDER BY w",
          "SELECT DISTINCT w FROM t ORDER BY w DESC LIMIT 10",
          "SELECT w FROM t WHERE g = 0 UNION SELECT w FROM t WHERE g < 3 ORDER BY w");

  @Test
  void answersLikeOneDatabase(DatabaseServers servers) throws SQLException, IOException {
    var differences = new ArrayList<String>();
    var refusals = new TreeMap<String, Integer>();
    int tried = 0;
    try (ShardedFixture fixture = ShardedFixture.start(servers, SCHEMA, RULES, List.of());
        Connection proxied = fixture.throughProxy();
        Connection direct = fixture.onPlain()) {
      for (String collation : collations(direct)) {
        tried += compare(collation, proxied, direct, differences, refusals);
      }
    }
    Path files = Files.createDirectories(Path.of("target", "collations"));
    Files.writeString(
        files.resolve(DatabaseServers.areMySql() ? "mysql.txt" : "mariadb.txt"),
        "%d statements, %d differences, refusals %s%n%s%n"
            .formatted(
                tried,
                differences.size(),
                refusals,
                String.join(System.lineSeparator(), differences)));
    assertThat(tried).isPositive();
    assertThat(differences).isEmpty();
    assertThat(refusals).isEmpty();
  }

  private static List<String> collations(Connection direct) throws SQLException {
    String known =
        DatabaseServers.areMySql()
            ? "SELECT collation_name FROM information_schema.collations ORDER BY 1"
            : "SELECT full_collation_name FROM"
                + " information_schema.collation_character_set_applicability ORDER BY 1";
    var all = new ArrayList<String>();
    try (ResultSet rows = direct.createStatement().executeQuery(known)) {
      while (rows.next()) {
        if (!rows.getString(1).equals("binary")) {
          all.add(rows.getString(1));
        }
      }
    }
    String chosen = System.getProperty("collations", "");
    if (!chosen.isEmpty()) {
      return all.stream().filter(name -> name.matches(chosen)).toList();
    }
    if (Boolean.getBoolean("collations.all")) {
      return all;
    }
    int turn = Integer.getInteger("collations.turn", USUAL_TURN);
    return all.stream()
        .filter(name -> TROUBLE.contains(name) || all.indexOf(name) % TURNS == turn)
        .toList();
  }

  private static int compare(
      String collation,
      Connection proxied,
      Connection direct,
      List<String> differences,
      Map<String, Integer> refusals)
      throws SQLException {
    for (Connection each : List.of(proxied, direct)) {
      fill(each, collation);
    }
    for (String sql : told(STATEMENTS, collation)) {
      judge(
          collation,
          sql,
          Transcript.of(proxied, sql),
          Transcript.of(direct, sql),
          differences,
          refusals);
    }
    var firsts = new HashMap<String, String>();
    for (String sql : told(SHOWN, collation)) {
      Transcript seen = shown(proxied, sql);
      Transcript wanted = shown(direct, sql);
      judge(
          collation,
          sql,
          firsts(seen, direct, firsts),
          firsts(wanted, direct, firsts),
          differences,
          refusals);
    }
    return STATEMENTS.size() + SHOWN.size();
  }

  /**
   * The statements whose answers the collation tells. Where weights do not decide, servers sort
   * strings that differ as if they were equal, in any order, and MySQL finds them by IN or not, by
   * whether it has made a table of the subquery.
   */
  private static List<String> told(List<String> statements, String collation) {
    boolean decides = DecidedCollations.contain(collation);
    return statements.stream()
        .filter(
            sql ->
                decides
                    || !(sql.contains("w IN (SELECT w")
                        || sql.endsWith("ORDER BY w")
                        || sql.contains("ORDER BY w)")
                        || sql.endsWith("ORDER BY w DESC LIMIT 10")))
        .toList();
  }

  private static void judge(
      String collation,
      String sql,
      Transcript seen,
      Transcript wanted,
      List<String> differences,
      Map<String, Integer> refusals) {
    if (seen.isRefusal()) {
      refusals.merge(collation + ": " + seen.head(), 1, Integer::sum);
    } else if (!seen.equals(wanted)) {
      differences.add(
          "%s: %s%n  seen   %s %s%n  wanted %s %s"
              .formatted(collation, sql, seen.head(), seen.rows(), wanted.head(), wanted.rows()));
    }
  }

  private static void fill(Connection connection, String collation) throws SQLException {
    String charset = collation.substring(0, collation.indexOf('_'));
    var insert = new StringBuilder("INSERT INTO t (id, g, w) VALUES ");
    // MariaDB sorts strings without padding as if zeros were behind them, and finds them unequal
    boolean hasNulls = !DecidedCollations.isNoPad(collation);
    List<String> strings =
        STRINGS.stream().filter(string -> hasNulls || !string.contains("\0")).toList();
    for (int i = 0; i < strings.size(); i++) {
      String hex = HexFormat.of().formatHex(strings.get(i).getBytes(StandardCharsets.UTF_8));
      insert.append(i == 0 ? "" : ", ").append("(%d, %d, _utf8mb4 x'%s')".formatted(i, i % 4, hex));
    }
    for (String sql :
        List.of(
            "SET sql_mode = ''",
            "DROP TABLE IF EXISTS t",
            "CREATE TABLE t (id INT PRIMARY KEY, g INT NOT NULL, w VARCHAR(20) CHARACTER SET %s COLLATE %s)"
                .formatted(charset, collation),
            insert.toString())) {
      Transcript done = Transcript.of(connection, sql);
      assertThat(done.isError()).as("%s: %s", collation, done.head()).isFalse();
    }
  }

  private static Transcript shown(Connection asked, String sql) {
    var strings = new ArrayList<String>();
    try (Statement statement = asked.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        strings.add(rows.getString(1));
      }
    } catch (SQLException e) {
      return Transcript.of(asked, sql);
    }
    return new Transcript("", strings);
  }

  /** For each row the first id that has a string equal to it. */
  private static Transcript firsts(Transcript shown, Connection direct, Map<String, String> known)
      throws SQLException {
    var ids = new ArrayList<String>();
    try (PreparedStatement first = direct.prepareStatement("SELECT MIN(id) FROM t WHERE w = ?")) {
      for (String string : shown.rows()) {
        if (!known.containsKey(string)) {
          first.setString(1, string);
          try (ResultSet rows = first.executeQuery()) {
            known.put(string, rows.next() ? rows.getString(1) : "");
          }
        }
        ids.add(known.get(string));
      }
    }
    return new Transcript(shown.head(), ids);
  }
}
