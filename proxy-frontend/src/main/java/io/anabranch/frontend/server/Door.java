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

  /** HikariCP asks connections that have rested for 500 ms; the rest is for the way. */
  private static final long PAUSE_MILLISECONDS = 550;

  private final Ending limits;
  private volatile boolean isOpen = true;
  private volatile Drain drain = Drain.NOBODY;

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

  void drain(Drain whom) {
    drain = whom;
  }

  /** Whether a session with nothing open has been silent for so long that it is sent away now. */
  boolean isQuiet(long idleNanos) {
    long quiet = limits.quietMilliseconds();
    return switch (drain) {
      case NOBODY -> false;
      case WHO_LOOKS -> idleNanos >= TimeUnit.MILLISECONDS.toNanos(quiet);
      case WHO_PAUSES ->
          idleNanos >= TimeUnit.MILLISECONDS.toNanos(Math.min(quiet, PAUSE_MILLISECONDS));
      case WHO_IS_DONE, EVERYBODY -> true;
    };
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
