package io.anabranch.frontend.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.memory.MemoryKind;
import org.junit.jupiter.api.Test;

class MemoryShortageTest {

  /** What a collection beside the program leaves, and what is really in use. */
  private static final class ScriptedHeap implements MemoryShortage.Heap {

    private long collections;
    private double left;
    private double used;
    private int whole;
    private long now = 1_000;

    void collected(double leaves) {
      collections++;
      left = leaves;
    }

    @Override
    public long collections() {
      return collections;
    }

    @Override
    public double left() {
      return left;
    }

    @Override
    public void collect() {
      whole++;
      now += 100;
      collected(used);
    }

    @Override
    public long nanoTime() {
      return now;
    }
  }

  private final ScriptedHeap heap = new ScriptedHeap();
  private final MemoryShortage shortage = new MemoryShortage(heap);

  private boolean isShort() {
    return shortage.test(MemoryKind.HEAP);
  }

  @Test
  void whatWasDroppedBesideACollectionIsNoShortage() {
    heap.used = 0.3;
    heap.collected(0.9);
    assertThat(isShort()).isFalse();
    assertThat(heap.whole).isEqualTo(1);
  }

  @Test
  void whatIsInUseIsOne() {
    heap.used = 0.9;
    heap.collected(0.9);
    assertThat(isShort()).isTrue();
    assertThat(isShort()).as("the same collection again").isFalse();
    assertThat(heap.whole).isEqualTo(1);
  }

  @Test
  void nothingIsCollectedWhileThereIsRoom() {
    heap.collected(0.5);
    assertThat(isShort()).isFalse();
    assertThat(heap.whole).isZero();
  }

  @Test
  void theProgramRunsBetweenWholeCollections() {
    heap.used = 0.9;
    heap.collected(0.9);
    assertThat(isShort()).isTrue();
    heap.now += 499;
    heap.used = 0.3;
    heap.collected(0.95);
    assertThat(isShort()).as("judged by what is there").isTrue();
    assertThat(heap.whole).isEqualTo(1);
    heap.now++;
    heap.collected(0.95);
    assertThat(isShort()).isFalse();
    assertThat(heap.whole).isEqualTo(2);
  }
}
