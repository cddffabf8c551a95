package io.anabranch.backend.xa;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.Branch;
import io.anabranch.backend.transaction.BranchEnd;
import io.anabranch.backend.transaction.CommitBarrier;
import io.anabranch.backend.transaction.Coordinator;
import io.anabranch.backend.transaction.Xid;
import io.anabranch.backend.xa.XaListener.Outcome;
import io.anabranch.backend.xa.XaListener.Phase;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits all or nothing. Where one data source has changes it commits with one phase; otherwise
 * all branches with changes are prepared at the same time, the decision is written to the log, and
 * all are committed at the same time. Branches without changes end while the others are prepared.
 */
final class XaCoordinator implements Coordinator {

  private static final Logger log = LoggerFactory.getLogger(XaCoordinator.class);

  private final Membership membership;
  private final DecisionLog decisions;
  private final Ledger ledger;
  private final Fitness fitness;
  private final CommitBarrier barrier;
  private final BranchPhases phases;
  private final XaListener listener;
  private final Runnable recoverSoon;
  private final long logTimeoutMilliseconds;

  /**
   * @param recoverSoon is told when a branch is left to the recovery
   * @param logTimeoutMilliseconds how long a COMMIT waits for the log
   */
  XaCoordinator(
      Membership membership,
      DecisionLog decisions,
      Ledger ledger,
      Fitness fitness,
      CommitBarrier barrier,
      BranchPhases phases,
      XaListener listener,
      Runnable recoverSoon,
      long logTimeoutMilliseconds) {
    this.membership = membership;
    this.decisions = decisions;
    this.ledger = ledger;
    this.fitness = fitness;
    this.barrier = barrier;
    this.phases = phases;
    this.listener = listener;
    this.recoverSoon = recoverSoon;
    this.logTimeoutMilliseconds = logTimeoutMilliseconds;
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
  public List<Ending> rollback(List<Branch> branches) {
    return phases.each(branches, BranchEnd::rollback);
  }

  @Override
  public List<Ending> commit(List<Branch> branches) {
    if (branches.size() == 1) {
      return List.of(BranchEnd.commit(branches.getFirst()));
    }
    long start = System.nanoTime();
    List<Branch> changed = branches.stream().filter(Branch::changes).toList();
    if (changed.size() <= 1) {
      List<Ending> endings = onePhase(branches, changed);
      listener.ended(Outcome.ONE_PHASE, System.nanoTime() - start);
      return endings;
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
    return twoPhases(xid.global(), branches, changed, start);
  }

  /** The only one with changes first: what the others say does not matter. */
  private List<Ending> onePhase(List<Branch> branches, List<Branch> changed) {
    var endings = new ArrayList<Ending>(branches.size());
    boolean commits = true;
    for (Branch branch : changed) {
      Ending ending = BranchEnd.commit(branch);
      commits = ending.state() == State.COMMITTED;
      endings.add(ending);
    }
    boolean committed = commits;
    List<Branch> readers = branches.stream().filter(branch -> !branch.changes()).toList();
    endings.addAll(
        phases.each(readers, branch -> committed ? readerEnd(branch) : BranchEnd.rollback(branch)));
    return inOrder(branches, endings);
  }

  /** Nothing is lost with it, whatever its connection says. */
  private static Ending readerEnd(Branch branch) {
    Ending ending = BranchEnd.commit(branch);
    return ending.state() == State.COMMITTED
        ? ending
        : new Ending(branch.lease(), State.COMMITTED, lost(ending.cause()));
  }

  private List<Ending> twoPhases(
      String name, List<Branch> branches, List<Branch> changed, long start) {
    String cluster = membership.cluster();
    GlobalId transaction = cluster == null ? null : GlobalId.parse(name, cluster);
    if (transaction == null || !membership.mayDecide(transaction) || decisions.isFailing()) {
      return undone(branches, ErrorCatalogue.XA_LOG_DOWN.refuse());
    }
    RefusedException objection = fitness.objection(changed);
    if (objection != null) {
      return undone(branches, objection);
    }
    ledger.begin(transaction);
    var endings = new ArrayList<Ending>(branches.size());
    List<Branch> readers = branches.stream().filter(branch -> !branch.changes()).toList();
    List<@Nullable ShardException> votes =
        phases.each(
            branches,
            branch -> {
              if (branch.changes()) {
                return phases.prepare(branch);
              }
              Ending ending = readerEnd(branch);
              synchronized (endings) {
                endings.add(ending);
              }
              return null;
            });
    long prepared = System.nanoTime();
    listener.phase(Phase.PREPARE, prepared - start);
    ShardException refused = firstOf(votes);
    if (refused != null) {
      ledger.end(transaction);
      recoverWhatMayBePrepared(votes);
      endings.addAll(phases.each(changed, BranchEnd::rollback));
      listener.ended(Outcome.ROLLED_BACK, System.nanoTime() - start);
      return inOrder(branches, because(endings, readers, refused));
    }
    Decision decision = decide(transaction);
    long decided = System.nanoTime();
    listener.phase(Phase.LOG, decided - prepared);
    if (decision == null) {
      listener.ended(Outcome.UNDECIDED, System.nanoTime() - start);
      ShardException.Lost cause = new ShardException.Lost("the XA log does not answer", true);
      changed.forEach(branch -> endings.add(new Ending(branch.lease(), State.UNKNOWN, cause)));
      return inOrder(branches, endings);
    }
    if (decision == Decision.ROLLBACK) {
      ledger.end(transaction);
      endings.addAll(phases.each(changed, BranchEnd::rollback));
      listener.ended(Outcome.ROLLED_BACK, System.nanoTime() - start);
      return inOrder(
          branches, because(endings, readers, asDatabase(ErrorCatalogue.XA_FENCED.refuse())));
    }
    barrier.commit(() -> endings.addAll(secondPhase(transaction, changed)));
    listener.phase(Phase.COMMIT, System.nanoTime() - decided);
    Outcome outcome = ledger.stage(transaction) == null ? Outcome.COMMITTED : Outcome.UNFINISHED;
    listener.ended(outcome, System.nanoTime() - start);
    return inOrder(branches, endings);
  }

  /** Null if the log does not answer in time; what it says later is for the recovery. */
  private @Nullable Decision decide(GlobalId transaction) {
    DecisionLog.Entry entry = decisions.commit(transaction);
    try {
      return entry.decision().get(logTimeoutMilliseconds, TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      log.warn("XA: the log does not answer; {} waits for it", transaction);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
    if (entry.withdraw()) {
      return Decision.ROLLBACK;
    }
    ledger.undecided(transaction);
    var _ =
        entry
            .decision()
            .thenAccept(
                decision -> {
                  if (decision == Decision.COMMIT) {
                    ledger.unfinished(transaction);
                  } else {
                    ledger.end(transaction);
                  }
                  recoverSoon.run();
                });
    return null;
  }

  /** Whatever a database says now, the transaction is committed. */
  private List<Ending> secondPhase(GlobalId transaction, List<Branch> changed) {
    List<Ending> endings = phases.each(changed, phases::commitPrepared);
    boolean finished = true;
    for (Ending ending : endings) {
      if (ending.cause() != null) {
        finished = false;
        log.warn(
            "XA: {} is decided; its branch in '{}' is left to the recovery: {}",
            transaction,
            ending.lease().dataSource(),
            ending.cause().getMessage());
      }
    }
    if (finished) {
      ledger.end(transaction);
      decisions.finished(transaction);
    } else {
      ledger.unfinished(transaction);
      recoverSoon.run();
    }
    return endings;
  }

  /** A branch whose PREPARE was not answered may be there. */
  private void recoverWhatMayBePrepared(List<@Nullable ShardException> votes) {
    for (ShardException vote : votes) {
      if (vote instanceof ShardException.Lost) {
        recoverSoon.run();
        return;
      }
    }
  }

  private List<Ending> undone(List<Branch> branches, RefusedException why) {
    return because(rollback(branches), List.of(), asDatabase(why));
  }

  private static ShardException asDatabase(RefusedException refusal) {
    return new ShardException.Database(
        refusal.errno(), refusal.sqlState(), String.valueOf(refusal.getMessage()));
  }

  /** Tells the reason with those that rolled back for it and have none of their own. */
  private static List<Ending> because(
      List<Ending> endings, List<Branch> readers, ShardException reason) {
    var told = new ArrayList<Ending>(endings.size());
    boolean isTold = false;
    for (Ending ending : endings) {
      boolean isReader = readers.stream().anyMatch(reader -> isOf(reader, ending));
      if (isReader) {
        told.add(new Ending(ending.lease(), State.ROLLED_BACK, ending.cause()));
      } else if (ending.cause() == null && !isTold && reason instanceof ShardException.Database) {
        told.add(new Ending(ending.lease(), ending.state(), reason));
        isTold = true;
      } else {
        told.add(ending);
      }
    }
    return told;
  }

  private static @Nullable ShardException firstOf(List<@Nullable ShardException> votes) {
    ShardException first = null;
    for (ShardException vote : votes) {
      if (vote instanceof ShardException.Database) {
        return vote;
      }
      first = first == null ? vote : first;
    }
    return first;
  }

  private static ShardException lost(@Nullable ShardException cause) {
    return cause instanceof ShardException.Lost
        ? cause
        : new ShardException.Lost(cause == null ? "" : String.valueOf(cause.getMessage()), true);
  }

  private static List<Ending> inOrder(List<Branch> branches, List<Ending> endings) {
    var ordered = new ArrayList<Ending>(branches.size());
    for (Branch branch : branches) {
      for (Ending ending : endings) {
        if (isOf(branch, ending)) {
          ordered.add(ending);
        }
      }
    }
    return ordered;
  }

  @SuppressWarnings("ReferenceEquality") // leases are told apart by identity
  private static boolean isOf(Branch branch, Ending ending) {
    return branch.lease() == ending.lease();
  }
}
