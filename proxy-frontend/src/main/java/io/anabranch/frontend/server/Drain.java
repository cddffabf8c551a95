package io.anabranch.frontend.server;

/**
 * Whom the proxy sends away. Each client's handler is told of it again and again while it lasts.
 */
enum Drain {
  /** Nobody. */
  NOBODY,

  /**
   * Who asks whether the connection is alive, and who has been silent for so long as the door says:
   * they look for another connection without having lost a statement. Whose transaction is silent
   * for too long loses it.
   */
  WHO_RESTS,

  /** Everyone whose statement or transaction has ended, too, together with its answer. */
  WHO_IS_DONE,

  /** All: what runs ends with an error. */
  EVERYBODY
}
