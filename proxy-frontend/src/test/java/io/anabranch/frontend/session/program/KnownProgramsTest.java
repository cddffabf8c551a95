package io.anabranch.frontend.session.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownProgramsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET @u = NEW.id",
        "BEGIN DECLARE n INT; SET n = 1, @u = 2; RETURN n; END",
        "BEGIN SELECT COUNT(*) INTO @u FROM t; END",
        "BEGIN DECLARE a INT; SELECT 1, 2 INTO a, @u; END",
        "RETURN (SELECT @u := 1)",
        "BEGIN CREATE TEMPORARY TABLE tmp (n INT); END",
        "BEGIN SET sql_mode = ''; END",
        "BEGIN SET SESSION sort_buffer_size = 9999; RETURN 1; END",
        "BEGIN IF NEW.id THEN SET @@time_zone = '+1:00'; END IF; END",
        "BEGIN DECLARE CONTINUE HANDLER FOR NOT FOUND SET @done = 1; END",
        "BEGIN CALL p(1, @u); END",
        "BEGIN GET DIAGNOSTICS @n = ROW_COUNT; END",
        "BEGIN UPDATE t SET n = 1; SET @u = 2; END",
        "SET 'what is this",
      })
  void seesWhatIsLeft(String body) {
    assertThat(ProgramText.leavesState(body)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET NEW.n = NEW.n + 1",
        "SET NEW.creator = @app_user, NEW.changed = NOW()",
        "BEGIN DECLARE a, n INT DEFAULT 0; SET n = f(1, 2), a = 3; RETURN n; END",
        "BEGIN UPDATE t SET a = 1, b = @x WHERE c = NEW.id; END",
        "BEGIN INSERT INTO log SET who = 'a@b', n = 1; END",
        "BEGIN IF NEW.n < 0 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END IF; END",
        "BEGIN DECLARE done INT; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; END",
        "INSERT INTO log VALUES (NEW.id, @app_user, CONVERT(NEW.x USING utf8mb4))",
        "RETURN n + 1",
        "select `a`.`id` AS `id` from `a`",
      })
  void letsOthersBe(String body) {
    assertThat(ProgramText.leavesState(body)).isFalse();
  }

  @Test
  void followsWhoUsesThem() {
    KnownPrograms programs =
        KnownPrograms.of(
            List.of(
                List.of("upper", "select `a``b`, v.n from `View 4` v"),
                List.of("View 4", "select `shop`.`Remember`() AS `n`"),
                List.of("remember", "BEGIN SET @u = 1; RETURN 1; END"),
                List.of("locking", "RETURN GET_LOCK('one', 0)"),
                List.of("harmless", "RETURN 1")));
    assertThat(programs.mayLeaveState(bytes("SELECT * FROM UPPER"))).isTrue();
    assertThat(programs.mayLeaveState(bytes("SELECT * FROM `view 4`"))).isTrue();
    assertThat(programs.mayLeaveState(bytes("SELECT harmless(), locking()"))).isFalse();
    assertThat(programs.mayLeaveState(bytes("SELECT * FROM upper_2"))).isFalse();
    assertThat(programs.lock()).isTrue();
    assertThat(programs.mayChangeLocks(bytes("SELECT * FROM upper"))).isFalse();
    assertThat(programs.locks(bytes("SELECT locking()"))).containsExactly("one");
  }

  @Test
  void takesTextsThatCannotBeSeenForSuspects() {
    KnownPrograms programs = KnownPrograms.of(List.of(Arrays.asList("hidden", null)));
    assertThat(programs.mayLeaveState(bytes("SELECT hidden()"))).isTrue();
    assertThat(programs.lock()).isFalse();
  }

  private static byte[] bytes(String sql) {
    return sql.getBytes(StandardCharsets.UTF_8);
  }
}
