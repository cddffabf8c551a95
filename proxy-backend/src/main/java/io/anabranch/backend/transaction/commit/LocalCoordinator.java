package io.anabranch.backend.transaction.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits one database after the other, unless one of the connections is known to be lost: then all
 * is rolled back. The first that does not commit stops it: those that have not been asked yet are
 * rolled back, those that have committed stay so, and the endings tell.
 */
public final class LocalCoordinator implements Coordinator {

  private static final Logger log = LoggerFactory.getLogger(LocalCoordinator.class);

  private final CommitBarrier barrier;
  private final Runnable committedInPart;

  public LocalCoordinator(CommitBarrier barrier) {
    this(barrier, () -> {});
  }

  /**
   * @param committedInPart told of each transaction of which some data sources have committed and
   *     others not, or not for certain; on any thread, must be quick
   */
  public LocalCoordinator(CommitBarrier barrier, Runnable committedInPart) {
    this.barrier = barrier;
    this.committedInPart = committedInPart;
  }

  @Override
  public @Nullable String newTransaction() {
    return null;
  }

  @Override
  public boolean isAtomic() {
    return false;
  }

  @Override
  public CompletableFuture<List<Ending>> commit(List<Branch> branches) {
    if (branches.size() <= 1) {
      return oneByOne(branches, BranchEnd::commit);
    }
    if (branches.stream().anyMatch(branch -> branch.lease().isLost())) {
      return rollback(branches);
    }
    return barrier.commit(() -> oneByOne(branches, BranchEnd::commit)).thenApply(this::told);
  }

  private List<Ending> told(List<Ending> endings) {
    if (isInPart(endings)) {
      log.warn("a LOCAL transaction is committed in part: {}", Endings.described(endings));
      committedInPart.run();
    }
    return endings;
  }

  private static boolean isInPart(List<Ending> endings) {
    boolean some = false;
    boolean all = true;
    for (Ending ending : endings) {
      some |= ending.state() == State.COMMITTED;
      all &= ending.state() == State.COMMITTED;
    }
    return some && !all;
  }

  @Override
  public CompletableFuture<List<Ending>> rollback(List<Branch> branches) {
    return oneByOne(branches, BranchEnd::rollback);
  }

  private static CompletableFuture<List<Ending>> oneByOne(
      List<Branch> branches, Function<Branch, CompletableFuture<Ending>> way) {
    return next(branches, new ArrayList<>(branches.size()), way);
  }

  /** After the first that did not commit the others are rolled back. */
  private static CompletableFuture<List<Ending>> next(
      List<Branch> branches,
      List<Ending> endings,
      Function<Branch, CompletableFuture<Ending>> way) {
    if (endings.size() == branches.size()) {
      return CompletableFuture.completedFuture(endings);
    }
    return way.apply(branches.get(endings.size()))
        .thenCompose(
            ending -> {
              endings.add(ending);
              boolean goesOn = ending.state() == State.COMMITTED;
              return next(branches, endings, goesOn ? way : BranchEnd::rollback);
            });
  }
}
