package io.anabranch.rules.lexer;

import io.anabranch.rules.lexer.Scan.SlotKind;
import org.jspecify.annotations.Nullable;

/**
 * Texts that come again and again with other literals, so that most of them need not go through
 * {@link SqlScanner}. What is read here is exactly what the scanner would have found.
 *
 * <p>Found by a text's first 24 bytes, or 16 where a literal stands before; there may be eight
 * shapes that begin alike. Learned when a fingerprint is met again. Thread-safe without locks: a
 * shape is immutable, and one that is lost to a race is learned once more.
 */
public final class TextShapes {

  private static final int SETS = 512;
  private static final int WAYS = 8;
  private static final int SHORT_HEAD = 16;
  private static final int LONG_HEAD = 24;
  private static final int LONGEST = 4096;
  private static final int MOST_SLOTS = 64;

  private final @Nullable TextShape[] shapes = new @Nullable TextShape[SETS * WAYS];
  private final long[] met = new long[SETS];

  /**
   * Reads the statement that is all of {@code packet[from, to)}, if its shape is known.
   *
   * @param into overwritten, also where the shape is not known
   * @return whether it was
   */
  public boolean read(byte[] packet, int from, int to, LexerMode mode, Scan into) {
    int length = to - from;
    return (length >= LONG_HEAD && read(LONG_HEAD, packet, from, to, mode, into))
        || (length >= SHORT_HEAD && read(SHORT_HEAD, packet, from, to, mode, into));
  }

  private boolean read(int head, byte[] packet, int from, int to, LexerMode mode, Scan into) {
    int set = set(head, packet, from);
    for (int i = set; i < set + WAYS; i++) {
      TextShape shape = shapes[i];
      if (shape == null) {
        return false;
      }
      if (shape.read(packet, from, to, mode, into)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Notes a statement that {@link SqlScanner} has read.
   *
   * @param to where the text ended that the scanner was given
   */
  public void learn(Scan scan, int to, LexerMode mode) {
    int head = (scan.slotCount == 0 ? scan.end : scan.slotStarts[0]) - scan.start;
    if (head < SHORT_HEAD || scan.end != to || !isPlain(scan) || isNew(scan.fingerprint)) {
      return;
    }
    int set = set(head < LONG_HEAD ? SHORT_HEAD : LONG_HEAD, scan.sql, scan.start);
    int way = set + (int) (scan.fingerprint >>> 61);
    for (int i = set; i < set + WAYS; i++) {
      TextShape shape = shapes[i];
      if (shape == null) {
        way = i;
        break;
      }
      if (shape.isOf(scan, mode)) {
        return;
      }
    }
    shapes[way] = new TextShape(scan, mode);
  }

  /** Whether it is the first time, as far as is remembered. */
  private boolean isNew(long fingerprint) {
    int place = (int) fingerprint & (SETS - 1);
    if (met[place] == fingerprint) {
      return false;
    }
    met[place] = fingerprint;
    return true;
  }

  private static int set(int head, byte[] sql, int from) {
    long hash = (long) Scan.LONGS.get(sql, from) * 0x9E3779B97F4A7C15L;
    hash = (hash ^ (long) Scan.LONGS.get(sql, from + 8)) * 0xFF51AFD7ED558CCDL;
    if (head == LONG_HEAD) {
      hash = (hash ^ (hash >>> 32) ^ (long) Scan.LONGS.get(sql, from + 16)) * 0xC4CEB9FE1A85EC53L;
    }
    return (int) (hash >>> 55) * WAYS;
  }

  private static boolean isPlain(Scan scan) {
    return scan.ascii
        && scan.next < 0
        && !scan.executableComment
        && !scan.hasHint()
        && scan.slotCount <= MOST_SLOTS
        && scan.end - scan.start <= LONGEST
        && slotsArePlain(scan)
        && !hasComment(scan);
  }

  private static boolean slotsArePlain(Scan scan) {
    for (int i = 0; i < scan.slotCount; i++) {
      boolean plain =
          scan.slotKinds[i] == SlotKind.INTEGER
              || (scan.slotKinds[i] == SlotKind.STRING && scan.sql[scan.slotStarts[i]] == '\'');
      if (!plain) {
        return false;
      }
    }
    return true;
  }

  /** A comment often differs from one text to the next: each would be a shape of its own. */
  private static boolean hasComment(Scan scan) {
    int from = scan.start;
    for (int i = 0; i < scan.slotCount; i++) {
      if (hasComment(scan.sql, from, scan.slotStarts[i])) {
        return true;
      }
      from = scan.slotEnds[i];
    }
    return hasComment(scan.sql, from, scan.end);
  }

  private static boolean hasComment(byte[] sql, int from, int to) {
    for (int p = from; p < to; p++) {
      if (sql[p] == '#'
          || (sql[p] == '/' && p + 1 < to && sql[p + 1] == '*')
          || (sql[p] == '-' && p + 1 < to && sql[p + 1] == '-')) {
        return true;
      }
    }
    return false;
  }
}
