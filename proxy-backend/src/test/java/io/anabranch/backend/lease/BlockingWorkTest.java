package io.anabranch.backend.lease;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.fakes.FakeDatabase;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class BlockingWorkTest {

  private final RuntimeException why = ErrorCatalogue.QUERY_INTERRUPTED.refuse();

  private final FakeDatabase database = new FakeDatabase("a");
  private final Lease lease = database.lease();

  private void query(String sql) {
    EndableConnection.of(lease, lease.shard())
        .query(ShardQuery.text("a", sql.getBytes(UTF_8)))
        .close();
  }

  private static BlockingWork work() {
    return BlockingWork.endable(() -> false);
  }

  private void awaitLog(String entry) {
    while (!database.log().contains(entry)) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void leavesCommandsOfOthersAlone() {
    assertThat(BlockingWork.current()).isNull();
    assertThat(EndableConnection.of(lease, lease.shard())).isSameAs(lease.shard());
  }

  @Test
  void endsTheCommandThatRuns() {
    BlockingWork work = work();
    RunningCommand command = work.enter(lease);
    work.end(why);
    awaitLog("+interrupt");
    assertThat(work.leave(command)).isTrue();
    assertThat(database.log()).containsExactly("+interrupt");
  }

  @Test
  void closesTheConnectionOfOneThatDoesNotEnd() {
    BlockingWork work = work();
    var _ = work.enter(lease);
    work.end(why);
    awaitLog("+discard");
    assertThat(database.log()).containsExactly("+interrupt", "+discard");
  }

  @Test
  void leavesThoseAloneThatHaveEnded() throws InterruptedException {
    BlockingWork work = work();
    assertThat(work.enter(lease).leave()).isFalse();
    work.end(why);
    Thread.sleep(50);
    assertThat(database.log()).isEmpty();
  }

  @Test
  void givesAMomentToWhatBeginsLater() {
    BlockingWork work = work();
    work.end(why);
    work.call(
        () -> {
          query("ROLLBACK");
          return null;
        });
    assertThat(database.log()).containsExactly("ROLLBACK");
    var _ = work.enter(lease);
    awaitLog("+interrupt");
  }

  @Test
  void givesAMomentToConclusions() throws InterruptedException {
    BlockingWork work = BlockingWork.conclusion(() -> false);
    RunningCommand command = work.enter(lease);
    work.end(why);
    Thread.sleep(50);
    assertThat(work.leave(command)).isFalse();
    assertThat(database.log()).isEmpty();
  }

  @Test
  void takesAKillThatCameTooLate() {
    BlockingWork work = work();
    work.call(
        () -> {
          var cursor =
              EndableConnection.of(lease, lease.shard())
                  .query(ShardQuery.text("a", "SELECT 1".getBytes(UTF_8)));
          work.end(why);
          awaitLog("+interrupt");
          cursor.close();
          return null;
        });
    assertThat(database.log()).containsExactly("SELECT 1", "+interrupt", "DO 0");
  }

  @Test
  void interruptsWhoAsksWhatOthersWaitForToo() throws Exception {
    BlockingWork work = work();
    var begun = new CountDownLatch(1);
    var asked =
        new FutureTask<>(
            () ->
                work.call(
                    () ->
                        BlockingWork.shared(
                            () -> {
                              begun.countDown();
                              LockSupport.park();
                              assertThat(Thread.currentThread().isInterrupted()).isTrue();
                              return "answer";
                            })));
    Thread.ofVirtual().start(asked);
    begun.await();
    work.end(why);
    assertThatThrownBy(asked::get).isInstanceOf(ExecutionException.class).hasCause(why);
  }

  @Test
  void tellsWhyInThePlaceOfWhatCameOfIt() {
    BlockingWork work = work();
    var struck = new ShardException.Database(1317, "70100", "interrupted");
    var other = new ShardException.Database(1146, "42S02", "no such table");
    assertThat(work.told(struck)).isSameAs(struck);
    work.end(why);
    assertThat(work.told(struck)).isSameAs(why);
    assertThat(work.told(other)).isSameAs(other);
    for (RefusedException unanswered :
        List.of(
            ErrorCatalogue.BACKEND_LOST.refuse("ds_0"),
            ErrorCatalogue.DATA_SOURCE_DOWN.refuse("ds_0", "it did not let us in"),
            ErrorCatalogue.SCHEMA_GONE.refuse("ds_0", "unknown database"),
            ErrorCatalogue.LEASE_TIMEOUT.refuse("ds_0", 1))) {
      assertThat(work.told(unanswered)).isSameAs(why);
    }
  }
}
