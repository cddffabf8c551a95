package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.HeldLease;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.protection.Priority;
import org.jspecify.annotations.Nullable;

/**
 * Ends what a session waits for in a database, when a deadlock has been found and the session is to
 * give way. Its {@code toString} names the session in the log.
 */
public interface WaitEnding {

  /** For sessions whose statements nobody ends. */
  WaitEnding NEVER = (_, _) -> {};

  /**
   * Ends the statement that runs on the connection, unless that has ended by then. Does not block;
   * on any thread.
   *
   * @param reason what the client is told
   */
  void end(HeldLease waiting, RefusedException reason);

  /** See {@link io.anabranch.backend.lease.Lessee#giveWay}. On any thread. */
  default void giveWay() {}

  /** The session's number, by which clients know it; 0: it is none. */
  default int sessionId() {
    return 0;
  }

  /** Whose session it is; empty: nobody's. */
  default String user() {
    return "";
  }

  /** Of what it runs. On the session's event loop. */
  default Priority priority() {
    return Priority.NORMAL;
  }

  /** A comment that says who has asked; null: there is none. On the session's event loop. */
  default byte @Nullable [] origin() {
    return null;
  }

  /** Whether what runs may answer with whatever error it likes. On the session's event loop. */
  default boolean raisesErrors() {
    return false;
  }

  /** Whether the session runs nothing. On its event loop. */
  default boolean isIdle() {
    return false;
  }
}
