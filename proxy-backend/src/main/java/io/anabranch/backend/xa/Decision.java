package io.anabranch.backend.xa;

/** What the log says of a transaction. */
enum Decision {
  /** It is in the log: all its branches are to be committed. */
  COMMIT,
  /** It is not, and cannot come there any more. */
  ROLLBACK
}
