package io.anabranch.backend.pool;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a data source can be reached, as the last attempt to open a connection found; one for
 * both flavours. Logs when that changes. Thread-safe.
 */
final class Reach {

  private static final Logger LOG = LoggerFactory.getLogger(Reach.class);

  /** A database that refused just now is not asked again for so long. */
  private static final long JUST_NOW_NANOS = 250_000_000;

  /** Of the driver, where an account of caching_sha2_password logs in without TLS. */
  private static final String NO_PUBLIC_KEY = "RSA public key is not available client side";

  private static final String CURE =
      ": the account uses caching_sha2_password and the connection has no TLS; add"
          + " allowPublicKeyRetrieval=true to the data source's url in its database-*.yaml, or TLS"
          + " (sslMode=verify-full), or serverRsaPublicKeyFile";

  private record Failure(SQLException reason, long nanos) {}

  private final String place;
  private @Nullable Failure last;
  private volatile @Nullable SQLException down;

  /**
   * @param place what the log calls it: logical database, data source, host and port
   */
  Reach(String place) {
    this.place = place;
  }

  synchronized void opened() {
    if (last != null) {
      last = null;
      LOG.info("data source {} can be reached again", place);
    }
  }

  synchronized void failed(SQLException reason) {
    if (last == null) {
      LOG.warn(
          "data source {} cannot be reached: {}; statements that need it fail until it is back",
          place,
          said(reason));
    }
    last = new Failure(reason, System.nanoTime());
  }

  /** What the driver says, and the way out where its words do not name it. */
  static String said(SQLException reason) {
    String message = String.valueOf(reason.getMessage());
    return message.contains(NO_PUBLIC_KEY) ? message + CURE : message;
  }

  /** Why the last attempt failed; null after one that succeeded, or none. */
  synchronized @Nullable SQLException failure() {
    return last == null ? null : last.reason;
  }

  /**
   * What the watch over its health found: nobody tries to open a connection while it is down.
   *
   * @param reason null: it is up again
   */
  void down(@Nullable String reason) {
    down = reason == null ? null : new SQLException(reason);
  }

  /** Why it is down; null if it is not, as far as is known. */
  @Nullable SQLException down() {
    return down;
  }

  synchronized boolean hasJustFailed() {
    return last != null && System.nanoTime() - last.nanos < JUST_NOW_NANOS;
  }

  @Override
  public String toString() {
    return place;
  }
}
