package io.anabranch.backend.xa;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.commit.Branch;
import io.anabranch.backend.transaction.commit.BranchEnd;
import io.anabranch.backend.transaction.commit.CommitBarrier;
import io.anabranch.backend.transaction.commit.Coordinator.Ending;
import io.anabranch.backend.transaction.commit.Coordinator.State;
import io.anabranch.backend.xa.DecisionLog.Decision;
import io.anabranch.backend.xa.XaListener.Outcome;
import io.anabranch.backend.xa.XaListener.Phase;
import io.anabranch.rules.error.ErrorCatalogue;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transaction's COMMIT: all branches with changes are prepared at the same time, the decision
 * becomes durable, all are committed at the same time. Branches without changes end while the
 * others are prepared.
 *
 * <p>Waits for nothing. A step is begun by whoever brings the last answer of the one before: the
 * event loop that all branches are on, and that the log's connection is on, too, so that a COMMIT
 * is on one thread from end to end unless something goes wrong.
 */
final class TwoPhases {

  private static final Logger log = LoggerFactory.getLogger(TwoPhases.class);

  /**
   * What all transactions share.
   *
   * @param recoverSoon is told when a branch is left to the recovery
   * @param logTimeoutMilliseconds how long a COMMIT waits for the log
   */
  record Parts(
      DecisionLog decisions,
      Ledger ledger,
      CommitBarrier barrier,
      BranchPhases phases,
      EventLoopGroup loops,
      XaListener listener,
      Runnable recoverSoon,
      long logTimeoutMilliseconds) {}

  private final Parts parts;
  private final GlobalId transaction;
  private final List<Branch> branches;
  private final List<Branch> changed;
  private final long start;

  /**
   * @param start of the COMMIT, {@link System#nanoTime}
   */
  TwoPhases(Parts parts, GlobalId transaction, List<Branch> branches, long start) {
    this.parts = parts;
    this.transaction = transaction;
    this.branches = branches;
    this.changed = branches.stream().filter(Branch::changes).toList();
    this.start = start;
  }

  /**
   * What came of the first phase in one branch.
   *
   * @param failure why it is not prepared; null if it is, or has nothing to prepare
   * @param ended how a branch without changes ended
   */
  private record Vote(@Nullable ShardException failure, @Nullable Ending ended) {}

  /** One ending per branch, in their order. */
  CompletableFuture<List<Ending>> run() {
    parts.ledger.begin(transaction);
    return parts.phases.each(branches, TwoPhases::vote).thenCompose(this::voted);
  }

  private static CompletableFuture<Vote> vote(Branch branch) {
    return branch.changes()
        ? BranchEnd.prepare(branch).thenApply(reply -> new Vote(reply.failure(), null))
        : BranchPhases.endReader(branch).thenApply(ending -> new Vote(null, ending));
  }

  private CompletableFuture<List<Ending>> voted(List<Vote> votes) {
    long prepared = System.nanoTime();
    parts.listener.phase(Phase.PREPARE, prepared - start);
    ShardException refused = firstOf(votes);
    if (refused != null) {
      recoverWhatMayBePrepared(votes);
      return rolledBack(votes, refused);
    }
    return decision()
        .thenCompose(
            decided -> {
              long written = System.nanoTime();
              parts.listener.phase(Phase.LOG, written - prepared);
              return switch (decided) {
                case Decided.UNKNOWN -> undecided(votes);
                case Decided.ROLLBACK ->
                    rolledBack(votes, Refusals.asDatabase(ErrorCatalogue.XA_FENCED.refuse()));
                case Decided.COMMIT -> committed(votes, written);
              };
            });
  }

  // ---------------------------------------------------------------- decision

  /** What is known of the decision when the client has to be told. */
  private enum Decided {
    COMMIT,
    ROLLBACK,
    UNKNOWN
  }

  private CompletableFuture<Decided> decision() {
    LogWriter.Entry entry = parts.decisions.commit(transaction, loop());
    var told = new CompletableFuture<Decided>();
    var isTold = new AtomicBoolean();
    var timer =
        entry
            .loop()
            .schedule(
                () -> late(entry, told, isTold),
                parts.logTimeoutMilliseconds,
                TimeUnit.MILLISECONDS);
    var _ =
        entry
            .decision()
            .thenAccept(
                decision -> {
                  timer.cancel(false);
                  if (isTold.compareAndSet(false, true)) {
                    told.complete(decision == Decision.COMMIT ? Decided.COMMIT : Decided.ROLLBACK);
                  }
                });
    return told;
  }

