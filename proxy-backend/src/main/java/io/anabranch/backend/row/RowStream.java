package io.anabranch.backend.row;

import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows, one after the other, as payloads of the protocol that was asked for. Used by one thread.
 */
public interface RowStream extends AutoCloseable {

  /** The same for all rows, hidden columns included; known before the first row. */
  List<ResultColumn> columns();

  /**
   * The next row; null at the end, and again after the end. The array belongs to the caller.
   *
   * @throws RuntimeException what its sources throw
   */
  byte @Nullable [] next();

  /** Ends it and its sources, whether they are at their end or not. Safe to call twice. */
  @Override
  void close();
}
