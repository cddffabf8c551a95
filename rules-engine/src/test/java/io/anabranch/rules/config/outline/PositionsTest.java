package io.anabranch.rules.config.outline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PositionsTest {

  private static final Positions POSITIONS =
      Positions.of(
          """
          databaseName: Shop
          rules:
          - !SINGLE
            tables: [ds_0.a, ds_0.b]
          - !SHARDING
            tables:
              t_order:
                actualDataNodes: ds_0.t_order
          """);

  @Test
  void findsKeysTagsAndEntries() {
    assertThat(POSITIONS.at("rules", "!SHARDING", "tables", "T_ORDER")).isEqualTo("7:5");
    assertThat(POSITIONS.at("rules", "!SINGLE", "tables", "ds_0.b")).isEqualTo("4:20");
    assertThat(POSITIONS.says("databaseName", "shop")).isTrue();
    assertThat(POSITIONS.says("databaseName", "store")).isFalse();
  }

  @Test
  void takesTheDeepestPartThatIsThere() {
    assertThat(POSITIONS.at("rules", "!SHARDING", "tables", "t_gone")).isEqualTo("6:3");
    assertThat(POSITIONS.at("props")).isEqualTo("1:1");
    assertThat(Positions.of("").at("rules")).isEqualTo("1:1");
  }
}
