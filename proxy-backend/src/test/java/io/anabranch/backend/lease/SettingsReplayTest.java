package io.anabranch.backend.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SettingsReplayTest {

  private static final SessionSettings INITIAL = SessionSettings.INITIAL;

  private static Map<String, VariableValue> user(String name, String digits) {
    return Map.of(name, new VariableValue.Whole(digits));
  }

  @Test
  void nothingIsSaidWhenNothingDiffers() {
    assertThat(replay(INITIAL, INITIAL)).isEmpty();
    assertThat(replay(INITIAL.with("a", "1"), INITIAL.with("a", "1"))).isEmpty();
  }

  @Test
  void onlyTheDifferenceIsSaid() {
    SessionSettings from = INITIAL.with("sql_mode", "''").with("time_zone", "'+00:00'");
    SessionSettings to = from.with("sql_mode", "'ANSI'").assigned(user("@x", "5"));
    assertThat(replay(from, to)).containsExactly("SET sql_mode='ANSI',@x=5");
  }

  @Test
  void aVariableThatIsNullIsGivenItsTypeFirst() {
    SessionSettings to =
        INITIAL.assigned(Map.of("@x", new VariableValue.Null(new VariableValue.Decimal("1.5"))));
    assertThat(replay(INITIAL, to)).containsExactly("SET @x=1.5,@x=NULL");
    assertThat(replay(INITIAL.assigned(user("@x", "2")), to)).containsExactly("SET @x=1.5,@x=NULL");
    assertThat(replay(to, to)).isEmpty();
  }

  @Test
  void whatIsGoneGetsItsGlobalValueBack() {
    SessionSettings from = INITIAL.with("sql_mode", "'ANSI'").assigned(user("@x", "5"));
    assertThat(replay(from, INITIAL)).containsExactly("SET sql_mode=DEFAULT,@x=_binary'',@x=NULL");
  }

  /** Of two names of one variable the one that was set last counts, whatever their order is. */
  @Test
  void synonymsAreOneVariable() {
    for (List<String> pair :
        List.of(
            List.of("tx_isolation", "transaction_isolation"),
            List.of("tx_read_only", "transaction_read_only"),
            List.of("storage_engine", "default_storage_engine"),
            List.of("tmp_table_size", "tmp_memory_table_size"),
            List.of("slow_query_log", "log_slow_query"),
            List.of("long_query_time", "log_slow_query_time"),
            List.of("pseudo_slave_mode", "pseudo_replica_mode"))) {
      for (List<String> order : List.of(pair, pair.reversed())) {
        String first = order.getFirst();
        String last = order.getLast();
        SessionSettings from = INITIAL.with(first, "1");
        SessionSettings to = from.with(last, "2");
        assertThat(replay(INITIAL, to)).containsExactly("SET " + last + "=2");
        assertThat(replay(from, to)).containsExactly("SET " + first + "=DEFAULT," + last + "=2");
        assertThat(to.without(first)).isEqualTo(INITIAL);
        assertThat(replay(to.unknown(List.of(first)), to))
            .containsExactly("SET " + first + "=DEFAULT," + last + "=2");
        var restored = new HashMap<>(to.variables());
        from.giveBack(restored, last);
        assertThat(restored).isEqualTo(from.variables());
      }
    }
  }

  /** {@code max_join_size} says what {@code sql_big_selects} is, until that is set itself. */
  @Test
  void whatAnotherVariableSetsIsNotToldAnyMore() {
    SessionSettings both = INITIAL.with("max_join_size", "9").with("sql_big_selects", "1");
    assertThat(replay(INITIAL, both)).containsExactly("SET max_join_size=9,sql_big_selects=1");
    assertThat(replay(INITIAL, both.with("max_join_size", "9")))
        .containsExactly("SET max_join_size=9");
  }

  @Test
  void positionsAreToldWhateverTheSessionTracks() {
    SessionSettings tracks = INITIAL.with("session_track_system_variables", "'time_zone'");
    assertThat(replay(INITIAL, tracks))
        .containsExactly(
            "SET session_track_system_variables=CONCAT('time_zone'/*M!,',last_gtid'*/)");
    assertThat(replay(tracks, INITIAL))
        .containsExactly(
            "SET session_track_system_variables="
                + "CONCAT(@@global.session_track_system_variables/*M!,',last_gtid'*/)");
    assertThat(replay(INITIAL.with("session_track_gtids", "'OFF'"), INITIAL))
        .containsExactly("SET session_track_gtids=OWN_GTID");
  }

  @Test
  void characterSetsGoBehindVariablesOfTheSystem() {
    SessionSettings to = INITIAL.withCollation(8).with("sql_mode", "'ANSI'");
    assertThat(replay(INITIAL, to))
        .containsExactly("SET sql_mode='ANSI'", "SET NAMES latin1 COLLATE latin1_swedish_ci");
    assertThat(replay(to, INITIAL)).containsExactly("SET sql_mode=DEFAULT", "SET NAMES utf8mb4");
    SessionSettings single =
        INITIAL.with("character_set_client", "'gbk'").assigned(user("@`a`", "1"));
    assertThat(replay(INITIAL, single))
        .containsExactly("SET character_set_client='gbk'", "SET @`a`=1");
  }

  /** MySQL keeps the collation of the connection with a number, and compares texts by it. */
  @Test
  void userVariablesAreToldUnderTheSessionsCollation() {
    SessionSettings to =
        INITIAL
            .withCollation(8)
            .assigned(Map.of("@`n`", new VariableValue.Decimal("1.5")))
            .with("sql_mode", "'ANSI'")
            .assigned(user("@`\u4f60`", "2"));
    assertThat(replay(INITIAL, to))
        .containsExactly(
            "SET NAMES utf8mb4",
            "SET @`\u4f60`=2,sql_mode='ANSI'",
            "SET NAMES latin1 COLLATE latin1_swedish_ci",
            "SET @`n`=1.5");
    SessionSettings collated = INITIAL.with("collation_connection", "'utf8mb4_bin'");
    assertThat(replay(INITIAL, collated.assigned(user("@`n`", "1"))))
        .containsExactly("SET collation_connection='utf8mb4_bin'", "SET @`n`=1");
    assertThat(replay(collated.assigned(user("@`n`", "1")), INITIAL))
        .containsExactly("SET NAMES utf8mb4", "SET @`n`=_binary'',@`n`=NULL");
  }

  /** A literal that the connection reads as UTF-16 is no value of {@code sql_mode}. */
  @Test
  void connectionsThatReadNoAsciiAreToldAnotherCharacterSetFirst() {
    for (String wide : List.of("'utf16'", "'utf16le'", "'ucs2'", "'utf32'")) {
      SessionSettings from = INITIAL.with("character_set_connection", wide);
      assertThat(replay(from, from)).isEmpty();
      assertThat(replay(from, from.with("sql_mode", "'ANSI'")))
          .containsExactly(
              "SET NAMES utf8mb4",
              "SET sql_mode='ANSI'",
              "SET NAMES utf8mb4",
              "SET character_set_connection=" + wide);
    }
    SessionSettings wide = INITIAL.with("character_set_connection", "'utf16'");
    assertThat(replay(wide, wide.with("character_set_results", "'latin1'")))
        .containsExactly(
            "SET NAMES utf8mb4",
            "SET character_set_connection='utf16',character_set_results='latin1'");
    SessionSettings collated = INITIAL.with("collation_connection", "'utf16_bin'");
    assertThat(replay(collated, INITIAL.with("sql_mode", "'ANSI'")))
        .containsExactly("SET NAMES utf8mb4", "SET sql_mode='ANSI'", "SET NAMES utf8mb4");
    assertThat(replay(collated, INITIAL)).containsExactly("SET NAMES utf8mb4");
    SessionSettings narrow = INITIAL.with("collation_connection", "'utf8mb4_bin'");
    assertThat(replay(narrow, narrow.with("sql_mode", "'ANSI'")))
        .containsExactly("SET sql_mode='ANSI'");
  }

  /**
   * Whatever character sets a connection has, has had or gets: names beyond ASCII are told, and
   * forgotten, where it reads UTF-8, and all that a session has is told.
   */
  @Test
  void namesBeyondAsciiAreToldInUtf8AndNoOtherSet() {
    var settings = new ArrayList<SessionSettings>();
    var bases = List.of(INITIAL, INITIAL.withCollation(28), INITIAL.withCollation(-45));
    for (SessionSettings base : bases) {
      for (String client : List.of("", "'gbk'", "'utf8mb4'", "'latin1'")) {
        SessionSettings one = client.isEmpty() ? base : base.with("character_set_client", client);
        settings.add(one);
        settings.add(
            one.assigned(user("@`\u4f60`", "1"))
                .assigned(user("@`!\u4f60`", "2"))
                .assigned(user("@`a`", "3")));
      }
    }
    for (SessionSettings from : settings) {
      for (SessionSettings to : settings) {
        String reads = from.variables().getOrDefault("character_set_client", "unknown");
        var told = new TreeMap<String, String>();
        for (String statement : replay(from, to)) {
          boolean isAscii = statement.chars().allMatch(letter -> letter < 0x80);
          assertThat(isAscii || reads.equals("utf8mb4"))
              .as("%s -> %s: %s", from.variables(), to.variables(), statement)
              .isTrue();
          reads = read(statement, reads, told);
        }
        var expected = new TreeMap<String, String>();
        for (String name : List.of("@`\u4f60`", "@`!\u4f60`", "@`a`")) {
          VariableValue wanted = to.userVariables().get(name);
          if (!Objects.equals(wanted, from.userVariables().get(name))) {
            expected.put(name, wanted == null ? "NULL" : wanted.sql());
          }
        }
        assertThat(told).isEqualTo(expected);
        String client = to.variables().get("character_set_client");
        if (client != null) {
          assertThat(reads).isIn(client, client.replace("'", ""));
        } else if (to.collation() == 28) {
          assertThat(reads).isIn("gbk", "unknown");
        }
      }
    }
  }

  /** What the connection reads behind the statement. */
  private static String read(String statement, String reads, Map<String, String> told) {
    if (statement.startsWith("SET NAMES ")) {
      return statement.split(" ", -1)[2];
    }
    String now = reads;
    for (String each : statement.substring(4).split(",", -1)) {
      String[] halves = each.split("=", -1);
      if (halves[0].equals("character_set_client")) {
        now = halves[1];
      } else {
        told.put(halves[0], halves[1]);
      }
    }
    return now;
  }

  /** MySQL refuses a SET of some ten thousand assignments, whatever their length (1436). */
  @Test
  void thousandsOfVariablesGoInSeveralStatements() {
    SessionSettings many = INITIAL;
    for (int i = 0; i < 2000; i++) {
      many = many.assigned(user("@v" + i, "1"));
    }
    List<String> told = replay(INITIAL, many);
    assertThat(told).hasSize(4).allMatch(sql -> sql.startsWith("SET @v"));
    assertThat(String.join(",", told).split("@v", -1)).hasSize(2001);
    assertThat(replay(many, INITIAL)).hasSize(8);
  }

  @Test
  void singleCharacterSetVariablesSurviveOrGoBackWithAllOfThem() {
    SessionSettings binaryResults = INITIAL.with("character_set_results", "NULL");
    assertThat(replay(binaryResults, INITIAL)).containsExactly("SET NAMES utf8mb4");
    assertThat(replay(binaryResults, binaryResults.withCollation(33)))
        .containsExactly(
            "SET NAMES utf8 COLLATE utf8_general_ci", "SET character_set_results=NULL");
  }

  @Test
  void collationsOfOneProductAreOnlySaidToIt() {
    assertThat(replay(INITIAL, INITIAL.withCollation(255)))
        .containsExactly("SET NAMES utf8mb4 /*!80000 COLLATE utf8mb4_0900_ai_ci */");
    assertThat(replay(INITIAL, INITIAL.withCollation(224)))
        .containsExactly("SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci");
  }

  @Test
  void unknownCollationsLeaveTheConnectionsOwn() {
    assertThat(replay(INITIAL, INITIAL.withCollation(9999))).containsExactly("SET NAMES utf8mb4");
  }

  private static List<String> replay(SessionSettings from, SessionSettings to) {
    return SettingsReplay.difference(from, to).stream()
        .map(sql -> new String(sql, StandardCharsets.UTF_8))
        .toList();
  }
}
