package io.anabranch.backend.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
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
    assertThat(replay(from, INITIAL)).containsExactly("SET @x=NULL,sql_mode=DEFAULT");
  }

  @Test
  void theCharacterSetGoesFirst() {
    SessionSettings to = INITIAL.withCollation(8).with("sql_mode", "'ANSI'");
    assertThat(replay(INITIAL, to))
        .containsExactly(
            "SET character_set_client=8,character_set_results=8,collation_connection=8",
            "SET sql_mode='ANSI'");
    assertThat(replay(to, INITIAL)).containsExactly("SET NAMES utf8mb4", "SET sql_mode=DEFAULT");
  }

  @Test
  void singleCharacterSetVariablesSurviveOrGoBackWithAllOfThem() {
    SessionSettings binaryResults = INITIAL.with("character_set_results", "NULL");
    assertThat(replay(binaryResults, INITIAL)).containsExactly("SET NAMES utf8mb4");
    assertThat(replay(binaryResults, binaryResults.withCollation(33)))
        .containsExactly(
            "SET character_set_client=33,character_set_results=33,collation_connection=33",
            "SET character_set_results=NULL");
  }

  private static List<String> replay(SessionSettings from, SessionSettings to) {
    return SettingsReplay.difference(from, to).stream()
        .map(sql -> new String(sql, StandardCharsets.UTF_8))
        .toList();
  }
}
