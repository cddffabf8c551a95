package io.anabranch.backend.relay.command;

/** What shape the answer to a command has; the bytes alone do not say it. */
public enum ResponseForm {
  /** OK, ERR, or result sets with text rows: COM_QUERY. */
  TEXT_RESULT,
  /** As TEXT_RESULT, where something follows each result set: COM_QUERY of CALL. */
  TEXT_PROCEDURE,
  /** OK, ERR, or result sets with binary rows: COM_STMT_EXECUTE. */
  BINARY_RESULT,
  /**
   * As BINARY_RESULT, of which the last may be the OUT parameters of a procedure: COM_STMT_EXECUTE
   * of CALL.
   */
  PROCEDURE,
  /** As BINARY_RESULT, or columns alone when a cursor was opened: COM_STMT_EXECUTE. */
  CURSOR,
  /** Binary rows, or ERR: COM_STMT_FETCH. */
  FETCH,
  /** OK or ERR: COM_PING, COM_INIT_DB, COM_RESET_CONNECTION. */
  OK,
  /** Column definitions up to EOF, or ERR: COM_FIELD_LIST. */
  FIELD_LIST,
  /** EOF (or OK in its place), or ERR: COM_SET_OPTION, COM_DEBUG. */
  EOF,
  /** One packet of text: COM_STATISTICS. */
  TEXT_PACKET
}
