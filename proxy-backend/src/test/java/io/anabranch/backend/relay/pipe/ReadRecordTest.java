package io.anabranch.backend.relay.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadRecordTest {

  private static final class Plan implements StatementPlan {
    @Override
    public StatementKind kind() {
      return StatementKind.SELECT;
    }

    @Override
    public Access access() {
      return Access.READ;
    }

    @Override
    public NameMapping names() {
      return NameMapping.ofSchema("");
    }

    @Override
    public BoundPlan bind(SlotValues values) {
      return new BoundPlan.AsIs("ds_0");
    }
  }

  private final StatementPlan plan = new Plan();
  private final ReadRecord record = new ReadRecord(plan, true);

  /** Executions until it may share again. */
  private int rest() {
    int rest = 0;
    while (!record.mayShare(false)) {
      rest++;
    }
    return rest;
  }

  @Test
  void belongsToOnePlan() {
    assertThat(record.isOf(plan)).isTrue();
    assertThat(record.isOf(new Plan())).isFalse();
  }

  @Test
  void whatIsNotPlainNeverShares() {
    var other = new ReadRecord(plan, false);
    other.ranAlone(1, 1, 0);
    assertThat(other.mayShare(false)).isFalse();
  }

  @Test
  void byLoadItHasToProveThatItIsShort() {
    assertThat(record.mayShare(true)).isFalse();
    assertThat(record.mayShare(false)).isTrue();
    for (int i = 0; i < ReadRecord.PROOFS; i++) {
      assertThat(record.mayShare(true)).isFalse();
      record.ranAlone(ReadRecord.SHORT_NANOS, ReadRecord.FEW_ROWS, 0);
    }
    assertThat(record.mayShare(true)).isTrue();
  }

  @Test
  void longOnesProveNothing() {
    for (int i = 0; i < 100; i++) {
      record.ranAlone(ReadRecord.SHORT_NANOS + 1, 1, 0);
    }
    assertThat(record.mayShare(true)).isFalse();
  }

  @Test
  void whoIsLateAgainAndAgainRests() {
    record.wasLate();
    record.wasLate();
    assertThat(rest()).isZero();
    record.wasLate();
    assertThat(rest()).isEqualTo(64);
    for (int i = 0; i < 200; i++) {
      record.wasLate();
      for (int k = 0; k < 16; k++) {
        record.shared(ReadRecord.QUICK_NANOS);
      }
      assertThat(record.mayShare(false)).isTrue();
    }
  }

  @Test
  void whoIsABurdenRestsLongerEachTime() {
    record.burdened();
    assertThat(rest()).isEqualTo(64);
    record.burdened();
    assertThat(rest()).isEqualTo(256);
    record.ranAlone(1, 1, 3);
    assertThat(rest()).isEqualTo(1024);
    record.ranAlone(1, ReadRecord.FEW_ROWS + 1, 0);
    assertThat(rest()).isEqualTo(4096);
    for (int i = 0; i < 20; i++) {
      record.burdened();
    }
    assertThat(rest()).isEqualTo(64 << 12);
  }

  @Test
  void isQuickWhereMostAnswersAre() {
    for (int i = 0; i < 32; i++) {
      record.shared(ReadRecord.QUICK_NANOS);
    }
    assertThat(record.isQuick()).isFalse();
    record.shared(ReadRecord.QUICK_NANOS);
    assertThat(record.isQuick()).isTrue();
    for (int i = 0; i < 100; i++) {
      record.shared(ReadRecord.QUICK_NANOS);
      record.shared(0);
      record.shared(ReadRecord.QUICK_NANOS + 1);
    }
    assertThat(record.isQuick()).isTrue();
    for (int i = 0; i < 100; i++) {
      record.shared(ReadRecord.QUICK_NANOS + 1);
    }
    assertThat(record.isQuick()).isFalse();
  }

  @Test
  void whoIsLateOrABurdenIsNotQuick() {
    for (Runnable mishap : List.<Runnable>of(record::wasLate, record::burdened)) {
      for (int i = 0; i < 64; i++) {
        record.shared(0);
      }
      mishap.run();
      assertThat(record.isQuick()).isFalse();
    }
  }

  @Test
  void isForgiven() {
    record.burdened();
    rest();
    for (int i = 0; i < 2 * 64; i++) {
      record.shared(ReadRecord.QUICK_NANOS);
    }
    record.burdened();
    assertThat(rest()).isEqualTo(64);
  }
}
