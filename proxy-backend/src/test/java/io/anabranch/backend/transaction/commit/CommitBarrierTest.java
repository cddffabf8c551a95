package io.anabranch.backend.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CommitBarrierTest {

  private final CommitBarrier barrier = new CommitBarrier();
  private final List<String> log = new ArrayList<>();

  private CompletableFuture<String> commit(String name, CompletableFuture<String> end) {
    return barrier.commit(
        () -> {
          log.add(name);
          return end;
        });
  }

  @Test
  void commitsGoTogether() {
    var first = new CompletableFuture<String>();
    var second = new CompletableFuture<String>();
    var ofFirst = commit("first", first);
    var ofSecond = commit("second", second);
    assertThat(log).containsExactly("first", "second");
    second.complete("two");
    first.complete("one");
    assertThat(ofFirst.join() + ofSecond.join()).isEqualTo("onetwo");
  }

  @Test
  void aCommitThatComesWhileASnapshotIsOpenedFollowsIt() {
    var ended = CompletableFuture.completedFuture("done");
    var commits = new ArrayList<CompletableFuture<String>>();
    barrier.snapshot(
        () -> {
          commits.add(commit("commit", ended));
          log.add("snapshot");
        },
        30_000);
    assertThat(log).containsExactly("snapshot", "commit");
    assertThat(commits.getFirst().join()).isEqualTo("done");
    barrier.snapshot(() -> log.add("another"), 0);
    assertThat(log).endsWith("another");
  }

  @Test
  void noSnapshotDuringACommit() {
    var end = new CompletableFuture<String>();
    var _ = commit("commit", end);
    assertThatThrownBy(() -> barrier.snapshot(() -> log.add("snapshot"), 0))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB3020");
    end.complete("done");
    barrier.snapshot(() -> log.add("snapshot"), 0);
    assertThat(log).containsExactly("commit", "snapshot");
  }

  @Test
  void aSnapshotThatGaveUpLetsCommitsGoOn() {
    var end = new CompletableFuture<String>();
    var _ = commit("first", end);
    assertThatThrownBy(() -> barrier.snapshot(() -> log.add("snapshot"), 0))
        .isInstanceOf(RefusedException.class);
    var _ = commit("second", end);
    assertThat(log).containsExactly("first", "second");
  }

  @Test
  void commitsThatFailLeaveTheBarrier() {
    assertThat(
            barrier.commit(
                () -> CompletableFuture.<String>failedFuture(new IllegalStateException("no"))))
        .isCompletedExceptionally();
    barrier.snapshot(() -> log.add("snapshot"), 0);
    assertThat(log).containsExactly("snapshot");
  }
}
