package io.anabranch.protocol.command;

import java.util.ArrayList;
import java.util.List;

/**
 * The value of a parameter that came ahead of its execution, in the pieces that it came in. One
 * thread.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_send_long_data.html">COM_STMT_SEND_LONG_DATA</a>.
 */
public final class LongValue {

  private final List<byte[]> pieces = new ArrayList<>();
  private int length;

  /**
   * @param piece not modified from now on
   * @throws ArithmeticException beyond 2 GiB
   */
  public void append(byte[] piece) {
    length = Math.addExact(length, piece.length);
    pieces.add(piece);
  }

  /** Bytes of all pieces. */
  public int length() {
    return length;
  }

  /** In their order; not to be modified. */
  List<byte[]> pieces() {
    return pieces;
  }

  /** A copy of all. */
  byte[] joined() {
    var all = new byte[length];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, all, at, piece.length);
      at += piece.length;
    }
    return all;
  }
}
