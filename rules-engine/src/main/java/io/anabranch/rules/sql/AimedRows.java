package io.anabranch.rules.sql;

import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import java.util.Arrays;

/**
 * Pieces of text that are rendered one by one, as {@link AimedText} is, in a few arrays: of a
 * million rows little more is kept than their bytes. Immutable once it is filled.
 */
public final class AimedRows {

  /** Where a piece ends, in the place of a slot. */
  private static final int END = -1;

  private final int mostBytes;
  private final int mostRuns;

  private byte[] bytes = {};
  private int length;

  /** Behind each run of bytes, and what comes there: a slot, or {@link #END}. */
  private int[] ends = {};

  private int[] slots = {};
  private int runs;
  private int[] parameters = {};
  private int parameterCount;

  /** Of each piece its first run, and its first parameter. */
  private final int[] firstRuns;

  private final int[] firstParameters;
  private int count;

  /**
   * No pieces yet.
   *
   * @param pieces how many there will be; mostly alike, so that the first one says what all take
   * @param mostBytes that all of them have, about
   * @param mostSlots that all of them have, about
   */
  public AimedRows(int pieces, int mostBytes, int mostSlots) {
    this.mostBytes = mostBytes;
    this.mostRuns = pieces + mostSlots;
    firstRuns = new int[pieces];
    firstParameters = new int[pieces];
  }

  /** One piece more; its data source does not matter. */
  void add(byte[][] pieceRuns, int[] pieceSlots, int[] pieceParameters) {
    if (count == 0) {
      int all = firstRuns.length;
      int bytesOfOne = Arrays.stream(pieceRuns).mapToInt(run -> run.length).sum();
      bytes = new byte[(int) Math.min(mostBytes, (long) all * bytesOfOne)];
      ends = new int[(int) Math.min(mostRuns, (long) all * pieceRuns.length)];
      slots = new int[ends.length];
      parameters = new int[(int) Math.min(mostRuns, (long) all * pieceParameters.length)];
    }
    firstRuns[count] = runs;
    firstParameters[count++] = parameterCount;
    for (int i = 0; i < pieceRuns.length; i++) {
      add(pieceRuns[i], i < pieceSlots.length ? pieceSlots[i] : END);
    }
    int more = parameterCount + pieceParameters.length;
    if (more > parameters.length) {
      parameters = Arrays.copyOf(parameters, Math.max(more, 2 * parameters.length));
    }
    System.arraycopy(pieceParameters, 0, parameters, parameterCount, pieceParameters.length);
    parameterCount = more;
  }

  private void add(byte[] run, int slot) {
    if (length + run.length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + run.length, 2 * bytes.length));
    }
    System.arraycopy(run, 0, bytes, length, run.length);
    length += run.length;
    if (runs == ends.length) {
      ends = Arrays.copyOf(ends, 2 * runs + 1);
      slots = Arrays.copyOf(slots, 2 * runs + 1);
    }
    ends[runs] = length;
    slots[runs++] = slot;
  }

  public int size() {
    return count;
  }

  /** Bytes of a piece for these values. */
  public int length(int piece, SlotValues values) {
    int run = firstRuns[piece];
    int sum = -start(run);
    while (slots[run] != END) {
      sum += values.length(slots[run++]);
    }
    return sum + ends[run];
  }

  private int start(int run) {
    return run == 0 ? 0 : ends[run - 1];
  }

  /** How many of the client's parameters a piece has. */
  public int parameters(int piece) {
    int next = piece + 1 < count ? firstParameters[piece + 1] : parameterCount;
    return next - firstParameters[piece];
  }

  /** Writes the indexes of a piece's parameters, in the order of its text. */
  public void parameters(int piece, int[] into, int at) {
    System.arraycopy(parameters, firstParameters[piece], into, at, parameters(piece));
  }

  /** Appends a piece for these values. */
  public void appendTo(int piece, SqlBuffer out, SlotValues values) {
    int run = firstRuns[piece];
    while (true) {
      int start = start(run);
      out.append(bytes, start, ends[run] - start);
      if (slots[run] == END) {
        return;
      }
      values.appendTo(slots[run++], out);
    }
  }
}
