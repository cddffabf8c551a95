package io.anabranch.backend.xa;

import io.anabranch.backend.transaction.commit.Branch;
import io.anabranch.backend.transaction.commit.BranchEnd;
import io.anabranch.backend.transaction.commit.Coordinator;
import io.anabranch.backend.transaction.commit.Xid;
import io.anabranch.backend.xa.XaListener.Outcome;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Commits all or nothing: with one phase where one data source has changes, otherwise with {@link
 * TwoPhases}.
 */
final class XaCoordinator implements Coordinator {

  private final Membership membership;
  private final Fitness fitness;
  private final TwoPhases.Parts parts;

  XaCoordinator(Membership membership, Fitness fitness, TwoPhases.Parts parts) {
    this.membership = membership;
    this.fitness = fitness;
    this.parts = parts;
  }

  @Override
  public String newTransaction() {
    return membership.next().toString();
  }

  @Override
  public boolean isAtomic() {
    return true;
  }

  @Override
  public CompletableFuture<List<Ending>> rollback(List<Branch> branches) {
    return parts.phases().each(branches, BranchEnd::rollback);
  }

  @Override
  public CompletableFuture<List<Ending>> commit(List<Branch> branches) {
    if (branches.size() == 1) {
      return BranchEnd.commit(branches.getFirst()).thenApply(List::of);
    }
    long start = System.nanoTime();
    List<Branch> changed = branches.stream().filter(Branch::changes).toList();
    if (changed.size() <= 1) {
      return onePhase(branches, changed)
          .whenComplete(
              (_, _) -> parts.listener().ended(Outcome.ONE_PHASE, System.nanoTime() - start));
    }
    Xid xid = changed.getFirst().xid();
    boolean areBranches = changed.stream().allMatch(branch -> branch.xid() != null);
    if (xid == null || !areBranches) {
      return undone(
          branches,
          ErrorCatalogue.NOT_SUPPORTED.refuse(
              "an XA transaction over several data sources one of which began it by itself",
              "begin transactions outside of stored procedures"));
    }
    String cluster = membership.cluster();
    GlobalId transaction = cluster == null ? null : GlobalId.parse(xid.global(), cluster);
    if (transaction == null
        || !membership.mayDecide(transaction)
        || parts.decisions().isFailing()) {
      return undone(branches, ErrorCatalogue.XA_LOG_DOWN.refuse());
    }
    RefusedException objection = fitness.objection(changed);
    if (objection != null) {
      return undone(branches, objection);
    }
    return new TwoPhases(parts, transaction, branches, start).run();
  }

  /** The only one with changes first: what the others say does not matter. */
  private CompletableFuture<List<Ending>> onePhase(List<Branch> branches, List<Branch> changed) {
    if (changed.isEmpty()) {
      return parts.phases().each(branches, BranchPhases::endReader);
    }
    Branch sole = changed.getFirst();
    return BranchEnd.commit(sole).thenCompose(ending -> readers(branches, sole, ending));
  }

  private CompletableFuture<List<Ending>> readers(
      List<Branch> branches, Branch sole, Ending ending) {
    boolean commits = ending.state() == State.COMMITTED;
    int position = branches.indexOf(sole);
    List<Branch> readers = branches.stream().filter(branch -> !branch.changes()).toList();
    return parts
        .phases()
        .each(
            readers,
            branch -> commits ? BranchPhases.endReader(branch) : BranchEnd.rollback(branch))
        .thenApply(
            endings -> {
              var ordered = new ArrayList<>(endings);
              ordered.add(position, ending);
              return ordered;
            });
  }

  private CompletableFuture<List<Ending>> undone(List<Branch> branches, RefusedException why) {
    return rollback(branches)
        .thenApply(endings -> Refusals.because(endings, Refusals.asDatabase(why)));
  }
}
