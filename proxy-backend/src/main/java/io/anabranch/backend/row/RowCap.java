package io.anabranch.backend.row;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * How many rows of a result a client may get.
 *
 * @param rows at most; {@link Long#MAX_VALUE}: any number
 * @param rule that says so
 * @param bytes of rows at most, without what frames them; {@link Long#MAX_VALUE}: any number
 * @param bytesRule that says so
 */
public record RowCap(long rows, String rule, long bytes, String bytesRule) {

  /** Counts the rows of one result. For one thread at a time. */
  public Counting counting() {
    return new Counting(this);
  }

  /** The rows of one result, on their way to the client. */
  public static final class Counting {

    private final RowCap cap;
    private long rows;
    private long bytes;
    private @Nullable RefusedException refusal;

    private Counting(RowCap cap) {
      this.cap = cap;
    }

    /**
     * One more row.
     *
     * @return false: it is too much, as are all behind it
     */
    public boolean takes(int length) {
      rows++;
      bytes += length;
      if (refusal == null && rows > cap.rows) {
        refusal = ErrorCatalogue.RULE_ROWS.refuse(cap.rule, cap.rows);
      } else if (refusal == null && bytes > cap.bytes) {
        refusal = ErrorCatalogue.RULE_BYTES.refuse(cap.bytesRule, cap.bytes);
      }
      return refusal == null;
    }

    /** The row goes on for so many bytes. */
    public void goesOn(int length) {
      bytes += length;
    }

    /** What the client is told; null: nothing was too much. */
    public @Nullable RefusedException refusal() {
      return refusal;
    }
  }
}
