package io.anabranch.frontend.session;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values of parameters that came ahead of an execution, in pieces: COM_STMT_SEND_LONG_DATA. On the
 * session's event loop.
 */
public final class LongData {

  private final byte[] @Nullable [] bytes;
  private final int[] lengths;
  private boolean spoilt;

  /**
   * @param parameters how many the statement has
   */
  LongData(int parameters) {
    bytes = new byte[parameters][];
    lengths = new int[parameters];
  }

  /** Room doubles, so that a value costs the same however small its pieces are. */
  void append(int parameter, byte[] piece) {
    if (parameter < 0 || parameter >= lengths.length) {
      spoilt = true;
      return;
    }
    byte[] before = bytes[parameter];
    int length = lengths[parameter];
    int needed = Math.addExact(length, piece.length);
    if (before == null) {
      bytes[parameter] = piece;
    } else {
      if (needed > before.length) {
        int doubled = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * needed);
        before = Arrays.copyOf(before, Math.max(needed, doubled));
        bytes[parameter] = before;
      }
      System.arraycopy(piece, 0, before, length, piece.length);
    }
    lengths[parameter] = needed;
  }

  /** Whether a piece was for no parameter of the statement: it cannot be executed. */
  public boolean isSpoilt() {
    return spoilt;
  }

  /** By parameter; null where none came. */
  public byte[] @Nullable [] values() {
    byte[] @Nullable [] values = new byte[lengths.length][];
    for (int i = 0; i < lengths.length; i++) {
      byte[] all = bytes[i];
      values[i] = all == null || all.length == lengths[i] ? all : Arrays.copyOf(all, lengths[i]);
    }
    return values;
  }
}
