package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.HintShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.task.PlanScope;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of a table that is sharded by hint, however they come. */
class HintedRowsTest {

  private static final String HINT = "/* SHARDINGSPHERE_HINT: SHARDING_TABLE_VALUE=1 */ ";

  private final PlannerFixture fixture = new PlannerFixture();
  private final LogicalDatabase database = hinted(fixture.shop);
  private final StatementPlanner planner = fixture.over(database);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t_log (id, name) VALUES (1, 'x')",
        "INSERT INTO t_log (id, name) VALUES (1, (SELECT name FROM t_dict WHERE code = 1))",
        "INSERT INTO t_log (id, name) SELECT order_id, name FROM t_order",
        "REPLACE INTO t_log (id, name) SELECT order_id, name FROM t_order",
        "LOAD DATA LOCAL INFILE 'x' INTO TABLE t_log (id, name)",
      })
  void goWhereTheHintSays(String sql) {
    assertThat(plan(HINT + sql).access()).isEqualTo(StatementPlan.Access.WRITE);
    assertThatThrownBy(() -> plan(sql))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("sharded by hint");
  }

  private StatementPlan plan(String sql) {
    return planner.plan(fixture.scan(sql), new PlanScope(database, UTF_8, false, false));
  }

  private static LogicalDatabase hinted(LogicalDatabase shop) {
    var tables = new HashMap<>(shop.shardedTables());
    tables.computeIfPresent(
        "t_log",
        (name, log) ->
            new ShardedTable(
                name,
                log.nodes(),
                ShardingStrategy.None.NONE,
                new ShardingStrategy.Hint(new Numbered()),
                null,
                -1));
    return new LogicalDatabase(
        shop.name(),
        shop.dataSources(),
        shop.groups(),
        tables,
        shop.broadcastTables(),
        shop.single());
  }

  private static final class Numbered implements HintShardingAlgorithm {
    @Override
    public BitSet targets(TargetSet targets, List<SqlValue> values) {
      var found = new BitSet();
      found.set(1);
      return found;
    }
  }
}
