package io.anabranch.backend.relay.command;

/** How a relayed command ended. */
public sealed interface RelayOutcome {

  /**
   * The whole response, OK or rows, has been written to the sink.
   *
   * @param statusFlags the backend's last
   * @param affectedRows -1 after rows
   * @param lastInsertId of the last OK packet
   * @param rows of the last result
   * @param sent rows of all results
   */
  record Done(
      int statusFlags, long affectedRows, long lastInsertId, int warnings, long rows, long sent)
      implements RelayOutcome {

    /** The answer has one result. */
    public Done(int statusFlags, long affectedRows, long lastInsertId, int warnings, long rows) {
      this(statusFlags, affectedRows, lastInsertId, warnings, rows, rows);
    }
  }

  /**
   * The database's ERR packet has been written to the sink.
   *
   * @param inPrologue a statement of the prologue failed and the command has not run; how many of
   *     the settings were applied is unknown
   * @param sent rows that the client had got before
   */
  record Failed(int errno, String sqlState, String message, boolean inPrologue, long sent)
      implements RelayOutcome {

    /** The error is all that the client has got. */
    public Failed(int errno, String sqlState, String message, boolean inPrologue) {
      this(errno, sqlState, message, inPrologue, 0);
    }
  }

  /**
   * A replica had not caught up in time with {@link RelayRequest.Proviso#await}. The client has got
   * nothing, and the connection is good.
   */
  record Unreached() implements RelayOutcome {}

  /**
   * The database's ERR packet was kept from the client, as {@link RelayRequest.Proviso#keeps} asks
   * for. The command has had no effect, and the connection is as good as the server.
   */
  record Kept(int errno, String sqlState, String message) implements RelayOutcome {}

  /**
   * The connection broke, or the server's bytes made no sense; the lease must be discarded.
   *
   * @param mayHaveRun whether the command may have reached the database
   * @param responseStarted whether the client has got a part of the response: its connection must
   *     be closed
   */
  record Lost(String reason, boolean mayHaveRun, boolean responseStarted) implements RelayOutcome {}
}
