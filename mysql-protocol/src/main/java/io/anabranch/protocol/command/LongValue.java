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

  /** What a piece takes besides its bytes: the array itself, and its place in the list. */
  public static final int WEIGHT_OF_PIECE = 48;

  private static final List<byte[]> EMPTY = List.of(new byte[0]);

  private final List<byte[]> pieces = new ArrayList<>();
  private int length;

  /**
   * An empty piece makes an empty value, and no other longer.
   *
   * @param piece not modified from now on
   * @throws ArithmeticException beyond 2 GiB
   */
  public void append(byte[] piece) {
    length = Math.addExact(length, piece.length);
    if (piece.length > 0) {
      pieces.add(piece);
    }
  }

  /** Bytes of all pieces. */
  public int length() {
    return length;
  }

  /** In their order, an empty one for an empty value; not to be modified. */
  List<byte[]> pieces() {
    return pieces.isEmpty() ? EMPTY : pieces;
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
