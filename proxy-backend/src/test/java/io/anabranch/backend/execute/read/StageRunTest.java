package io.anabranch.backend.execute.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.StagedTable;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StageRunTest {

  @Test
  void columnsAreCalledByTablesAndNotByTheirCopies() {
    List<StagedTable> copies =
        Stream.of("ab_stage_1", "ab_stage_10").map(StageRunTest::copy).toList();
    var names = new NameMapping("shop", Map.of("ab_stage_1", "t_order", "ab_stage_10", "t_log"));

    assertThat(StageRun.nameOf("(SELECT MAX(x) FROM ab_stage_10 l)", copies, names))
        .isEqualTo("(SELECT MAX(x) FROM t_log l)");
    assertThat(
            StageRun.nameOf(
                "(SELECT 1 FROM `ab_stage_10` AS t_log, `ab_stage_1` AS t_order)", copies, names))
        .isEqualTo("(SELECT 1 FROM t_log, t_order)");
    assertThat(StageRun.nameOf("total", copies, names)).isEqualTo("total");
  }

  private static StagedTable copy(String name) {
    return new StagedTable(
        name, "(a INT)", new PlanNode.LocalRows(List.of(), List.of()), List.of(), null);
  }
}
