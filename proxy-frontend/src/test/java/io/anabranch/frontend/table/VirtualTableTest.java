package io.anabranch.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VirtualTableTest {

  private static final VirtualTable TABLE =
      new VirtualTable() {
        @Override
        public String name() {
          return "t";
        }

        @Override
        public List<VirtualColumn> columns() {
          return List.of(
              VirtualColumn.number("id"),
              VirtualColumn.text("v", 3),
              VirtualColumn.text("w", 2000),
              VirtualColumn.milliseconds("m_ms"),
              VirtualColumn.moment("seen"));
        }

        @Override
        public List<List<@Nullable String>> rows() {
          return List.of(
              Arrays.asList("12345", "abcdef", "x", "1.5", "2026-01-02 03:04:05.678"),
              Arrays.asList("1", "a\uD83D\uDE00b\uD83D\uDE00", null, null, null));
        }
      };

  @Test
  void textsAreCutWhereTheirColumnEnds() {
    assertThat(TABLE.fittingRows())
        .containsExactly(
            Arrays.asList("12345", "abc", "x", "1.5", "2026-01-02 03:04:05.678"),
            Arrays.asList("1", "a\uD83D\uDE00b", null, null, null));
  }

  @Test
  void isDefinedAsATable() {
    assertThat(TABLE.definition())
        .isEqualTo(
            "(`id` BIGINT NULL,"
                + " `v` VARCHAR(3) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NULL,"
                + " `w` LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NULL,"
                + " `m_ms` DOUBLE NULL, `seen` DATETIME(3) NULL)");
  }

  @Test
  void namesAreFoundInAnyCase() {
    var schema = new VirtualSchema(List.of(TABLE));
    assertThat(schema.table("T")).isSameAs(TABLE);
    assertThat(schema.table("u")).isNull();
  }
}
