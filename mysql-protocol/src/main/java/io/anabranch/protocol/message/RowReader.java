package io.anabranch.protocol.message;

/**
 * Finds the cells of a row within its payload, copying nothing. Reused from row to row; one reader
 * is used by one thread at a time.
 */
public sealed interface RowReader permits TextRowReader, BinaryRowReader {

  /**
   * Points at another row.
   *
   * @param payload kept until the next call, not modified
   * @throws io.anabranch.protocol.type.ProtocolViolationException if it is not a row of these
   *     columns
   */
  void read(byte[] payload);

  int columns();

  /** The payload read last. */
  byte[] payload();

  boolean isNull(int column);

  /**
   * Where the cell's value starts, its length prefix excluded (text, strings in binary rows, and
   * binary dates and times). 0 for NULL.
   */
  int offset(int column);

  /** Bytes of the value without prefix; 0 for NULL. */
  int length(int column);

  /** Where the cell starts, prefix included: what another row of the same protocol may copy. */
  int cellStart(int column);

  /** After the cell; {@code cellStart} for cells that take no bytes. */
  int cellEnd(int column);
}
