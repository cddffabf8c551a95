package io.anabranch.backend.execute.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class QueryTimesTest {

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final QueryTimes times = new QueryTimes(now::get);

  @Test
  void waitsThatOverlapAreOneWait() {
    times.begins();
    now.addAndGet(10);
    times.begins();
    now.addAndGet(20);
    times.ends();
    now.addAndGet(30);
    times.ends();
    now.addAndGet(40);
    times.waiting(() -> now.addAndGet(5));

    assertThat(times.databaseNanos()).isEqualTo(65);
  }

  @Test
  void aWaitThatGoesOnCountsUpToNow() {
    times.begins();
    now.addAndGet(10);

    assertThat(times.databaseNanos()).isEqualTo(10);
  }

  @Test
  void addsUpWhatWasWaitedForConnections() {
    assertThat(times.leasing(() -> now.addAndGet(3))).isEqualTo(now.get());
    times.leasing(() -> now.addAndGet(4));

    assertThat(times.leaseNanos()).isEqualTo(7);
    assertThat(times.databaseNanos()).isZero();
  }

  @Test
  void knowsAllTimesOfSourcesAndTheFirstQueries() {
    for (int i = 0; i < 200; i++) {
      times.ran(i % 2 == 0 ? "ds_1" : "ds_0", 100, 103, 0);
    }

    assertThat(times.sources().toString()).isEqualTo("{ds_0=300, ds_1=300}");
    assertThat(times.queries()).hasSize(128);
    assertThat(times.queries().getFirst()).isEqualTo(new QueryTimes.Ran("ds_1", 100, 103, 0));
  }
}
