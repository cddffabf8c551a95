package io.anabranch.backend.execute.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowShapeTest {

  private static final NameMapping NAMES = new NameMapping("shop", Map.of("t_1", "t"));
  private static final ShardQuery QUERY =
      ShardQuery.text("ds_0", "SELECT a FROM t_1".getBytes(UTF_8));

  private static ResultColumn column(String schema, String table, String name, int type) {
    return new ResultColumn(schema, table, table, name, name, 63, 11, type, 0, 0);
  }

  @Test
  void whoAnswersAloneTellsItsColumnsAndThePlanHowTheyAreCalled() {
    var told = List.of(column("", "", "a", 3), column("", "", "b", 3));
    var shape = new RowShape(PlanNode.Route.alone(QUERY, told, NAMES));

    shape.check(List.of(column("shop_0", "t_1", "a", 8), column("", "", "b", 3)), "ds_0");

    assertThat(shape.columns())
        .containsExactly(column("shop", "t", "a", 8), column("", "", "b", 3));
  }

  /** Cells are decrypted by their place: an answer of another width is no answer of the plan's. */
  @Test
  void whoAnswersAloneAnswersWithAsManyColumnsAsThePlanKnows() {
    var told = List.of(column("shop", "t", "a", 3));
    var shape = new RowShape(PlanNode.Route.alone(QUERY, told, NAMES));

    assertThatThrownBy(
            () ->
                shape.check(
                    List.of(column("shop_0", "t_1", "a", 3), column("shop_0", "t_1", "b", 3)),
                    "ds_0"))
        .hasMessageContaining("2 columns where 1 are expected");
  }
}
