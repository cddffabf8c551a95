package io.anabranch.backend.xa;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.commit.Xid;
import io.anabranch.rules.error.RefusedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolves prepared branches that nobody ends: those that this process could not end, and those of
 * processes that are dead. One pass after another, each by one thread; blocks.
 *
 * <p>The order of a pass is what makes it right. Processes that have been silent for too long are
 * declared dead first, so that they can decide nothing more; then the branches are listed; only
 * then it is asked who lives (whoever made a listed branch had registered before) and what the log
 * says (of the dead it cannot change any more).
 *
 * <p>That no data source lists a branch does not say that there is none: its server may be away for
 * a reload, or a replica that took over has not come to it yet. Only age takes a decision out of
 * the log whose branches have not all told that they are committed.
 */
final class Recovery {

  private static final Logger log = LoggerFactory.getLogger(Recovery.class);

  /** XAER_NOTA: ended meanwhile, or its session has not noticed yet that its client is gone. */
  private static final int UNKNOWN_XID = 1397;

  private static final long MOST_BETWEEN_CLEANINGS_MILLISECONDS = 600_000;
  private static final int CLEANINGS_PER_RETENTION = 10;

  private final Links links;
  private final LogStore store;
  private final Membership membership;
  private final DecisionLog decisions;
  private final Ledger ledger;
  private final Fitness fitness;
  private final Collection<XaSource> sources;
  private final XaListener listener;
  private final long nodeTimeoutMilliseconds;
  private final long retentionMilliseconds;
  private final LongSupplier clock;
  private final Map<String, Long> firstSeen = new HashMap<>();
  private final Set<String> unreachable = ConcurrentHashMap.newKeySet();
  private volatile List<InDoubt> inDoubt = List.of();
  private boolean inherits = true;

  /** By the clock; null before the first. */
  private @Nullable Long lastCleaning;

  /**
   * @param retentionMilliseconds how long a decision stays in the log whose branches have not all
   *     told that they are committed
   * @param clock in nanoseconds
   */
  Recovery(
      Links links,
      LogStore store,
      Membership membership,
      DecisionLog decisions,
      Ledger ledger,
      Fitness fitness,
      Collection<XaSource> sources,
      XaListener listener,
      long nodeTimeoutMilliseconds,
      long retentionMilliseconds,
      LongSupplier clock) {
    this.links = links;
    this.store = store;
    this.membership = membership;
    this.decisions = decisions;
    this.ledger = ledger;
    this.fitness = fitness;
    this.sources = sources;
    this.listener = listener;
    this.nodeTimeoutMilliseconds = nodeTimeoutMilliseconds;
    this.retentionMilliseconds = retentionMilliseconds;
    this.clock = clock;
  }

  /** What the last pass left. */
  List<InDoubt> inDoubt() {
    return inDoubt;
  }

  private record Found(XaSource source, Xid xid, @Nullable GlobalId transaction) {
    String key() {
      return source + " " + xid.sql();
    }
  }

  /** One look at all data sources. */
  void pass() {
    String cluster = membership.cluster();
    if (cluster == null) {
      return;
    }
    long begun = clock.getAsLong();
    if (store.fence(membership.clusterName(), nodeTimeoutMilliseconds) > 0) {
      log.warn(
          "XA: declared a proxy dead that has not been heard of for {} ms",
          nodeTimeoutMilliseconds);
    }
    Set<GlobalId> unfinished = new HashSet<>(ledger.unfinished());
    Set<String> old = old(cluster);
    var found = new ArrayList<Found>();
    boolean sawAll = true;
    for (XaSource source : sources) {
      sawAll &= list(source, cluster, found);
    }
    Set<String> living = store.living(membership.clusterName());
    Set<GlobalId> asked = asked(found, living);
    Set<String> committed = store.decided(asked);
    var left = new ArrayList<InDoubt>();
    var stillThere = new HashSet<String>();
    for (Found branch : found) {
      InDoubt remains = resolve(branch, asked, committed);
      if (remains != null) {
        left.add(remains);
        stillThere.add(branch.xid().global());
      }
    }
    if (sawAll) {
      unfinished.stream()
          .filter(transaction -> !stillThere.contains(transaction.toString()))
          .forEach(ledger::end);
      clean(cluster, old, living, stillThere);
      decisions.lookedSince(begun);
    }
    if (inherits && sawAll && stillThere.stream().noneMatch(name -> isInherited(name, cluster))) {
      inherits = false;
      ledger.inherited();
    }
    forgetAges(left);
    inDoubt = List.copyOf(left);
  }

