package io.anabranch.frontend.server;

import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.protocol.frame.FrameRoom;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a client's packets is charged to its account.
 *
 * @param memory the client's
 */
record ClientRoom(SessionMemory memory) implements FrameRoom {

  /** Before it has logged in: room for a handshake. */
  static final long UNCOUNTED_OF_GUEST = 1024;

  /** Afterwards: room for the commands of most clients. */
  static final long UNCOUNTED = 16 * 1024;

  private static final String WHAT = "packets that are not whole yet, or wait";

  @Override
  public @Nullable RuntimeException take(long bytes) {
    return memory.take(MemoryKind.DIRECT, bytes, WHAT);
  }

  @Override
  public void give(long bytes) {
    memory.give(MemoryKind.DIRECT, bytes);
  }
}
