package io.anabranch.backend.relay.command;

import org.jspecify.annotations.Nullable;

/** Told once, on the event loop, how preparing ended. */
@FunctionalInterface
public interface PrepareCallback {

  /**
   * Exactly one argument is non-null.
   *
   * @param failure {@link RelayOutcome.Failed} or {@link RelayOutcome.Lost}; nothing has been
   *     written to any client
   */
  void prepared(@Nullable PreparedShape shape, @Nullable RelayOutcome failure);
}
