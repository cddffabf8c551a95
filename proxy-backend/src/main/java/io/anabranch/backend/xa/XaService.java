package io.anabranch.backend.xa;

import io.anabranch.backend.transaction.commit.CommitBarrier;
import io.anabranch.backend.transaction.commit.Coordinator;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Distributed transactions of this process: their coordinator, and the threads that tell that the
 * process lives, and recover. Thread-safe.
 */
public final class XaService implements AutoCloseable {

  /**
   * How many connections to the log are in use at most: its writers', and one for the life line.
   */
  public static final int LOG_CONNECTIONS = DecisionLog.MOST_WRITERS + 1;

  private static final Logger log = LoggerFactory.getLogger(XaService.class);
  private static final long TICK_MILLISECONDS = 1000;
  private static final int BEATS_PER_TIMEOUT = 5;
  private static final int BEATS_OF_GRACE = 3;
  private static final long END_MILLISECONDS = 3000;

  private final XaSettings settings;
  private final Membership membership;
  private final DecisionLog decisions;
  private final Ledger ledger;
  private final Fitness fitness = new Fitness();
  private final Recovery recovery;
  private final DeadNodes dead;
  private final long tick;
  private final Coordinator coordinator;
  private final ArrayBlockingQueue<Boolean> recoverNow = new ArrayBlockingQueue<>(1);
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean registered;

  /**
   * @param logSource where the log's tables are, created when they are absent
   * @param sources all places where branches may be; each look takes those that there are then
   */
  public XaService(
      XaSettings settings,
      XaSource logSource,
      Collection<XaSource> sources,
      CommitBarrier barrier,
      EventLoopGroup loops,
      XaListener listener) {
    this.settings = settings;
    var links = new Links(loops, settings.answerTimeout());
    var store = new LogStore(links, logSource);
    this.membership = new Membership(store, settings.cluster(), settings.node());
    this.tick = Math.min(TICK_MILLISECONDS, settings.nodeTimeout() / BEATS_PER_TIMEOUT);
    this.dead =
        new DeadNodes(
            store, membership, BEATS_OF_GRACE * tick, settings.nodeTimeout(), System::nanoTime);
    this.decisions = new DecisionLog(store, loops, listener, settings.decisionRetention());
    this.ledger = new Ledger(barrier);
    this.recovery =
        new Recovery(
            links,
            store,
            membership,
            decisions,
            ledger,
            fitness,
            sources,
            listener,
            settings.nodeTimeout(),
            settings.decisionRetention(),
            System::nanoTime);
    this.coordinator =
        new XaCoordinator(
            membership,
            fitness,
            new TwoPhases.Parts(
                decisions,
                ledger,
                barrier,
                new BranchPhases(loops, settings.answerTimeout()),
                loops,
                listener,
                this::recoverSoon,
                settings.logTimeout()));
  }

  /**
   * Starts the threads. Does not wait for the log: until it is there, COMMIT over several fails.
   */
  public void start() {
    start("xa-node", this::beat);
    start("xa-recovery", this::recover);
  }

  private void start(String name, Runnable work) {
    threads.add(Thread.ofVirtual().name(name).start(work));
  }

  /** Who ends distributed transactions. */
  public Coordinator coordinator() {
    return coordinator;
  }

  /** Prepared branches that the last look found. */
  public List<InDoubt> inDoubt() {
    return recovery.inDoubt();
  }

  /** Data sources that cannot take part in transactions over several, with the reason. */
  public Map<String, String> unfit() {
    return fitness.unfit();
  }

  /** Whether this process can decide on transactions now. */
  public boolean isReady() {
    return registered && !decisions.isFailing();
  }

  /** Whether a transaction of that name may be this cluster's, of an earlier log perhaps. */
  public boolean isOfThisName(String transaction) {
    return recovery.isOfThisName(transaction);
  }

  /**
   * Whether the proxies of the cluster end its branches, as their log says: an operator's decision
   * may then tear it. Also if that is not known because the log cannot be reached.
   */
  public boolean isEndedByProxies(String transaction) {
    return recovery.isEndedByProxies(transaction);
  }

  /**
   * Ends all branches of a transaction, whatever the log says. Blocks.
   *
   * @param transaction the global part of its name
   * @return how many branches were ended
   * @throws RuntimeException if a data source cannot be reached or refuses
   */
  public int force(String transaction, boolean commit) {
    return recovery.force(transaction, commit);
  }

  /** Looks at the databases as soon as possible. */
  public void recoverSoon() {
    recoverNow.offer(true);
  }

  private void beat() {
    do {
      try {
        membership.beat();
        boolean isBack = !registered;
        registered = true;
        if (dead.look() || isBack) {
          recoverSoon();
        }
        decisions.sweep();
      } catch (RuntimeException failure) {
        if (registered) {
          log.warn("XA: the log cannot be reached: {}", failure.getMessage());
        } else {
          log.debug("XA: not registered yet", failure);
        }
        registered = false;
      }
    } while (!isClosedWithin(tick));
  }

  private boolean isClosedWithin(long milliseconds) {
    try {
      return closed.await(milliseconds, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      return true;
    }
  }

  private void recover() {
    while (closed.getCount() > 0) {
      try {
        recoverNow.poll(settings.recoveryInterval(), TimeUnit.MILLISECONDS);
        recovery.pass();
      } catch (InterruptedException interrupted) {
        return;
      } catch (RuntimeException failure) {
        if (closed.getCount() > 0) {
          log.warn("XA: recovery will be tried again: {}", failure.toString());
          lookWithoutLog();
        }
      }
    }
  }

  /** Nothing ends the thread but the end of the service. */
  private void lookWithoutLog() {
    try {
      recovery.lookWithoutLog();
    } catch (RuntimeException failure) {
      log.warn("XA: branches cannot be listed: {}", failure.toString());
    }
  }

  /** Ends the threads and leaves the cluster; others take over what is left. Blocks for seconds. */
  @Override
  public void close() {
    closed.countDown();
    decisions.close();
    threads.forEach(Thread::interrupt);
    Thread last =
        Thread.ofVirtual()
            .name("xa-end")
            .start(
                () -> {
                  try {
                    decisions.sweep();
                    membership.leave();
                  } catch (RuntimeException failure) {
                    log.warn("XA: left without telling the log: {}", failure.getMessage());
                  }
                });
    try {
      last.join(END_MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
