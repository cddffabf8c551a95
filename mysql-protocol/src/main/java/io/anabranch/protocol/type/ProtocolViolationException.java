package io.anabranch.protocol.type;

/**
 * The peer sent bytes that the protocol does not allow. Whoever reads the connection answers with
 * the error, if it can, and closes it.
 */
public final class ProtocolViolationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** ER_MALFORMED_PACKET. */
  public static final int MALFORMED = 1835;

  /** ER_NET_PACKETS_OUT_OF_ORDER. */
  public static final int OUT_OF_ORDER = 1156;

  /** ER_NET_PACKET_TOO_LARGE. */
  public static final int TOO_LARGE = 1153;

  /** ER_NET_UNCOMPRESS_ERROR. */
  public static final int NOT_COMPRESSED = 1157;

  private final int errno;

  private ProtocolViolationException(int errno, String message) {
    super(message, null, false, false);
    this.errno = errno;
  }

  public static ProtocolViolationException malformed(String what) {
    return new ProtocolViolationException(MALFORMED, "Malformed communication packet: " + what);
  }

  public static ProtocolViolationException outOfOrder(int expected, int actual) {
    return new ProtocolViolationException(
        OUT_OF_ORDER,
        "Got packets out of order: expected sequence number " + expected + ", got " + actual);
  }

  public static ProtocolViolationException tooLarge() {
    return new ProtocolViolationException(
        TOO_LARGE, "Got a packet bigger than 'max_allowed_packet' bytes");
  }

  public static ProtocolViolationException notCompressed() {
    return new ProtocolViolationException(
        NOT_COMPRESSED, "Couldn't uncompress communication packet");
  }

  /** MySQL's error number for the ERR packet. */
  public int errno() {
    return errno;
  }

  /** SQLSTATE for the ERR packet: 08S01 for the connection's errors, HY000 for a bad packet. */
  public String sqlState() {
    return errno == MALFORMED ? "HY000" : "08S01";
  }
}
