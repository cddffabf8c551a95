package io.anabranch.frontend.server;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.model.ClientProperties.Limits;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long a session may be silent: what it has SET as {@code wait_timeout}, else what the
 * configuration says. On the session's event loop.
 */
final class IdleLimit {

  private static final String VARIABLE = "wait_timeout";

  private final Session session;
  private final long configuredSeconds;
  private final IdleWatch watch;
  private @Nullable SessionSettings seen;

  /**
   * @param isInteractive whether the client calls itself so
   * @param expired what to do with a client that was silent for too long
   */
  IdleLimit(Session session, Limits limits, boolean isInteractive, Runnable expired) {
    this.session = session;
    this.configuredSeconds =
        isInteractive ? limits.interactiveTimeoutSeconds() : limits.idleTimeoutSeconds();
    this.watch = new IdleWatch(session.loop(), session.command()::idleNanos, expired);
  }

  /** To be called after each command. */
  @SuppressWarnings("ReferenceEquality") // settings are replaced, never changed
  void refresh() {
    SessionSettings settings = session.settings();
    if (settings != seen) {
      seen = settings;
      watch.limit(TimeUnit.SECONDS.toNanos(seconds(settings.variables().get(VARIABLE))));
    }
  }

  void stop() {
    watch.stop();
  }

  private long seconds(@Nullable String set) {
    if (set == null) {
      return configuredSeconds;
    }
    try {
      return Long.parseLong(set);
    } catch (NumberFormatException e) {
      return configuredSeconds;
    }
  }
}
