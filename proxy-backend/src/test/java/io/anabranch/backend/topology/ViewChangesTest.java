package io.anabranch.backend.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ViewChangesTest {

  private final ViewChanges changes = new ViewChanges();

  @Test
  void allWhoWaitAreTold() {
    CompletableFuture<@Nullable Void> one = changes.next();
    CompletableFuture<@Nullable Void> other = changes.next();
    assertThat(one).isNotDone();
    changes.happened();
    assertThat(one).isCompleted();
    assertThat(other).isCompleted();
    assertThat(changes.next()).as("whoever comes later waits for the next").isNotDone();
  }

  @Test
  void whoeverStopsWaitingIsForgotten() {
    changes.next().cancel(false);
    assertThat(changes.size()).isZero();
    CompletableFuture<@Nullable Void> late = changes.next().orTimeout(1, TimeUnit.MILLISECONDS);
    assertThat(late.handle((_, failure) -> failure).join()).isNotNull();
    // Whom a future tells first is not said.
    while (changes.size() > 0) {
      Thread.onSpinWait();
    }
  }
}
