package io.anabranch.rules.planner.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.table.PlacedTable;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which copies have the primary key of their table. */
class StagedKeysTest {

  private static final Column ID = key("id", "bigint(20)", null);
  private static final Column USER = key("user_id", "int(11)", null);
  private static final Column NAME = new Column("name", "varchar(9)", "utf8mb4_bin", true, false);

  private static Column key(String name, String type, @Nullable String collation) {
    return new Column(name, type, collation, false, false, true, false, false, false, true);
  }

  private static TableRef ref() {
    return new TableRef(0, 1, -1, null, "t", "t", false, false);
  }

  private static StagedReference reference(PlacedTable table, Column... columns) {
    return new StagedReference("copy", ref(), table, new TableSchema("t", List.of(columns)), 0, 0);
  }

  private static PlacedTable broadcast() {
    return new PlacedTable.Broadcast(ref(), Map.of());
  }

  private static PlacedTable sharded(String... columns) {
    var byColumns =
        new ShardingStrategy.Complex(List.of(columns), (targets, values, ranges) -> new BitSet());
    var table =
        new ShardedTable(
            "t",
            List.of(new DataNode("ds_0", "t_0")),
            byColumns,
            ShardingStrategy.None.NONE,
            null,
            -1,
            null);
    return new PlacedTable.Sharded(ref(), table, Map.of(), null);
  }

  @Test
  void aWholeKeyIsOne() {
    var reference = reference(broadcast(), ID, USER, NAME);
    List<Column> unique = StagedKeys.unique(reference, List.of(ID, USER, NAME));
    assertThat(unique).containsExactly(ID, USER);
    assertThat(StagedKeys.definition(List.of(ID, USER), unique, column -> true, List.of()))
        .isEqualTo(
            "(`id` bigint(20) NOT NULL, `user_id` int(11) NOT NULL, PRIMARY KEY (`id`, `user_id`),"
                + " KEY (`user_id`))");
  }

  @Test
  void partOfAKeyIsNone() {
    var reference = reference(broadcast(), ID, USER, NAME);
    assertThat(StagedKeys.unique(reference, List.of(ID, NAME))).isEmpty();
    assertThat(StagedKeys.definition(List.of(ID), List.of(), column -> true, List.of()))
        .isEqualTo("(`id` bigint(20) NOT NULL, KEY (`id`))");
  }

  @Test
  void whatIsGroupedByAKeyHasIt() {
    assertThat(
            StagedKeys.definition(List.of(ID, USER), List.of(), column -> false, List.of(USER, ID)))
        .isEqualTo("(`id` bigint(20) NOT NULL, `user_id` int(11) NOT NULL, KEY (`user_id`, `id`))");
  }

  @Test
  void stringsAreKeysWhereTheyPlaceNoRows() {
    Column code = key("code", "varchar(9)", "utf8mb4_general_ci");
    List<Column> key = List.of(ID, code);
    assertThat(StagedKeys.unique(reference(broadcast(), code), List.of(code)))
        .containsExactly(code);
    assertThat(StagedKeys.unique(reference(sharded("id"), ID, code), key)).isEqualTo(key);
    assertThat(StagedKeys.unique(reference(sharded("code"), ID, code), key)).isEmpty();
  }

  @Test
  void stringsThatAKeyTakesAPartOfAreNone() {
    Column one = key("code", "varchar(192)", "utf8mb4_general_ci");
    Column half = key("half", "char(96)", "utf8mb4_general_ci");
    assertThat(StagedKeys.unique(reference(broadcast(), one), List.of(one))).isEmpty();
    assertThat(StagedKeys.unique(reference(broadcast(), half), List.of(half))).isNotEmpty();
    Column other = key("other", "binary(96)", null);
    assertThat(StagedKeys.unique(reference(broadcast(), half, other), List.of(half, other)))
        .isEmpty();
  }

  @Test
  void rowsOfSeveralNodesAreUniqueByTheirShardingColumns() {
    assertThat(StagedKeys.unique(reference(sharded("user_id"), ID, USER), List.of(ID, USER)))
        .containsExactly(ID, USER);
    assertThat(StagedKeys.unique(reference(sharded("name"), ID, USER), List.of(ID, USER)))
        .isEmpty();
  }
}
