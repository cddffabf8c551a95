package io.anabranch.frontend.response;

import io.anabranch.backend.row.RowSink;

/**
 * Rows that one virtual thread has read for a client: sent at once, or kept until the client
 * fetches them. {@link #close} comes last, however the statement ended.
 */
public sealed interface ClientRows extends RowSink permits MergedRows, KeptRows {

  /** Whether the client has been told the columns: an error can then only end the rows. */
  boolean isStarted();

  /**
   * Forgets all rows, if the client has got nothing of them.
   *
   * @return whether they may begin anew
   */
  boolean takeBack();

  /** How many rows the client gets with this answer. */
  long rowsSent();

  /** The next packet's sequence number. */
  int sequence();

  /**
   * All rows are here.
   *
   * @param status flags of what ends the answer
   */
  void end(int status, int warnings);

  /** Gives back what is not needed any more; call it once. */
  void close();
}
