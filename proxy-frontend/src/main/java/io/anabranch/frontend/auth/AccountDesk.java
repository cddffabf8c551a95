package io.anabranch.frontend.auth;

import io.anabranch.frontend.notice.Pace;
import io.anabranch.rules.account.AccountStore;
import io.anabranch.rules.account.StoredAccounts;
import io.netty.util.concurrent.EventExecutor;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks account stores, on a few threads of its own: a store that blocks, or computes for ever,
 * keeps these and nobody else. Whoever is not answered in time, and whoever finds too many waiting,
 * goes without an answer. Another store than before gets other threads, so that a reload ends what
 * the former one has blocked. Thread-safe.
 */
public final class AccountDesk {

  private static final Logger log = LoggerFactory.getLogger(AccountDesk.class);

  /** Logins that wait for one of the threads. */
  private static final int MOST_WAITING = 1000;

  private static final long IDLE_SECONDS = 30;

  private final Pace pace;
  private @Nullable Threads threads;

  private record Threads(StoredAccounts store, ThreadPoolExecutor pool) {

    static Threads of(StoredAccounts store) {
      int count = store.maxConcurrent();
      var pool =
          new ThreadPoolExecutor(
              count,
              count,
              IDLE_SECONDS,
              TimeUnit.SECONDS,
              new ArrayBlockingQueue<>(MOST_WAITING),
              Thread.ofPlatform().daemon().name("account-store-", 1).factory());
      pool.allowCoreThreadTimeOut(true);
      return new Threads(store, pool);
    }
  }

  /**
   * @param nanoTime {@link System#nanoTime}
   */
  public AccountDesk(LongSupplier nanoTime) {
    this.pace = new Pace(nanoTime);
  }

  /**
   * Asks, and returns at once. On {@code loop}.
   *
   * @param loop the session's
   * @param then gets the answer on {@code loop}, once; null: there is none, and the log says why
   * @return forgets the question, on {@code loop}: then nobody gets the answer
   */
  public Runnable ask(
      AuthenticationStep.Ask question,
      EventExecutor loop,
      Consumer<AccountStore.@Nullable Answer> then) {
    var asked = new Asked(question, loop, then);
    asked.begin(pool(question.store()));
    return asked::forget;
  }

  private synchronized ThreadPoolExecutor pool(StoredAccounts store) {
    Threads known = threads;
    if (known != null && known.store().equals(store)) {
      return known.pool();
    }
    if (known != null) {
      known.pool().shutdown();
    }
    Threads made = Threads.of(store);
    threads = made;
    return made.pool();
  }

  private void failed(StoredAccounts store, String reason) {
    long others = pace.next();
    if (others >= 0) {
      log.warn("a login has failed: the {} {}{}", store, reason, Pace.others(others));
    }
  }

  /** One question; all but {@link #run} on the event loop. */
  private final class Asked {

    private final AuthenticationStep.Ask question;
    private final EventExecutor loop;
    private final Consumer<AccountStore.@Nullable Answer> then;
    private final FutureTask<?> work = new FutureTask<>(this::run, null);
    private @Nullable ThreadPoolExecutor pool;
    private @Nullable Future<?> limit;
    private boolean isOver;

    Asked(
        AuthenticationStep.Ask question,
        EventExecutor loop,
        Consumer<AccountStore.@Nullable Answer> then) {
      this.question = question;
      this.loop = loop;
      this.then = then;
    }

    void begin(ThreadPoolExecutor threads) {
      try {
        threads.execute(work);
        pool = threads;
      } catch (RejectedExecutionException full) {
        log.debug("not asked", full);
        loop.execute(() -> end(null, "has " + MOST_WAITING + " logins waiting already"));
        return;
      }
      int milliseconds = question.store().timeoutMilliseconds();
      limit =
          loop.schedule(
              () -> end(null, "has not answered within " + milliseconds + " ms"),
              milliseconds,
              TimeUnit.MILLISECONDS);
    }

    /** On a thread of the store. */
    private void run() {
      AccountStore.Answer answer = null;
      String reason = "has ended its thread";
      try {
        answer =
            question.store().store().ask(question.name(), question.address(), question.password());
      } catch (Exception failure) {
        // the guard of plug-ins has told what was thrown, and not its message
        reason = "gave no answer: " + failure.getMessage();
      } finally {
        Arrays.fill(question.password(), (byte) 0);
        AccountStore.Answer given = answer;
        String why = reason;
        loop.execute(() -> end(given, why));
      }
    }

    /**
     * @param reason why there is no answer
     */
    private void end(AccountStore.@Nullable Answer answer, String reason) {
      if (isOver) {
        return;
      }
      forget();
      if (answer == null) {
        failed(question.store(), reason);
      }
      then.accept(answer);
    }

    void forget() {
      isOver = true;
      work.cancel(true);
      if (pool != null) {
        pool.remove(work);
      }
      if (limit != null) {
        limit.cancel(false);
      }
    }
  }
}
