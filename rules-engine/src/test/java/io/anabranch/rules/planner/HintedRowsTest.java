package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.HintShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.task.PlanScope;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of a table that is sharded by hint, however they come. */
class HintedRowsTest {

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
    for (int source = 0; source < 2; source++) {
      for (int table = 0; table < 2; table++) {
        // with the values of another table, which do not count
        String hinted =
            "/* SHARDINGSPHERE_HINT: t_log.SHARDING_DATABASE_VALUE="
                + source
                + ", t_log.SHARDING_TABLE_VALUE="
                + table
                + ", t_key.SHARDING_DATABASE_VALUE=0, t_key.SHARDING_TABLE_VALUE=0 */ "
                + sql;
        StatementPlan plan = plan(hinted);
        assertThat(plan.access()).isEqualTo(StatementPlan.Access.WRITE);
        // t_log_0 and t_log_2 are in ds_0, the others in ds_1
        assertThat(target(plan.bind(values(hinted))))
            .containsExactly("ds_" + source, "t_log_" + (2 * table + source));
      }
    }
    assertThatThrownBy(() -> plan(sql))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("sharded by hint");
  }

  /** The data source and the actual table of the first row. */
  private static List<String> target(BoundPlan bound) {
    return switch (bound) {
      case BoundPlan.Single single ->
          List.of(single.query().dataSource(), table(single.query().sql()));
      case BoundPlan.Merged merged -> {
        RowTarget rows =
            switch (merged.root()) {
              case PlanNode.RowWrite write -> write.targets().getFirst();
              case PlanNode.Load load -> load.target();
              case PlanNode other -> throw new AssertionError(other.toString());
            };
        var at = rows.statements().get(rows.placer().node(_ -> new SqlValue.Int(6)));
        yield List.of(at.dataSource(), table(at.head()));
      }
      case BoundPlan.AsIs asIs -> throw new AssertionError(asIs.toString());
    };
  }

  private static String table(byte[] sql) {
    Matcher actual = Pattern.compile("t_log_\\d").matcher(new String(sql, UTF_8));
    assertThat(actual.find()).isTrue();
    return actual.group();
  }

  private TextSlotValues values(String sql) {
    return new TextSlotValues().over(fixture.scan(sql), UTF_8, LexerMode.DEFAULT);
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
                new ShardingStrategy.Hint(new Numbered()),
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
      values.forEach(value -> found.set((int) ((SqlValue.Int) value).value()));
      return found;
    }
  }
}
