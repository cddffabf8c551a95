package io.anabranch.rules.lexer;

import io.anabranch.rules.lexer.Scan.SlotKind;
import java.util.Arrays;

/**
 * A statement's text with its literals left out, and what the lexer found in it. Another text of
 * the same bytes between literals of the same kinds has the same tokens: the lexer's state depends
 * on nothing else. Immutable.
 *
 * <p>Only whole numbers and strings in single quotes are left out, and a text is read only where
 * its strings are plain: ASCII, neither a backslash nor a doubled quote.
 */
final class TextShape {

  private static final long ONES = 0x0101010101010101L;
  private static final long TOPS = 0x8080808080808080L;
  private static final long QUOTES = '\'' * ONES;
  private static final long BACKSLASHES = '\\' * ONES;

  private final LexerMode mode;
  private final byte[] text;

  /** Where the bytes in front of each slot start, then those behind the last one. */
  private final int[] starts;

  private final int[] ends;
  private final long tailOfFirst;

  private final StatementKind kind;
  private final long fingerprint;
  private final long spacing;
  private final byte[] normal;
  private final SlotKind[] slots;
  private final boolean userVariable;
  private final boolean locking;
  private final int notes;
  private final int limitSlot;
  private final int tokens;

  /**
   * @param scan one that {@link TextShapes} may learn: the first slot is at least 8 bytes behind
   *     the start
   */
  TextShape(Scan scan, LexerMode mode) {
    this.mode = mode;
    text = Arrays.copyOfRange(scan.sql, scan.start, scan.end);
    int count = scan.slotCount;
    starts = new int[count + 1];
    ends = new int[count + 1];
    for (int i = 0; i < count; i++) {
      ends[i] = scan.slotStarts[i] - scan.start;
      starts[i + 1] = scan.slotEnds[i] - scan.start;
    }
    ends[count] = text.length;
    tailOfFirst = (long) Scan.LONGS.get(text, ends[0] - Long.BYTES);
    kind = scan.kind;
    fingerprint = scan.fingerprint;
    spacing = scan.spacing;
    normal = scan.copyNormalForm();
    slots = Arrays.copyOf(scan.slotKinds, count);
    userVariable = scan.userVariable;
    locking = scan.locking;
    notes = scan.notes;
    limitSlot = scan.limitSlot;
    tokens = scan.tokens;
  }

  /** Whether this is the shape of that text. */
  boolean isOf(Scan scan, LexerMode otherMode) {
    if (scan.fingerprint != fingerprint
        || scan.slotCount != slots.length
        || !mode.equals(otherMode)) {
      return false;
    }
    int from = scan.start;
    for (int i = 0; i <= slots.length; i++) {
      int to = i < slots.length ? scan.slotStarts[i] : scan.end;
      if (!Arrays.equals(text, starts[i], ends[i], scan.sql, from, to)) {
        return false;
      }
      from = i < slots.length ? scan.slotEnds[i] : to;
    }
    return true;
  }

  /**
   * Reads a text of this shape.
   *
   * @param into undefined where it is none
   * @return whether it is one
   */
  boolean read(byte[] sql, int from, int to, LexerMode otherMode, Scan into) {
    int first = ends[0];
    if (first > to - from
        || (long) Scan.LONGS.get(sql, from + first - Long.BYTES) != tailOfFirst
        || !mode.equals(otherMode)) {
      return false;
    }
    into.reset(sql, from);
    int count = slots.length;
    into.haveSlots(count);
    int p = from;
    for (int i = 0; i < count; i++) {
      int start = behind(i, sql, p, to);
      int end = start < 0 ? -1 : endOfLiteral(slots[i], sql, start, to);
      if (end < 0) {
        return false;
      }
      into.slotStarts[i] = start;
      into.slotEnds[i] = end;
      into.slotKinds[i] = slots[i];
      p = end;
    }
    if (behind(count, sql, p, to) != to) {
      return false;
    }
    describe(into, to);
    return true;
  }

  private void describe(Scan into, int to) {
    into.end = to;
    into.slotCount = slots.length;
    into.kind = kind;
    into.fingerprint = fingerprint;
    into.spacing = spacing;
    into.userVariable = userVariable;
    into.locking = locking;
    into.notes = notes;
    into.limitSlot = limitSlot;
    into.tokens = tokens;
    into.normal(normal);
  }

  /** Behind the bytes in front of a slot, which have to be at {@code p}; -1 where they are not. */
  private int behind(int slot, byte[] sql, int p, int to) {
    int behind = p + ends[slot] - starts[slot];
    return behind <= to && Arrays.equals(text, starts[slot], ends[slot], sql, p, behind)
        ? behind
        : -1;
  }

  private static int endOfLiteral(SlotKind kind, byte[] sql, int from, int to) {
    return kind == SlotKind.INTEGER ? endOfDigits(sql, from, to) : endOfString(sql, from, to);
  }

  private static int endOfDigits(byte[] sql, int from, int to) {
    int p = from;
    while (p < to && ByteClass.isDigit(sql[p])) {
      p++;
    }
    return p > from ? p : -1;
  }

  private static int endOfString(byte[] sql, int from, int to) {
    if (from >= to || sql[from] != '\'') {
      return -1;
    }
    int p = from + 1;
    long stop = 0;
    while (p + Long.BYTES <= to && stop == 0) {
      stop = stops((long) Scan.LONGS.get(sql, p));
      p += stop == 0 ? Long.BYTES : Long.numberOfTrailingZeros(stop) >>> 3;
    }
    while (p < to && sql[p] >= 0 && sql[p] != '\\' && sql[p] != '\'') {
      p++;
    }
    boolean closed = p < to && sql[p] == '\'';
    boolean doubled = p + 1 < to && sql[p + 1] == '\'';
    return closed && !doubled ? p + 1 : -1;
  }

  /** The top bit of each byte that is a quote, a backslash or above 127; the lowest is right. */
  private static long stops(long bytes) {
    long quote = bytes ^ QUOTES;
    long backslash = bytes ^ BACKSLASHES;
    long zeros = ((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash);
    return (zeros | bytes) & TOPS;
  }
}
