package io.anabranch.backend.stage;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StagedTable;
import java.util.List;
import org.junit.jupiter.api.Test;

class StageKeysTest {

  private static final String SQL =
      "SELECT b.x FROM b WHERE (`b`.`x` IN (:keys)) AND (b.y = ':keys')";

  private final StagedTable first =
      new StagedTable(
          "a", "(x INT)", new PlanNode.LocalRows(List.of(), List.of()), List.of(), null);
  private final StagedTable second =
      new StagedTable(
          "b",
          "(x INT)",
          new PlanNode.Route(List.of(ShardQuery.text("ds", SQL.getBytes(US_ASCII))), List.of()),
          List.of(),
          new StagedTable.Reduction("a", 0, "`b`.`x` IN (:keys)".getBytes(US_ASCII)));
  private final StageKeys keys = new StageKeys(List.of(first, second));

  private void add(int value) {
    byte[] digits = ("#" + value).getBytes(US_ASCII);
    keys.of(first).getFirst().add(digits, 1, digits.length - 1);
  }

  private String asked() {
    return ((PlanNode.Route) keys.rows(second)).queries().getFirst().sqlText();
  }

  @Test
  void asksForTheDifferentKeys() {
    add(7);
    add(-8);
    add(7);
    assertThat(asked()).isEqualTo(SQL.replace("(:keys)", "(7, -8)"));
    assertThat(keys.rows(first)).isSameAs(first.rows());
    assertThat(keys.of(second)).isEmpty();
  }

  @Test
  void asksForNothingWithoutKeys() {
    assertThat(asked()).isEqualTo(SQL.replace("`b`.`x` IN (:keys)", "FALSE"));
  }

  @Test
  void asksForAllWhereKeysAreMany() {
    for (int i = 0; i <= 1000; i++) {
      add(i);
    }
    assertThat(asked()).isEqualTo(SQL.replace("`b`.`x` IN (:keys)", "TRUE"));
  }
}