  /** What a look at the data sources shows while the log cannot be asked: nothing is resolved. */
  void lookWithoutLog() {
    String cluster = membership.cluster();
    if (cluster == null) {
      return;
    }
    var found = new ArrayList<Found>();
    for (XaSource source : sources) {
      list(source, cluster, found);
    }
    List<InDoubt> left = found.stream().map(each -> left(each, kindWithoutLog(each))).toList();
    forgetAges(left);
    inDoubt = left;
  }

  private InDoubt.Kind kindWithoutLog(Found branch) {
    GlobalId transaction = branch.transaction();
    if (transaction == null) {
      return InDoubt.Kind.FOREIGN;
    }
    return switch (ledger.stage(transaction)) {
      case ACTIVE -> InDoubt.Kind.IN_PROGRESS;
      case UNDECIDED -> InDoubt.Kind.UNDECIDED;
      case UNFINISHED -> InDoubt.Kind.WAITING;
      case null -> InDoubt.Kind.UNDECIDED;
    };
  }

  /** Whether a process of this node's name made it in an earlier life. */
  private boolean isInherited(String name, String cluster) {
    GlobalId transaction = GlobalId.parse(name, cluster);
    return transaction != null && membership.isEarlier(transaction.incarnation());
  }

  private boolean list(XaSource source, String cluster, List<Found> found) {
    try {
      links.run(
          source,
          link -> {
            fitness.tryOut(source, link, membership.incarnation());
            return read(source, cluster, link.rows("XA RECOVER"), found);
          });
      unreachable.remove(source.name());
      return true;
    } catch (RuntimeException failure) {
      // whatever it is, it is this source's, which may just be going
      if (unreachable.add(source.name())) {
        log.warn("XA: cannot look for branches in {}: {}", source, failure.getMessage());
      }
      return false;
    }
  }

  /** Our names are ASCII, which every form of XA RECOVER shows as it is. */
  private boolean read(XaSource source, String cluster, List<String[]> rows, List<Found> found) {
    String anyOfThisName = membership.clusterName() + "-";
    for (String[] row : rows) {
      boolean isOurFormat = row[0].equals(Integer.toString(Xid.FORMAT));
      int length = Integer.parseInt(row[1]);
      if (isOurFormat && row[3].startsWith(anyOfThisName) && length < row[3].length()) {
        Xid xid = Xid.told(row[3].substring(0, length), row[3].substring(length));
        // anybody may name a branch otherwise; several data sources may look at one server
        if (xid != null && found.stream().noneMatch(each -> each.xid().equals(xid))) {
          found.add(new Found(source, xid, GlobalId.parse(xid.global(), cluster)));
        }
      }
    }
    return true;
  }

  /** Transactions that nobody is at: the log's word is the last. */
  private Set<GlobalId> asked(List<Found> found, Set<String> living) {
    var asked = new HashSet<GlobalId>();
    for (Found branch : found) {
      GlobalId transaction = branch.transaction();
      if (transaction != null
          && ledger.stage(transaction) == null
          && !isAnothers(transaction, living)) {
        asked.add(transaction);
      }
    }
    return asked;
  }

  /** Whether another process that lives is to end it. */
  private boolean isAnothers(GlobalId transaction, Set<String> living) {
    String incarnation = transaction.incarnation();
    return living.contains(incarnation) && !incarnation.equals(membership.incarnation());
  }

  /** Null if the branch is not there any more. */
  private @Nullable InDoubt resolve(Found branch, Set<GlobalId> asked, Set<String> committed) {
    GlobalId transaction = branch.transaction();
    if (transaction == null) {
      return left(branch, InDoubt.Kind.FOREIGN);
    }
    Ledger.Stage stage = ledger.stage(transaction);
    if (stage == Ledger.Stage.UNDECIDED) {
      return left(branch, InDoubt.Kind.UNDECIDED);
    }
    if (stage == Ledger.Stage.ACTIVE) {
      return left(branch, InDoubt.Kind.IN_PROGRESS);
    }
    if (stage == Ledger.Stage.UNFINISHED) {
      return end(branch, true, false);
    }
    if (!asked.contains(transaction)) {
      return left(branch, InDoubt.Kind.IN_PROGRESS);
    }
    boolean isForeign = !transaction.incarnation().equals(membership.incarnation());
    return end(branch, committed.contains(transaction.toString()), isForeign);
  }

