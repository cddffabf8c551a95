package io.anabranch.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The bytes of a fuzzer: first choices, then what is read. Zero where there are no more. */
public final class FuzzInput {

  private final byte[] data;
  private int at;

  public FuzzInput(byte[] data) {
    this.data = data;
  }

  /** 0…{@code count} − 1. */
  public int choice(int count) {
    return at < data.length ? Byte.toUnsignedInt(data[at++]) % count : 0;
  }

  public boolean flag() {
    return choice(2) == 1;
  }

  /** At most so many bytes. */
  public byte[] take(int count) {
    int length = Math.min(count, data.length - at);
    byte[] taken = new byte[length];
    System.arraycopy(data, at, taken, 0, length);
    at += length;
    return taken;
  }

  /** All that is left. */
  public byte[] rest() {
    return take(data.length - at);
  }

  public boolean isEmpty() {
    return at >= data.length;
  }

  /**
   * The same bytes in pieces.
   *
   * @param how 0: one piece; 1: single bytes; others: lengths that follow from it
   */
  public static List<byte[]> pieces(byte[] bytes, int how) {
    var random = new Random(how);
    var pieces = new ArrayList<byte[]>();
    for (int from = 0; from < bytes.length; ) {
      int length =
          switch (how) {
            case 0 -> bytes.length;
            case 1 -> 1;
            default -> Math.min(bytes.length - from, 1 + random.nextInt(1 << random.nextInt(8)));
          };
      byte[] piece = new byte[length];
      System.arraycopy(bytes, from, piece, 0, length);
      pieces.add(piece);
      from += length;
    }
    return pieces;
  }
}
