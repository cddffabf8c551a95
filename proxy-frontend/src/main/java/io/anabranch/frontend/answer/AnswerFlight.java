package io.anabranch.frontend.answer;

import io.anabranch.frontend.answer.TableVersions.Stamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read under way, and the sessions that wait for its answer because they want the same.
 * Thread-safe.
 */
public final class AnswerFlight {

  /** A session that waits. Told once, by whoever ends the flight: on any thread. */
  public interface Follower {

    /**
     * @param answer null: there is none to be had, it runs alone
     */
    void ended(@Nullable KeptAnswer answer);
  }

  private final Stamp stamp;
  private final List<Follower> followers = new ArrayList<>();
  private boolean isOver;

  /**
   * @param stamp of the tables, from before the read was sent
   */
  AnswerFlight(Stamp stamp) {
    this.stamp = stamp;
  }

  /**
   * Waits for the answer, if it will be as good as one that is asked for now: nobody has begun to
   * change the tables since the read was sent.
   */
  public synchronized boolean join(Follower follower) {
    boolean isGood = isGood();
    if (isGood) {
      followers.add(follower);
    }
    return isGood;
  }

  /** Whether somebody who comes now may wait for it. */
  synchronized boolean isGood() {
    return !isOver && stamp.isValid();
  }

  /** Waits no more. */
  public synchronized void leave(Follower follower) {
    followers.remove(follower);
  }

  /**
   * Tells those who wait; nothing happens the second time.
   *
   * @param answer null: it has failed, or is too long or too slow for others to wait for
   */
  public void end(@Nullable KeptAnswer answer) {
    List<Follower> waiting;
    synchronized (this) {
      isOver = true;
      waiting = List.copyOf(followers);
      followers.clear();
    }
    waiting.forEach(follower -> follower.ended(answer));
  }
}
