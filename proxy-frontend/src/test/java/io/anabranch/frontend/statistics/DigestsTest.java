package io.anabranch.frontend.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DigestsTest {

  private final Digests digests = new Digests(100, 2);

  private Digest digest(String text) {
    return digests.of(new Digest.Key("shop", text), () -> text, 0);
  }

  @Test
  void manyDifferentTextsDoNotGrowIt() {
    for (int i = 0; i < 100_000; i++) {
      digest("SELECT c" + i);
    }
    assertThat(digests.size()).isEqualTo(100);
    assertThat(digests.evicted()).isEqualTo(99_900);
    assertThat(digests.summaries()).hasSize(100);
  }

  @Test
  void whatIsUsedStays() {
    Digest used = digest("SELECT 1");
    for (int i = 0; i < 1000; i++) {
      digest("SELECT c" + i);
      used.use();
    }
    assertThat(used.isGone()).isFalse();
    assertThat(digest("SELECT 1")).isSameAs(used);
  }

  @Test
  void sameTextsOfTwoDatabasesAreCountedApart() {
    Digest other = digests.of(new Digest.Key("stock", "SELECT 1"), () -> "", 0);
    assertThat(digest("SELECT 1")).isNotSameAs(other);
  }

  @Test
  void aSampleIsMadeOnce() {
    var made = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      digests.of(new Digest.Key("", "SELECT 1"), () -> "sample" + made.incrementAndGet(), 0);
    }
    assertThat(made).hasValue(1);
    assertThat(digests.summaries().getFirst().sample()).isEqualTo("sample1");
  }

  @Test
  void clearedOnesAreGone() {
    Digest before = digest("SELECT 1");
    digests.clear();
    assertThat(before.isGone()).isTrue();
    assertThat(digests.summaries()).isEmpty();
    assertThat(digest("SELECT 1")).isNotSameAs(before);
  }
}
