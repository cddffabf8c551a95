package io.anabranch.frontend.current;

/**
 * When the statement came to what, {@link System#nanoTime} each: begun, planned, leased a
 * connection, answered. A statement that is answered by the proxy itself was never leased one, and
 * is told with 0 ns of waiting and running.
 */
public final class StatementTimes {

  private long started;

  /** 0 for what it never came to. */
  private long planned;

  private long leased;
  private long answered;

  StatementTimes() {}

  void begin(long now) {
    started = now;
    planned = 0;
    leased = 0;
    answered = 0;
  }

  /** How long it was read and planned, in nanoseconds. */
  public long planning(long end) {
    return planEnd(end) - started;
  }

  /** How long it waited for a connection, in nanoseconds. */
  public long leasing(long end) {
    return leaseEnd(end) - planEnd(end);
  }

  /** How long it ran, in nanoseconds. */
  public long running(long end) {
    return end - leaseEnd(end);
  }

  private long planEnd(long end) {
    return planned == 0 ? end : planned;
  }

  private long leaseEnd(long end) {
    return leased == 0 ? planEnd(end) : leased;
  }

  /** When it was answered; {@link System#nanoTime} for one that nobody has noted. */
  public long end() {
    return answered == 0 ? System.nanoTime() : answered;
  }

  public long started() {
    return started;
  }

  public long planned() {
    return planned;
  }

  public void planned(long next) {
    planned = next;
  }

  public long leased() {
    return leased;
  }

  public void leased(long next) {
    leased = next;
  }

  public long answered() {
    return answered;
  }

  public void answered(long next) {
    answered = next;
  }
}
