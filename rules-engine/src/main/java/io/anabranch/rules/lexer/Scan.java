package io.anabranch.rules.lexer;

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
    INTEGER,
    /** Digits with a point. */
    DECIMAL,
    /** With an exponent. */
    FLOAT,
    /** Quoted text, delimiters included; adjacent literals are one slot. */
    STRING,
    /** {@code x'..'}, {@code 0x..}. */
    HEX,
    /** {@code b'..'}, {@code 0b..}. */
    BIT,
    /** {@code ?} of a prepared statement. */
    PARAMETER
  }

  byte[] sql = {};
  int start;
  int end;
  int next = -1;
  long fingerprint;
  StatementKind kind = StatementKind.EMPTY;
  int slotCount;
  int parameterCount;
  int[] slotStarts = new int[16];
  int[] slotEnds = new int[16];
  byte[] slotKinds = new byte[16];
  boolean ascii = true;
  boolean executableComment;
  boolean userVariable;
  boolean locking;
  byte[] normal = new byte[256];
  int normalLength;

  /** The packet's text; the statement is {@code [start, end)} of it. */
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
    return SLOT_KINDS[slotKinds[slot]];
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

  private static final SlotKind[] SLOT_KINDS = SlotKind.values();
}
