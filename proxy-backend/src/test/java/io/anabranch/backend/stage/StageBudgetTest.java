package io.anabranch.backend.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What one statement may copy, and all together. */
class StageBudgetTest {

  private final StagedBytes ofAll = new StagedBytes();
  private final StageLimits limits = new StageLimits(2, 100, 150);

  @Test
  void ofOneStatement() {
    try (var budget = new StageBudget(limits, ofAll)) {
      budget.row();
      budget.row();
      assertThatThrownBy(budget::row).hasMessageContaining("proxy-stage-max-rows");
      budget.bytes(100);
      assertThatThrownBy(() -> budget.bytes(1)).hasMessageContaining("proxy-stage-max-bytes");
    }
    assertThat(ofAll.taken()).isZero();
    assertThat(ofAll.refusals()).isZero();
  }

  @Test
  void ofAllTogether() {
    try (var first = new StageBudget(limits, ofAll)) {
      first.bytes(100);
      try (var second = new StageBudget(limits, ofAll)) {
        second.bytes(50);
        assertThatThrownBy(() -> second.bytes(1))
            .hasMessageContaining("try again later, or raise proxy-stage-total-bytes");
        assertThat(ofAll.refusals()).isEqualTo(1);
      }
      assertThat(ofAll.taken()).isEqualTo(100);
    }
    try (var third = new StageBudget(limits, ofAll)) {
      third.bytes(100);
    }
    assertThat(ofAll.taken()).isZero();
  }
}
