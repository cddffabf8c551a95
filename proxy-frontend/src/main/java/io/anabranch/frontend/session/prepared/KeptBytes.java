package io.anabranch.frontend.session.prepared;

import io.anabranch.rules.model.ClientProperties;

/**
 * Bytes of long data that a session keeps for its prepared statements until they are executed,
 * reset or closed: all of them are counted here, and nowhere else. On the session's event loop.
 */
public final class KeptBytes {

  private long most = ClientProperties.DEFAULTS.limits().maxAllowedPacket();
  private long bytes;

  KeptBytes() {}

  /**
   * @param bytes of all statements together
   */
  public void atMost(long bytes) {
    most = bytes;
  }

  /** What {@link #atMost} has said: bytes of one command. */
  public long most() {
    return most;
  }

  /** Whether there is room, which then is taken. */
  boolean add(long more) {
    if (more > most - bytes) {
      return false;
    }
    bytes += more;
    return true;
  }

  void remove(long no) {
    bytes -= no;
  }

  /** Bytes that are kept now. */
  public long bytes() {
    return bytes;
  }
}
