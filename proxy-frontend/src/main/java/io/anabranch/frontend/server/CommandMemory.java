package io.anabranch.frontend.server;

import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.rules.error.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * What the command that runs keeps of its packet: the text for the lexer and the one for the
 * databases, and the packets to them. Short commands are not counted. On the client's event loop.
 */
final class CommandMemory {

  private static final int SHORT = 64 * 1024;

  /** The text, and what becomes of it. */
  private static final int TEXTS = 2;

  private final MemoryCharge texts;
  private final MemoryCharge packets;

  CommandMemory(SessionMemory session) {
    texts = session.charge(MemoryKind.HEAP, "the text of the statement");
    packets = session.charge(MemoryKind.DIRECT, "the packets of the statement");
  }

  /**
   * A command begins.
   *
   * @param length of its packet
   * @return why it cannot; null: it can
   */
  @Nullable RefusedException begin(int length) {
    if (length <= SHORT) {
      return null;
    }
    try {
      texts.grow((long) TEXTS * length);
      packets.grow(length);
      return null;
    } catch (RefusedException refusal) {
      end();
      return refusal;
    }
  }

  /** It has been answered. */
  void end() {
    texts.close();
    packets.close();
  }
}
