package io.anabranch.backend.relay.column;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a client knows of the columns of one of its prepared statements: results whose columns are
 * the same as those of the last execution may come without definitions, to clients that have asked
 * for that. On the session's event loop.
 *
 * <p>See <a
 * href="https://mariadb.com/kb/en/result-set-packets/#resultset-metadata">MARIADB_CLIENT_CACHE_METADATA</a>.
 */
public final class ClientColumns {

  private byte @Nullable [] before;
  private byte @Nullable [] told;

  /** An execution begins. Unless the relay tells its columns, the client knows none behind it. */
  public void begin() {
    before = told;
    told = null;
  }

  /**
   * Whether the client knows these columns, and nothing else has been told since.
   *
   * @param packets of the definitions, their numbers 0
   */
  boolean include(byte[] packets) {
    return Arrays.equals(before, packets);
  }

  /** The client is told, or knows, these. Not modified from now on. */
  void tell(byte[] packets) {
    before = packets;
    told = packets;
  }
}
