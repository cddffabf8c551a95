package io.anabranch.frontend.server;

import io.anabranch.protocol.frame.Frame;
import io.anabranch.rules.model.ProxyProperties.Ending;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Whether clients may come, and which of them are sent away. Thread-safe. */
final class Door {

  private static final int COM_PING = 0x0e;
  private static final int COM_QUERY = 0x03;

  /** With what pools ask that know no COM_PING: in lower case. */
  private static final byte[] QUESTION = "select 1".getBytes(StandardCharsets.US_ASCII);

  private final Ending limits;
  private volatile boolean isOpen = true;
  private volatile Drain drain = Drain.NOBODY;
  private volatile long quietNanos;

  Door(Ending limits) {
    this.limits = limits;
  }

  /** Whether clients may come. */
  boolean isOpen() {
    return isOpen;
  }

  /** Nobody is let in from now on. */
  void close() {
    isOpen = false;
  }

  /** Who is sent away now. */
  Drain drain() {
    return drain;
  }

  /**
   * @param mostQuiet milliseconds of silence with which a session with nothing open goes, if the
   *     settings do not name fewer
   */
  void drain(Drain whom, long mostQuiet) {
    quietNanos = TimeUnit.MILLISECONDS.toNanos(Math.min(mostQuiet, limits.quietMilliseconds()));
    drain = whom;
  }

  /** Whether a session with nothing open has been silent for so long that it is sent away now. */
  boolean isQuiet(long idleNanos) {
    return switch (drain) {
      case NOBODY -> false;
      case WHO_RESTS, WHO_IS_DONE -> idleNanos >= quietNanos;
      case EVERYBODY -> true;
    };
  }

  /** Whether a session with nothing open goes together with an answer. */
  boolean isPastAnswers() {
    return drain == Drain.WHO_IS_DONE || drain == Drain.EVERYBODY;
  }

  /** Whether a transaction has been silent for so long that it is rolled back. */
  boolean isForgotten(long idleNanos) {
    return idleNanos >= TimeUnit.MILLISECONDS.toNanos(limits.idleTransactionMilliseconds());
  }

  /**
   * Whether a command asks for nothing but whether the connection is alive: who asks takes another
   * one if it is not.
   */
  static boolean isLook(Frame command) {
    ByteBuf payload = command.payload();
    int start = payload.readerIndex();
    return switch (payload.isReadable() ? payload.getByte(start) : 0) {
      case COM_PING -> true;
      case COM_QUERY -> isQuestion(payload, start + 1);
      default -> false;
    };
  }

  private static boolean isQuestion(ByteBuf payload, int start) {
    if (payload.writerIndex() - start != QUESTION.length) {
      return false;
    }
    for (int i = 0; i < QUESTION.length; i++) {
      // 0x20 makes a letter small and changes neither a blank nor a digit
      if ((payload.getByte(start + i) | 0x20) != QUESTION[i]) {
        return false;
      }
    }
    return true;
  }
}
