package io.anabranch.backend.transaction;

import java.util.ArrayList;
import java.util.List;
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
  public List<Ending> commit(List<Branch> branches) {
    var endings = new ArrayList<Ending>(branches.size());
    if (branches.size() > 1 && branches.stream().anyMatch(branch -> branch.lease().isLost())) {
      return rollback(branches);
    }
    if (branches.size() > 1) {
      barrier.commit(() -> commitAll(branches, endings));
    } else {
      commitAll(branches, endings);
    }
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

  private static void commitAll(List<Branch> branches, List<Ending> endings) {
    boolean stopped = false;
    for (Branch branch : branches) {
      Ending ending = stopped ? BranchEnd.rollback(branch) : BranchEnd.commit(branch);
      stopped |= ending.state() != State.COMMITTED;
      endings.add(ending);
    }
  }

  @Override
  public List<Ending> rollback(List<Branch> branches) {
    var endings = new ArrayList<Ending>(branches.size());
    for (Branch branch : branches) {
      endings.add(BranchEnd.rollback(branch));
    }
    return endings;
  }
}
