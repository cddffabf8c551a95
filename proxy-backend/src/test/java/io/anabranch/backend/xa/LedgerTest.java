package io.anabranch.backend.xa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.transaction.commit.CommitBarrier;
import io.anabranch.rules.error.RefusedException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LedgerTest {

  private static final GlobalId TRANSACTION = GlobalId.of("cluster-code", "node.life", 1);

  private final CommitBarrier barrier = new CommitBarrier();
  private final Ledger ledger = new Ledger(barrier);
  private final AtomicInteger snapshots = new AtomicInteger();

  private void snapshot() {
    barrier.snapshot(snapshots::incrementAndGet, 0);
  }

  @Test
  void noSnapshotBeforeItIsKnownWhatAnEarlierProcessLeft() {
    assertThatThrownBy(this::snapshot)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB3020", "before it was started");
    ledger.inherited();
    snapshot();
    assertThat(snapshots).hasValue(1);
  }

  @Test
  void noSnapshotWhileATransactionIsCommittedInPart() {
    ledger.inherited();
    ledger.begin(TRANSACTION);
    snapshot();
    ledger.unfinished(TRANSACTION);
    assertThatThrownBy(this::snapshot)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(TRANSACTION.toString());
    assertThat(ledger.unfinished()).containsExactly(TRANSACTION);
    ledger.end(TRANSACTION);
    snapshot();
    assertThat(snapshots).hasValue(2);
    assertThat(ledger.stage(TRANSACTION)).isNull();
  }

  @Test
  void noSnapshotWhileTheLogHasNotTold() {
    ledger.inherited();
    ledger.begin(TRANSACTION);
    ledger.undecided(TRANSACTION);
    assertThatThrownBy(this::snapshot).isInstanceOf(RefusedException.class);
    assertThat(ledger.unfinished()).isEmpty();
    assertThat(ledger.stage(TRANSACTION)).isEqualTo(Ledger.Stage.UNDECIDED);
    ledger.end(TRANSACTION);
    snapshot();
    assertThat(snapshots).hasValue(1);
  }
}
