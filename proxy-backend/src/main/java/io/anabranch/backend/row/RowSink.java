package io.anabranch.backend.row;

import io.anabranch.rules.plan.ResultColumn;
import java.util.List;

/**
 * Where the merge lane puts a result: the client's side of a session. Called by one virtual thread;
 * blocks while the client is not writable.
 */
public interface RowSink {

  /** Once, before the first row. */
  void columns(List<ResultColumn> columns);

  /**
   * @param payload a row in the protocol that was asked for (text, or binary with its leading
   *     zero); not kept after the call
   * @throws RuntimeException if the client is gone: the merge cancels its sources
   */
  void row(byte[] payload);
}
