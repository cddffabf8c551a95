package io.anabranch.frontend.current;

import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.plan.BoundPlan;
import java.util.function.Supplier;

/**
 * Where the parts of a statement's way hand it on: exactly one of {@code succeeded}, {@code failed}
 * and {@code fail} ends it. On the session's event loop.
 */
public interface StatementCourse {

  /** It is planned and its values are known: it runs, or is prepared. */
  void run(BoundPlan bound);

  /** It has been answered. */
  void succeeded();

  /** It has been answered with an error, or cannot be answered any more. */
  void failed(int errno);

  /** Answers it with an error. */
  void fail(Throwable failure);

  /** Answers it with an error. */
  void fail(ErrPacket error);

  /**
   * Runs {@code work} on a virtual thread, then what it gave on the event loop; answers with an
   * error if the work throws. Whoever ends the statement ends what the work waits for.
   */
  void blocking(Supplier<Runnable> work);

  /**
   * The same for what is asked behind an answer: it comes to its end unless a database does not
   * answer.
   */
  void concluding(Supplier<Runnable> work);

  /** Runs {@code step} here; answers with an error if it throws. */
  void step(Runnable step);

  /** Closes the client's connection when the answer has been sent. */
  void closeAfterwards();
}
