package io.anabranch.backend.relay.pipe;

/** Why a statement that was to share a connection has to be run on one of its own. */
public enum Repeat {
  /** The connection at hand had other settings. */
  SETTINGS(false),
  /** The statement was not prepared on the connection at hand. */
  UNPREPARED(false),
  /** There was no connection to share. */
  NO_CONNECTION(false),
  /** The statement in front of it took long. */
  BEHIND_SLOW(false),
  /** The connection was given up for what another statement did. */
  GIVEN_UP(false),
  /** The connection broke. */
  LOST(false),
  /** Its answer was longer than what is kept for a client. */
  LARGE(true),
  /** It warned: only its own connection tells of what. */
  WARNED(true),
  /** It failed: what else there is to know of that is asked on its own connection. */
  FAILED(true),
  /** It changed its connection's state, or opened a transaction. */
  CHANGED(true);

  private final boolean isOwnFault;

  Repeat(boolean isOwnFault) {
    this.isOwnFault = isOwnFault;
  }

  /** Whether the statement is one that should not share. */
  public boolean isOwnFault() {
    return isOwnFault;
  }
}
