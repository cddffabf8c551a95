package io.anabranch.frontend.session;

import io.anabranch.frontend.table.VirtualSchema;
import io.netty.util.concurrent.EventExecutor;

/** What happens in sessions, for metrics. Called on event loops; must be quick. */
public interface SessionListener {

  /** A client has authenticated. */
  void connected();

  /** A client that was {@link #connected} is gone. */
  void closed();

  /** A client was sent away before it had a session. */
  void refused(int errno);

  /** Who hears of the statements that this event loop's sessions run. */
  StatementListener of(EventExecutor loop);

  /** How many statements have been answered, by all sessions. */
  default long statements() {
    return 0;
  }

  /** What is known of sessions and statements, as tables for administrators. */
  default VirtualSchema schema() {
    return VirtualSchema.EMPTY;
  }

  /** Listens to nothing. */
  SessionListener NONE =
      new SessionListener() {
        @Override
        public void connected() {}

        @Override
        public void closed() {}

        @Override
        public void refused(int errno) {}

        @Override
        public StatementListener of(EventExecutor loop) {
          return (_, _, _, _, _, _) -> {};
        }
      };
}
