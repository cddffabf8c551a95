package io.anabranch.backend.relay.command;

/** Told once, on the event loop, how a relayed command ended. */
@FunctionalInterface
public interface RelayCallback {

  void completed(RelayOutcome outcome);
}
