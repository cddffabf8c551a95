package io.anabranch.backend.lease;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What LAST_INSERT_ID() of a connection is, as far as it is known: 0 where it has been opened, what
 * whoever has the connection says later. Told on the event loop or by a thread that has the lease;
 * leases hand over safely.
 */
public final class KnownInsertId {

  private volatile @Nullable Long id = 0L;

  /** Unsigned; null: it is not known. */
  public @Nullable Long get() {
    return id;
  }

  /**
   * @param now unsigned
   */
  public void set(long now) {
    id = now;
  }

  /**
   * The statement that makes it so, which counts as run from here on; none where it is so.
   *
   * @param wanted unsigned
   */
  public List<byte[]> become(long wanted) {
    Long known = id;
    if (known != null && known == wanted) {
      return List.of();
    }
    id = wanted;
    return List.of(assignment(wanted));
  }

  /**
   * @param wanted unsigned
   */
  public static byte[] assignment(long wanted) {
    String text = "SET last_insert_id=" + Long.toUnsignedString(wanted);
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The statement by which the next INSERT gives this key to the first row for which it makes one,
   * as replication does.
   *
   * @param key unsigned
   */
  public static byte[] next(long key) {
    String text = "SET insert_id=" + Long.toUnsignedString(key);
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Something may have changed it: an answer tells a key, generated or not, or an error. */
  public void forget() {
    id = null;
  }
}
