package io.anabranch.backend.fakes;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An event loop in simulated time, a group of itself alone, whose tasks run one by one when whoever
 * simulates says so, on that thread. Has no channels. Used by one thread at a time.
 */
public final class SimulatedLoop extends AbstractScheduledEventExecutor implements EventLoop {

  private final String name;
  private final VirtualTime time;
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private @Nullable Thread running;

  public SimulatedLoop(String name, VirtualTime time) {
    this.name = name;
    this.time = time;
  }

  /** Whether a task can run now. */
  public boolean isReady() {
    long next = nextScheduledTaskDeadlineNanos();
    return !tasks.isEmpty() || (next >= 0 && next <= time.nanoTime());
  }

  /** When the next scheduled task is due, by the clock's nanoseconds; -1: there is none. */
  public long nextDue() {
    return nextScheduledTaskDeadlineNanos();
  }

  /** Runs the next task, if one {@link #isReady}; those that have become due come last. */
  public void runOne() {
    within(this::takeDue);
    Runnable task = tasks.poll();
    if (task != null) {
      within(task);
    }
  }

  private void takeDue() {
    Runnable due = pollScheduledTask(time.nanoTime());
    while (due != null) {
      tasks.add(due);
      due = pollScheduledTask(time.nanoTime());
    }
  }

  /** Runs a task at once, as the loop. */
  public void within(Runnable task) {
    Thread before = running;
    running = Thread.currentThread();
    try {
      task.run();
    } finally {
      running = before;
    }
  }

  @Override
  public Ticker ticker() {
    return time;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public boolean inEventLoop(Thread thread) {
    return thread.equals(running);
  }

  @Override
  public EventLoop next() {
    return this;
  }

  @Override
  public @Nullable EventLoopGroup parent() {
    return null;
  }

  @Override
  public ChannelFuture register(Channel channel) {
    throw noChannels();
  }

  @Override
  public ChannelFuture register(ChannelPromise promise) {
    throw noChannels();
  }

  @Override
  @Deprecated
  public ChannelFuture register(Channel channel, ChannelPromise promise) {
    throw noChannels();
  }

  private static UnsupportedOperationException noChannels() {
    return new UnsupportedOperationException("a simulated loop has no channels");
  }

  // ---- it does not end

  @Override
  public boolean isShuttingDown() {
    return false;
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return false;
  }

  @Override
  public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
    throw new UnsupportedOperationException("a simulated loop does not end");
  }

  @Override
  public Future<?> terminationFuture() {
    throw new UnsupportedOperationException("a simulated loop does not end");
  }

  @Override
  @Deprecated
  public void shutdown() {
    throw new UnsupportedOperationException("a simulated loop does not end");
  }

  @Override
  public String toString() {
    return name;
  }
}
