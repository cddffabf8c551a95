package io.anabranch.rules.lexer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * What the lexer found in one statement. Mutable and reusable; owned by one session, valid until
 * the next scan into it. Offsets are bytes in {@link #sql()}.
 *
 * <p>A <em>slot</em> is a literal or a parameter marker, numbered from 0 in the order of the text.
 * Two statements with the same normal form (the text without comments and superfluous blanks, each
 * slot replaced by a mark of its kind) share their fingerprint.
 */
public final class Scan {

  /** What stands in a slot. */
  public enum SlotKind {
    /** Digits only; a sign is not part of it. */
    INTEGER(1),
    /** Digits with a point. */
    DECIMAL(2),
    /** With an exponent. */
    FLOAT(3),
    /** Quoted text, delimiters included; adjacent literals are one slot. */
    STRING(4),
    /** {@code 0x..}: a number or a string, as it is used. */
    HEX(5),
    /** {@code 0b..}, likewise. */
    BIT(6),
    /** {@code ?} of a prepared statement. */
    PARAMETER(7),
    /** {@code x'..'}: a string to one server, as {@code 0x..} to another. */
    HEX_STRING(14),
    /** {@code b'..'}. */
    BIT_STRING(15);

    final byte mark;

    SlotKind(int mark) {
      this.mark = (byte) mark;
    }
  }

  static final int LAST_INSERT_ID = 1;
  static final int CALC_FOUND_ROWS = 2;
  static final int INTO = 4;
  static final int GET_LOCK = 8;
  static final int TEMPORARY = 16;
  static final int ASSIGNS = 32;
  static final int FROM = 64;
  static final int OFFSET = 128;
  static final int SEQUENCE = 256;
  static final int RETURNING = 512;
  static final int OWN_SCHEMA = 1024;
  static final int LIMITED = 2048;

  byte[] sql = {};
  int start;
  int end;
  int next = -1;
  long fingerprint;
  long spacing;
  StatementKind kind = StatementKind.EMPTY;
  int slotCount;
  int parameterCount;
  int tokens;
  int[] slotStarts = new int[16];
  int[] slotEnds = new int[16];
  SlotKind[] slotKinds = new SlotKind[16];
  boolean ascii = true;
  boolean executableComment;
  boolean comments;
  int unreadable = -1;
  boolean openQuote;
  boolean userVariable;
  boolean locking;
  int notes;
  int limitSlot = -1;
  int hintStart = -1;
  int hintEnd = -1;
  byte[] normal = new byte[256];
  int normalLength;

  private final ScanRoom room;
  private long taken;

  /** A scan whose arrays nobody counts. */
  public Scan() {
    this(ScanRoom.UNCOUNTED);
  }

  /**
   * A scan that asks before it keeps more than every scan may.
   *
   * @param room what it throws ends the scan
   */
  public Scan(ScanRoom room) {
    this.room = room;
  }

  /**
   * How much room the arrays of a scan need.
   *
   * @param slots literals and markers
   * @param normalLength bytes of the normal form
   */
  public record Size(int slots, int normalLength) {}

  /** A scan of a text of that size, which is not scanned into again: it needs no more room. */
  public static Scan sizedAs(Size size) {
    int slots = Math.max(1, size.slots);
    var scan = new Scan();
    scan.slotStarts = new int[slots];
    scan.slotEnds = new int[slots];
    scan.slotKinds = new SlotKind[slots];
    scan.normal = new byte[Math.max(1, size.normalLength)];
    return scan;
  }

  /** How much room this one needs. */
  public Size size() {
    return new Size(slotCount, normalLength);
  }

  /** The packet's text, which nobody changes; the statement is {@code [start, end)} of it. */
  public byte[] sql() {
    return sql;
  }

  public int start() {
    return start;
  }

  /** Exclusive; the {@code ;} that ends the statement is not part of it. */
  public int end() {
    return end;
  }

  /** Where the next statement of the packet starts, or -1: nothing but blanks follows. */
  public int next() {
    return next;
  }

  /**
   * 64-bit hash of the blanks and comments that names of result columns may have inside, which the
   * normal form does not tell apart; 0 where all are single blanks.
   */
  public long spacing() {
    return spacing;
  }

  /**
   * Mixes what stands between two tokens, {@code sql[from, to)}, into {@link #spacing}: with a
   * number that no client knows, so that none finds two texts of one hash.
   */
  void space(int from, int to) {
    long hash = (spacing + SECRET + normalLength) * 0x9E3779B97F4A7C15L;
    for (int i = from; i < to; i++) {
      hash = (hash ^ sql[i]) * 0xC4CEB9FE1A85EC53L;
      hash ^= hash >>> 32;
    }
    spacing = hash;
  }

  /** Whether it has plain comments. */
  public boolean hasComments() {
    return comments;
  }

  /**
   * Where something starts that servers take for an error, or that not all of them take for the
   * same: a plain comment that has no end, {@code x'…'} with other digits, a no-break space outside
   * of quotes, {@code --} in front of what is a control character in some character sets; -1: there
   * is none, as far as is known. What stands behind a version comment may be text or the inside of
   * a string, as the server has it.
   */
  public int unreadable() {
    return unreadable;
  }

  /**
   * Whether a literal or a quoted name has no end, as far as it is read here: no server runs such a
   * text, and what is put behind it would be another statement.
   */
  public boolean hasOpenQuote() {
    return openQuote;
  }

  /** How many bytes of the text its slots leave: names, blanks, comments. */
  public int lengthWithoutSlots() {
    int length = end - start;
    for (int slot = 0; slot < slotCount; slot++) {
      length -= slotEnds[slot] - slotStarts[slot];
    }
    return length;
  }

  /** 64-bit hash of the normal form. */
  public long fingerprint() {
    return fingerprint;
  }

  public StatementKind kind() {
    return kind;
  }

  public int slotCount() {
    return slotCount;
  }

  /** How many slots are parameter markers. */
  public int parameterCount() {
    return parameterCount;
  }

  public int slotStart(int slot) {
    return slotStarts[slot];
  }

  /** Exclusive. */
  public int slotEnd(int slot) {
    return slotEnds[slot];
  }

  public SlotKind slotKind(int slot) {
    return slotKinds[slot];
  }

  /** Whether the statement has no byte above 127. */
  public boolean isAscii() {
    return ascii;
  }

  /** Whether a {@code /*!} comment with executable text was met. */
  public boolean hasExecutableComment() {
    return executableComment;
  }

  /** Whether {@code @name} (not {@code @@name}) was met outside literals. */
  public boolean hasUserVariable() {
    return userVariable;
  }

  /** Whether FOR UPDATE, FOR SHARE or LOCK IN SHARE MODE may be in it (by keywords alone). */
  public boolean mayLock() {
    return locking;
  }

  /** Whether the word or function LAST_INSERT_ID was met; not in literals and {@code @@} names. */
  public boolean mentionsLastInsertId() {
    return (notes & LAST_INSERT_ID) != 0;
  }

  /** Whether SQL_CALC_FOUND_ROWS was met. */
  public boolean countsFoundRows() {
    return (notes & CALC_FOUND_ROWS) != 0;
  }

  /** Whether the word INTO was met. */
  public boolean mentionsInto() {
    return (notes & INTO) != 0;
  }

  /** Whether the word RETURNING was met. */
  public boolean mentionsReturning() {
    return (notes & RETURNING) != 0;
  }

  /** Whether the name of the proxy's own schema was met, whatever it stands for there. */
  public boolean mentionsOwnSchema() {
    return (notes & OWN_SCHEMA) != 0;
  }

  /** Whether the function GET_LOCK was met. */
  public boolean mentionsGetLock() {
    return (notes & GET_LOCK) != 0;
  }

  /** Whether a word was met that only what draws from sequences, or asks them, has need of. */
  public boolean mentionsSequence() {
    return (notes & SEQUENCE) != 0;
  }

  /** Whether the word TEMPORARY was met. */
  public boolean mentionsTemporary() {
    return (notes & TEMPORARY) != 0;
  }

  /** Whether the word FROM was met: without it nothing is read from a table. */
  public boolean mentionsFrom() {
    return (notes & FROM) != 0;
  }

  /** The slot of the outermost LIMIT that tells how many rows are skipped; -1 if none are. */
  public int offsetSlot() {
    if (limitSlot < 0 || limitSlot + 1 >= slotCount) {
      return -1;
    }
    if ((notes & OFFSET) != 0) {
      return limitSlot + 1;
    }
    for (int i = slotEnds[limitSlot]; i < slotStarts[limitSlot + 1]; i++) {
      if (sql[i] == ',') {
        return limitSlot;
      }
    }
    return -1;
  }

  /**
   * Whether rows are limited by words that {@link #offsetSlot} does not tell of: {@code FETCH
   * FIRST}, {@code OFFSET 2 ROWS}, in parentheses, or behind UNION and its kin.
   */
  public boolean limitsOtherwise() {
    return (notes & LIMITED) != 0;
  }

  /** Whether {@code :=} was met. */
  public boolean assigns() {
    return (notes & ASSIGNS) != 0;
  }

  /** Whether the statement begins with a {@code SHARDINGSPHERE_HINT} comment. */
  public boolean hasHint() {
    return hintStart >= 0;
  }

  /** Where the text behind {@code SHARDINGSPHERE_HINT:} starts; -1 if there is none. */
  public int hintStart() {
    return hintStart;
  }

  /** Exclusive; the end of the comment's text. */
  public int hintEnd() {
    return hintEnd;
  }

  /**
   * Whether {@code other} is the normal form. A hint, where there is one, is a part of it: the same
   * text with another hint is another statement.
   */
  public boolean hasNormalForm(byte[] other) {
    return Arrays.equals(normal, 0, normalLength, other, 0, other.length);
  }

  /** Length of the normal form in bytes. */
  public int normalLength() {
    return normalLength;
  }

  /**
   * A byte of the normal form; a slot is one that tells its kind, below a blank.
   *
   * @param at below {@link #normalLength}
   */
  public byte normal(int at) {
    return normal[at];
  }

  /** A copy of the normal form; each slot is one byte that tells its kind. */
  public byte[] copyNormalForm() {
    return Arrays.copyOf(normal, normalLength);
  }

  /** A copy of its first bytes. */
  public byte[] copyNormalForm(int atMost) {
    return Arrays.copyOf(normal, Math.min(normalLength, atMost));
  }

  /** Prepares for the next statement and lets go of the memory of an unusually large one. */
  void reset(byte[] packet, int from) {
    sql = packet;
    start = from;
    end = from;
    next = -1;
    fingerprint = 0;
    spacing = 0;
    kind = StatementKind.EMPTY;
    slotCount = 0;
    parameterCount = 0;
    tokens = 0;
    ascii = true;
    executableComment = false;
    comments = false;
    unreadable = -1;
    openQuote = false;
    userVariable = false;
    locking = false;
    notes = 0;
    limitSlot = -1;
    hintStart = -1;
    hintEnd = -1;
    normalLength = 0;
    if (normal.length > KEPT_BYTES || slotStarts.length > KEPT_SLOTS) {
      normal = new byte[256];
      slotStarts = new int[16];
      slotEnds = new int[16];
      slotKinds = new SlotKind[16];
    }
    if (taken > 0) {
      room.give(taken);
      taken = 0;
    }
  }

  /** Lets go of the text and of what was found in it. */
  public void letGo() {
    reset(NOTHING, 0);
  }

  /** How many tokens there are, or some more: each byte of an operator counts. */
  public int mostTokens() {
    return tokens;
  }

  private void take(int from, int to, int each) {
    if (to > from && to * (long) each > KEPT_BYTES) {
      room.take((to - from) * (long) each);
      taken += (to - from) * (long) each;
    }
  }

  /** Makes room for so many slots. */
  void haveSlots(int count) {
    if (count > slotStarts.length) {
      take(slotStarts.length, count, SLOT_BYTES);
      slotStarts = new int[count];
      slotEnds = new int[count];
      slotKinds = new SlotKind[count];
    }
  }

  /** Takes a normal form that is known. */
  void normal(byte[] known) {
    if (known.length > normal.length) {
      normal = new byte[known.length];
    }
    System.arraycopy(known, 0, normal, 0, known.length);
    normalLength = known.length;
  }

  void addSlot(int from, int to, SlotKind slotKind) {
    if (slotCount == slotStarts.length) {
      take(slotCount, slotCount * 2, SLOT_BYTES);
      slotStarts = Arrays.copyOf(slotStarts, slotCount * 2);
      slotEnds = Arrays.copyOf(slotEnds, slotCount * 2);
      slotKinds = Arrays.copyOf(slotKinds, slotCount * 2);
    }
    slotStarts[slotCount] = from;
    slotEnds[slotCount] = to;
    slotKinds[slotCount] = slotKind;
    slotCount++;
    if (slotKind == SlotKind.PARAMETER) {
      parameterCount++;
    }
  }

  void append(byte value) {
    if (normalLength == normal.length) {
      take(normalLength, normalLength * 2, 1);
      normal = Arrays.copyOf(normal, normalLength * 2);
    }
    normal[normalLength++] = value;
  }

  void append(int from, int to) {
    int count = to - from;
    int needed = normalLength + count;
    if (needed > normal.length) {
      int length = Math.max(needed, normal.length * 2);
      take(normal.length, length, 1);
      normal = Arrays.copyOf(normal, length);
    }
    if (count > 16) {
      System.arraycopy(sql, from, normal, normalLength, count);
    } else {
      for (int i = from, o = normalLength; i < to; i++) {
        normal[o++] = sql[i];
      }
    }
    normalLength = needed;
  }

  /** Mixes the normal form into 64 bits. */
  void seal() {
    long hash = normalLength * 0x9E3779B97F4A7C15L;
    int i = 0;
    for (; i + 8 <= normalLength; i += 8) {
      hash = (hash ^ (long) LONGS.get(normal, i)) * 0xFF51AFD7ED558CCDL;
      hash ^= hash >>> 32;
    }
    for (; i < normalLength; i++) {
      hash = (hash ^ normal[i]) * 0xC4CEB9FE1A85EC53L;
    }
    hash ^= hash >>> 33;
    fingerprint = hash;
  }

  private static final byte[] NOTHING = {};
  private static final long SECRET = new SecureRandom().nextLong();

  /** Where it starts and ends, and its kind. */
  private static final int SLOT_BYTES = 3 * Integer.BYTES;

  private static final int KEPT_BYTES = 1 << 16;
  private static final int KEPT_SLOTS = 4096;

  /** Eight bytes at once, the first one lowest. */
  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
}
