package io.anabranch.frontend.session.prepared;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.relay.command.RelayCursor;
import io.anabranch.frontend.response.KeptRows;

/** Rows of an executed statement that the client fetches in portions. */
public sealed interface OpenCursor {

  /**
   * The rows are in a database.
   *
   * @param lease stays with the session until the cursor is closed
   */
  record InDatabase(Lease lease, RelayCursor cursor) implements OpenCursor {}

  /**
   * The rows have been read from several databases, or over connections that the proxy cannot see.
   */
  record InProxy(KeptRows rows) implements OpenCursor {}
}
