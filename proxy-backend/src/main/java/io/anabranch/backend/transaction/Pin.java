package io.anabranch.backend.transaction;

/** State of a connection that cannot be replayed: it binds the connection to the session. */
public enum Pin {
  TEMPORARY_TABLE,
  LOCK_TABLES,
  USER_LOCK,
  /** Rows that wait to be fetched: the session may use other connections all the same. */
  CURSOR,
  /** HANDLER OPEN, SQL PREPARE, anything else that lives in the connection. */
  OTHER
}
