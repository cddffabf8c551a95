package io.anabranch.app.faults;

/** What a network does to a packet, and to all that comes behind it on that connection. */
public enum Fault {
  /** It comes a third of a second later. */
  DELAY(true),
  /** It comes byte by byte, the first twenty with a twentieth of a second between them. */
  THROTTLE(true),
  /** Both ends read the end of the stream instead. */
  CLOSE(false),
  /** Both ends are reset. */
  RESET(false),
  /** Its reader reads the end of the stream; the other direction lives on. */
  HALF_CLOSE(false),
  /** Nothing comes any more, in either direction, and nobody is told. */
  BLACK_HOLE(false),
  /** Half of it comes, then both ends are reset. */
  CUT_WITHIN(false),
  /** Its number is another one. */
  WRONG_NUMBER(false),
  /** Its length is told 64 KiB too large. */
  WRONG_LENGTH(false);

  /** Whether all bytes arrive in the end, so that nothing but the right answer will do. */
  final boolean isHarmless;

  /** Whether it needs no packet. */
  boolean strikesIdle() {
    return switch (this) {
      case CLOSE, RESET, HALF_CLOSE, BLACK_HOLE -> true;
      default -> false;
    };
  }

  Fault(boolean isHarmless) {
    this.isHarmless = isHarmless;
  }
}
