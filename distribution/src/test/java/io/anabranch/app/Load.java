package io.anabranch.app;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that repeat a step until they are told to stop; after an error on a new connection. */
final class Load {

  private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
  private final AtomicInteger done = new AtomicInteger();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  private Load() {}

  /** Opens a client's connection. */
  interface Connecting {
    Connection connect() throws SQLException;
  }

  /** What a client does again and again. */
  interface Step {

    /**
     * @param n how many steps this client has begun before
     */
    void run(Connection client, int n) throws SQLException;
  }

  static Load start(int clients, Connecting connecting, Step step) {
    var load = new Load();
    for (int i = 0; i < clients; i++) {
      load.threads.add(Thread.ofVirtual().start(() -> load.run(connecting, step)));
    }
    return load;
  }

  private void run(Connecting connecting, Step step) {
    int n = 0;
    while (stop.getCount() > 0) {
      try (Connection client = connecting.connect()) {
        while (stop.getCount() > 0) {
          step.run(client, n++);
          done.incrementAndGet();
        }
      } catch (SQLException failure) {
        errors.add(failure.getErrorCode() + " " + failure.getMessage());
      }
    }
  }

  /** Waits for so many further steps that went well. */
  void awaitMore(int count) {
    int target = done.get() + count;
    ReplicaFixture.await(count + " more; errors: " + errors, () -> done.get() >= target);
  }

  /** Steps that went well. */
  int done() {
    return done.get();
  }

  /** Number and text of each error that a client got. */
  List<String> errors() {
    return List.copyOf(errors);
  }

  void end() throws InterruptedException {
    stop.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
