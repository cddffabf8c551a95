package io.anabranch.backend.transaction;

/** State of a connection that cannot be replayed: it binds the connection to the session. */
public enum Pin {
  TEMPORARY_TABLE,
  LOCK_TABLES,
  USER_LOCK,
  /** Rows that wait to be fetched: the session may use other connections all the same. */
  CURSOR,
  /**
   * What sequences gave last. Binds no other statement, and the connection is taken back when it is
   * idle and somebody waits for one: then nobody knows any more.
   */
  SEQUENCE,
  /**
   * A branch that the client began with XA START, until the database tells of no transaction any
   * more: it alone says what may be done.
   */
  XA,
  /** HANDLER OPEN, SQL PREPARE, anything else that lives in the connection. */
  OTHER
}
