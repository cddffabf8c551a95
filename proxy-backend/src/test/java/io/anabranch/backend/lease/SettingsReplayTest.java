package io.anabranch.backend.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingsReplayTest {

  private static final SessionSettings INITIAL = SessionSettings.INITIAL;

  @Test
  void nothingIsSaidWhenNothingDiffers() {
    assertThat(replay(INITIAL, INITIAL)).isEmpty();
    assertThat(replay(INITIAL.with("a", "1"), INITIAL.with("a", "1"))).isEmpty();
  }

  @Test
  void onlyTheDifferenceIsSaid() {
    SessionSettings from = INITIAL.with("sql_mode", "''").with("time_zone", "'+00:00'");
    SessionSettings to = from.with("sql_mode", "'ANSI'").with("@x", "5");
    assertThat(replay(from, to)).containsExactly("SET @x=5,sql_mode='ANSI'");
  }

  @Test
  void whatIsGoneGetsItsGlobalValueBack() {
    SessionSettings from = INITIAL.with("sql_mode", "'ANSI'").with("@x", "5");
    assertThat(replay(from, INITIAL)).containsExactly("SET @x=_binary'',@x=NULL,sql_mode=DEFAULT");
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
  void theCharacterSetGoesFirst() {
    SessionSettings to = INITIAL.withCollation(8).with("sql_mode", "'ANSI'");
    assertThat(replay(INITIAL, to))
        .containsExactly("SET NAMES latin1 COLLATE latin1_swedish_ci", "SET sql_mode='ANSI'");
    assertThat(replay(to, INITIAL)).containsExactly("SET NAMES utf8mb4", "SET sql_mode=DEFAULT");
  }

  /** A literal that the connection reads as UTF-16 is no value of {@code sql_mode}. */
  @Test
  void connectionsThatReadNoAsciiAreToldAnotherCharacterSetFirst() {
    for (String wide : List.of("'utf16'", "'utf16le'", "'ucs2'", "'utf32'")) {
      SessionSettings from = INITIAL.with("character_set_connection", wide);
      assertThat(replay(from, from)).isEmpty();
      assertThat(replay(from, from.with("sql_mode", "'ANSI'")))
          .containsExactly(
              "SET NAMES utf8mb4", "SET character_set_connection=" + wide + ",sql_mode='ANSI'");
    }
    SessionSettings collated = INITIAL.with("collation_connection", "'utf16_bin'");
    assertThat(replay(collated, INITIAL.with("sql_mode", "'ANSI'")))
        .containsExactly("SET NAMES utf8mb4", "SET sql_mode='ANSI'");
    SessionSettings narrow = INITIAL.with("collation_connection", "'utf8mb4_bin'");
    assertThat(replay(narrow, narrow.with("sql_mode", "'ANSI'")))
        .containsExactly("SET sql_mode='ANSI'");
  }

  /** MySQL refuses a SET of some ten thousand assignments, whatever their length (1436). */
  @Test
  void thousandsOfVariablesGoInSeveralStatements() {
    SessionSettings many = INITIAL;
    for (int i = 0; i < 2000; i++) {
      many = many.with("@v" + i, "1");
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
