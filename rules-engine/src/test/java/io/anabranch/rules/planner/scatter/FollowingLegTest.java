package io.anabranch.rules.planner.scatter;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.rewrite.Piece;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FollowingLegTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "SELECT a FROM|SELECT a FROM",
        "SELECT /*+ MAX_EXECUTION_TIME(9) */ a FROM|SELECT  a FROM",
        "select /*+ max_execution_time (9) NO_ICP(t) */ a FROM|select /*+  NO_ICP(t) */ a FROM",
        "SELECT /*+ SET_VAR(sql_mode = 'a)b') QB_NAME(q) INDEX(t i) */ a|SELECT /*+   INDEX(t i) */ a",
        "SELECT 'x /*+ SET_VAR(a=1) */'|SELECT 'x /*+ SET_VAR(a=1) */'",
        "SELECT a /*+ SET_VAR(a=1) */|SELECT a /*+ SET_VAR(a=1) */"
      })
  void leavesOutWhatHoldsForTheStatement(String leg, String following) {
    List<Piece> pieces = List.of(new Piece.Text(leg.getBytes(StandardCharsets.UTF_8)));

    Piece.Text first = (Piece.Text) FollowingLeg.of(pieces).getFirst();

    assertThat(new String(first.bytes(), StandardCharsets.UTF_8)).isEqualTo(following);
  }

  /** No stack has room for a call per character. */
  @Test
  void hintsMayBeLong() {
    String hint = "SET_VAR(optimizer_trace_features = '" + "x".repeat(1_000_000) + "')";

    leavesOutWhatHoldsForTheStatement(
        "SELECT /*+ " + hint + " NO_ICP(t) */ a", "SELECT /*+  NO_ICP(t) */ a");
    leavesOutWhatHoldsForTheStatement(
        "SELECT /*+ SET_VAR(" + "y".repeat(1_000_000) + ") */ a", "SELECT  a");
  }
}
