package io.anabranch.backend.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.fakes.FakeDatabase;
import io.anabranch.backend.merge.Rows;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.StagedTable;
import java.util.List;
import org.junit.jupiter.api.Test;

class StagingConnectionTest {

  private static final String CREATE = "CREATE TEMPORARY TABLE copy (a INT, KEY (a))";

  private final FakeDatabase database = new FakeDatabase("a");
  private final StagingConnection staging = new StagingConnection(database.lease());

  private void fill() {
    var table =
        new StagedTable(
            "copy",
            "(a INT, KEY (a))",
            new PlanNode.LocalRows(List.of(), List.of()),
            List.of(StagedTable.Cell.NUMBER),
            null);
    var budget = new StageBudget(new StageLimits(10, 1000), new StagedBytes());
    staging.fill(
        table, Rows.source(List.of()), RowFormat.TEXT, budget, new StageKeys(List.of(table)));
  }

  @Test
  void aServerThatRequiresKeysGetsOne() {
    database.fails(CREATE, new ShardException.Database(3750, "HY000", "without a primary key"));
    fill();
    assertThat(database.log())
        .containsExactly(
            CREATE,
            "CREATE TEMPORARY TABLE copy (a INT, KEY (a), ab_row BIGINT UNSIGNED NOT NULL"
                + " AUTO_INCREMENT PRIMARY KEY INVISIBLE)");
  }

  @Test
  void anotherErrorIsTold() {
    database.fails(CREATE, new ShardException.Database(1114, "HY000", "The table is full"));
    assertThatThrownBy(this::fill).hasMessage("The table is full");
    assertThat(database.log()).containsExactly(CREATE);
  }
}