  /** What the log says after that is for the recovery. */
  private void late(LogWriter.Entry entry, CompletableFuture<Decided> told, AtomicBoolean isTold) {
    if (entry.withdraw() || !isTold.compareAndSet(false, true)) {
      return;
    }
    log.warn("XA: the log does not answer; {} waits for it", transaction);
    parts.ledger.undecided(transaction);
    var _ =
        entry
            .decision()
            .thenAccept(
                decision -> {
                  if (decision == Decision.COMMIT) {
                    parts.ledger.unfinished(transaction);
                  } else {
                    parts.ledger.end(transaction);
                  }
                  parts.recoverSoon.run();
                });
    told.complete(Decided.UNKNOWN);
  }

  private EventLoop loop() {
    BackendConnection connection = changed.getFirst().lease().connection();
    return connection == null ? parts.loops.next() : connection.channel().eventLoop();
  }

  // ---------------------------------------------------------------- ends

  private CompletableFuture<List<Ending>> undecided(List<Vote> votes) {
    ended(Outcome.UNDECIDED);
    var cause = new ShardException.Lost("the XA log does not answer", true);
    var endings =
        changed.stream().map(branch -> new Ending(branch.lease(), State.UNKNOWN, cause)).toList();
    return CompletableFuture.completedFuture(inOrder(votes, endings));
  }

  private CompletableFuture<List<Ending>> rolledBack(List<Vote> votes, ShardException reason) {
    parts.ledger.end(transaction);
    return parts
        .phases
        .each(changed, BranchEnd::rollback)
        .thenApply(
            endings -> {
              ended(Outcome.ROLLED_BACK);
              return Refusals.because(undone(votes, endings), reason);
            });
  }

  /** Branches without changes have ended already: nothing of them is committed. */
  private List<Ending> undone(List<Vote> votes, List<Ending> endings) {
    var undone = new ArrayList<Ending>(branches.size());
    for (Ending ending : inOrder(votes, endings)) {
      undone.add(
          ending.state() == State.COMMITTED
              ? new Ending(ending.lease(), State.ROLLED_BACK, ending.cause())
              : ending);
    }
    return undone;
  }

  /** Whatever a database says now, the transaction is committed. */
  private CompletableFuture<List<Ending>> committed(List<Vote> votes, long written) {
    return parts
        .barrier
        .commit(
            () ->
                parts.phases.each(changed, BranchEnd::commitPrepared).thenApply(this::secondPhase))
        .thenApply(
            endings -> {
              parts.listener.phase(Phase.COMMIT, System.nanoTime() - written);
              boolean isFinished = parts.ledger.stage(transaction) == null;
              ended(isFinished ? Outcome.COMMITTED : Outcome.UNFINISHED);
              return inOrder(votes, endings);
            });
  }

  private List<Ending> secondPhase(List<Ending> endings) {
    boolean isFinished = true;
    for (Ending ending : endings) {
      if (ending.cause() != null) {
        isFinished = false;
        log.warn(
            "XA: {} is decided; its branch in '{}' is left to the recovery: {}",
            transaction,
            ending.lease().dataSource(),
            ending.cause().getMessage());
      }
    }
    if (isFinished) {
      parts.ledger.end(transaction);
      parts.decisions.finished(transaction);
    } else {
      parts.ledger.unfinished(transaction);
      parts.recoverSoon.run();
    }
    return endings;
  }

  private void ended(Outcome outcome) {
    parts.listener.ended(outcome, System.nanoTime() - start);
  }

  /** A branch whose PREPARE was not answered may be there. */
  private void recoverWhatMayBePrepared(List<Vote> votes) {
    for (Vote vote : votes) {
      if (vote.failure() instanceof ShardException.Lost) {
        parts.recoverSoon.run();
        return;
      }
    }
  }

  private static @Nullable ShardException firstOf(List<Vote> votes) {
    ShardException first = null;
    for (Vote vote : votes) {
      ShardException failure = vote.failure();
      if (failure instanceof ShardException.Database) {
        return failure;
      }
      first = first == null ? failure : first;
    }
    return first;
  }

  /**
   * @param endings of the branches with changes, in their order
   */
  private static List<Ending> inOrder(List<Vote> votes, List<Ending> endings) {
    var ordered = new ArrayList<Ending>(votes.size());
    int next = 0;
    for (Vote vote : votes) {
      Ending reader = vote.ended();
      ordered.add(reader == null ? endings.get(next++) : reader);
    }
    return ordered;
  }
}
