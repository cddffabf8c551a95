package io.anabranch.backend.execute.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.catalog.SchemaCatalog.DescribeException;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SameQuestionsTest {

  private static final int MANY = 50;

  private final SameQuestions<String, Integer> questions = new SameQuestions<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger asking = new AtomicInteger();
  private final AtomicInteger mostAtATime = new AtomicInteger();
  private final CountDownLatch told = new CountDownLatch(1);

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private Thread begin(List<Future<Integer>> answers, String question, Supplier<Integer> asking)
      throws InterruptedException {
    var thread = new Thread[1];
    var begun = new CountDownLatch(1);
    answers.add(
        threads.submit(
            () -> {
              thread[0] = Thread.currentThread();
              begun.countDown();
              return questions.ask(question, asking);
            }));
    begun.await();
    return thread[0];
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      LockSupport.parkNanos(100_000);
    }
  }

  /** A database that is slow. */
  private int slowly() {
    asked.incrementAndGet();
    mostAtATime.accumulateAndGet(asking.incrementAndGet(), Math::max);
    try {
      told.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      throw ErrorCatalogue.QUERY_INTERRUPTED.refuse();
    } finally {
      asking.decrementAndGet();
    }
    return 42;
  }

  private int refusing() {
    slowly();
    throw new DescribeException(1146, "42S02", "no such table");
  }

  private List<Thread> many(List<Future<Integer>> answers, Supplier<Integer> asking)
      throws InterruptedException {
    var all = new ArrayList<Thread>();
    for (int i = 0; i < MANY; i++) {
      Thread one = begin(answers, "t", asking);
      awaitWaiting(one);
      all.add(one);
    }
    return all;
  }

  @Test
  void isAskedOnceByMany() throws Exception {
    var answers = new ArrayList<Future<Integer>>();
    many(answers, this::slowly);
    awaitWaiting(begin(answers, "another", this::slowly));
    told.countDown();
    for (Future<Integer> answer : answers) {
      assertThat(answer.get()).isEqualTo(42);
    }
    assertThat(asked).hasValue(2);
  }

  @Test
  void isAskedAgainWhenItIsAnswered() {
    told.countDown();
    assertThat(questions.ask("t", this::slowly)).isEqualTo(42);
    assertThat(questions.ask("t", this::slowly)).isEqualTo(42);
    assertThat(asked).hasValue(2);
  }

  @Test
  void isRefusedToAll() throws Exception {
    var answers = new ArrayList<Future<Integer>>();
    many(answers, this::refusing);
    told.countDown();
    for (Future<Integer> answer : answers) {
      assertThatThrownBy(answer::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(DescribeException.class)
          .hasMessageContaining("no such table");
    }
    assertThat(asked).hasValue(1);
  }

  /** The client of who asks goes: the others do not go with it. */
  @Test
  void isAskedByTheNextWhenTheFirstEnds() throws Exception {
    var answers = new ArrayList<Future<Integer>>();
    Thread first = many(answers, this::slowly).getFirst();
    first.interrupt();
    while (asked.get() < 2) {
      LockSupport.parkNanos(100_000);
    }
    told.countDown();
    assertThatThrownBy(answers.removeFirst()::get).hasMessageContaining("interrupted");
    for (Future<Integer> answer : answers) {
      assertThat(answer.get()).isEqualTo(42);
    }
    // who was woken late found nobody asking any more, and asked
    assertThat(mostAtATime).hasValue(1);
  }

  /** What is wrong with one of them is not told to the others. */
  @Test
  void isAskedByTheNextWhenTheFirstFails() throws Exception {
    var answers = new ArrayList<Future<Integer>>();
    awaitWaiting(
        begin(
            answers,
            "t",
            () -> {
              slowly();
              throw new IllegalStateException("a mistake");
            }));
    awaitWaiting(begin(answers, "t", this::slowly));
    told.countDown();
    assertThatThrownBy(answers.getFirst()::get).hasMessageContaining("a mistake");
    assertThat(answers.getLast().get()).isEqualTo(42);
    assertThat(asked).hasValue(2);
  }

  @Test
  void whoWaitsEndsWithItsClient() throws Exception {
    var answers = new ArrayList<Future<Integer>>();
    many(answers, this::slowly).getLast().interrupt();
    assertThatThrownBy(answers.removeLast()::get).hasMessageContaining("interrupted");
    told.countDown();
    for (Future<Integer> answer : answers) {
      assertThat(answer.get()).isEqualTo(42);
    }
  }
}
