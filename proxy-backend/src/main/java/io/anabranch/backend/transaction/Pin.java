package io.anabranch.backend.transaction;

/** State of a connection that cannot be replayed: it binds the connection to the session. */
public enum Pin {
  TEMPORARY_TABLE,
  LOCK_TABLES,
  USER_LOCK,
  /** HANDLER OPEN, SQL PREPARE, anything else that lives in the connection. */
  OTHER
}
