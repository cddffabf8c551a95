package io.anabranch.frontend.server;

/**
 * Whom the proxy sends away. Each client's handler is told of it again and again while it lasts.
 */
enum Drain {
  /** Nobody. */
  NOBODY,

  /**
   * Who asks whether the connection is alive, and who has been silent for a while: they look for
   * another connection without having lost a statement. Whose transaction is silent for too long
   * loses it.
   */
  WHO_LOOKS,

  /**
   * Who has been silent for longer than a pool lends a connection again without asking, too: short
   * pauses are all that a busy pool's connection makes.
   */
  WHO_PAUSES,

  /** Everyone whose statement or transaction has ended, too. */
  WHO_IS_DONE,

  /** All: what runs ends with an error. */
  EVERYBODY
}