  private @Nullable InDoubt end(Found branch, boolean commit, boolean foreign) {
    String statement = (commit ? "XA COMMIT " : "XA ROLLBACK ") + branch.xid().sql();
    try {
      links.run(branch.source(), link -> link.update(statement));
      log.info("XA: {} in {}", statement, branch.source());
      listener.resolved(commit, foreign);
      return null;
    } catch (ShardException.Database refused) {
      if (refused.errno() != UNKNOWN_XID) {
        log.warn("XA: {} in {}: {}", statement, branch.source(), refused.getMessage());
      }
    } catch (ShardException | RefusedException failure) {
      log.warn("XA: {} in {}: {}", statement, branch.source(), failure.getMessage());
    }
    return left(branch, InDoubt.Kind.WAITING);
  }

  private InDoubt left(Found branch, InDoubt.Kind kind) {
    long now = System.nanoTime();
    long since = firstSeen.computeIfAbsent(branch.key(), key -> now);
    return new InDoubt(
        branch.source().name(),
        branch.xid().global(),
        branch.xid().branch(),
        kind,
        TimeUnit.NANOSECONDS.toMillis(now - since));
  }

  private void forgetAges(List<InDoubt> left) {
    var keys = new HashSet<String>();
    for (InDoubt branch : left) {
      keys.add(branch.source() + " " + new Xid(branch.transaction(), branch.branch()).sql());
    }
    firstSeen.keySet().retainAll(keys);
  }

  /** Decisions that are old enough to be forgotten; none where that was looked at lately. */
  private Set<String> old(String cluster) {
    long now = clock.getAsLong();
    long pause =
        Math.min(
            retentionMilliseconds / CLEANINGS_PER_RETENTION, MOST_BETWEEN_CLEANINGS_MILLISECONDS);
    if (lastCleaning != null && now - lastCleaning < TimeUnit.MILLISECONDS.toNanos(pause)) {
      return Set.of();
    }
    lastCleaning = now;
    return store.older(cluster + '.', retentionMilliseconds);
  }

  /** Every data source was seen after the decisions were: those without a branch may go. */
  private void clean(String cluster, Set<String> old, Set<String> living, Set<String> stillThere) {
    var forgotten = new ArrayList<GlobalId>();
    for (String name : old) {
      GlobalId transaction = GlobalId.parse(name, cluster);
      if (transaction != null
          && !isAnothers(transaction, living)
          && ledger.stage(transaction) == null
          && !stillThere.contains(name)) {
        forgotten.add(transaction);
      }
    }
    if (!forgotten.isEmpty()) {
      store.forget(forgotten);
    }
    if (forgotten.size() == LogStore.MOST_AT_ONCE) {
      // there may be more of them
      lastCleaning = null;
    }
  }

  /** Whether the cluster of this name made it, with whatever log. */
  boolean isOfThisName(String global) {
    return global.startsWith(membership.clusterName() + "-");
  }

  /** Whether its branches are ended as the log of this cluster says: by this proxy or another. */
  boolean isEndedByProxies(String global) {
    String cluster = membership.cluster();
    return cluster == null || GlobalId.parse(global, cluster) != null;
  }

  /**
   * An operator's decision: ends all branches of a transaction that the data sources have.
   *
   * @return how many were ended
   */
  int force(String global, boolean commit) {
    int ended = 0;
    for (XaSource source : sources) {
      List<String[]> rows = links.run(source, link -> link.rows("XA RECOVER"));
      for (String[] row : rows) {
        int length = Integer.parseInt(row[1]);
        if (row[0].equals(Integer.toString(Xid.FORMAT))
            && row[3].substring(0, Math.min(length, row[3].length())).equals(global)) {
          var xid = new Xid(global, row[3].substring(length));
          log.warn(
              "XA: an operator ends {} in {}: {}",
              xid.sql(),
              source,
              commit ? "COMMIT" : "ROLLBACK");
          links.run(
              source, link -> link.update((commit ? "XA COMMIT " : "XA ROLLBACK ") + xid.sql()));
          ended++;
        }
      }
    }
    return ended;
  }
}
