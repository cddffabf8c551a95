package io.anabranch.protocol.frame;

import org.jspecify.annotations.Nullable;

/** How much room one holder of bytes has taken, by how much it keeps. On its event loop. */
public final class RoomTaken {

  private FrameRoom room;
  private long uncounted;
  private long taken;

  /**
   * @param uncounted bytes: whoever keeps no more takes no room
   */
  public RoomTaken(FrameRoom room, long uncounted) {
    this.room = room;
    this.uncounted = uncounted;
  }

  /** Another room from here on; what is kept is taken there with the next {@link #keeps}. */
  public void in(FrameRoom other, long uncountedThere) {
    keeps(0);
    room = other;
    uncounted = uncountedThere;
  }

  /**
   * So much is kept now.
   *
   * @return why that is too much: nothing more is taken then; null: it is taken
   */
  public @Nullable RuntimeException keeps(long bytes) {
    long wanted = bytes <= uncounted ? 0 : bytes;
    if (wanted > taken) {
      RuntimeException refusal = room.take(wanted - taken);
      if (refusal != null) {
        return refusal;
      }
    } else if (wanted < taken) {
      room.give(taken - wanted);
    }
    taken = wanted;
    return null;
  }
}
