package io.anabranch.backend.relay.command;

import io.anabranch.rules.error.RefusedException;

/** Told on the event loop of a relayed command: once how it ended, and before that perhaps more. */
@FunctionalInterface
public interface RelayCallback {

  void completed(RelayOutcome outcome);

  /**
   * The client has got all the rows that it may. What else comes is read away, and the answer ends
   * with the error that {@link ResponseSink#told} gives for an interrupted statement, whether the
   * database ends it before its time or not.
   */
  default void exceeded(RefusedException refusal) {}

  /**
   * The client has got all of the answer but its last packet, as {@link RelayRequest#withholdsEnd}
   * asks for; the outcome comes next.
   *
   * @param end the packet, with its header: it is for the client, or an error in its place
   */
  default void withheld(byte[] end) {}
}
