package io.anabranch.backend.transaction;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commits one database after the other. The first that does not commit stops it: those that have
 * not been asked yet are rolled back, those that have committed stay so, and the endings tell.
 */
public final class LocalCoordinator implements Coordinator {

  private final CommitBarrier barrier;

  public LocalCoordinator(CommitBarrier barrier) {
    this.barrier = barrier;
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
    if (branches.size() > 1) {
      barrier.commit(() -> commitAll(branches, endings));
    } else {
      commitAll(branches, endings);
    }
    return endings;
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
