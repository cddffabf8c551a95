package io.anabranch.frontend.session.prepared;

import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.protocol.command.LongValue;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values of parameters that came ahead of an execution, in pieces: COM_STMT_SEND_LONG_DATA. On the
 * session's event loop.
 */
public final class LongData {

  private final @Nullable LongValue[] values;
  private final KeptBytes kept;
  private long bytes;
  private final MemoryCharge charge;
  private @Nullable RuntimeException refusal;
  private boolean tooLong;

  /**
   * @param parameters how many the statement has
   * @param kept what the session keeps
   * @param charge of the session, for nothing else
   */
  LongData(int parameters, KeptBytes kept, MemoryCharge charge) {
    this.charge = charge;
    values = new LongValue[parameters];
    this.kept = kept;
  }

  void append(int parameter, byte[] piece) {
    if (parameter < 0 || parameter >= values.length) {
      spoil(ErrorCatalogue.WRONG_ARGUMENTS.refuse("mysqld_stmt_send_long_data"));
    }
    if (tooLong || refusal != null) {
      return;
    }
    if (!kept.add(piece.length)) {
      tooLong = true;
      release();
      Arrays.fill(values, null);
      return;
    }
    bytes += piece.length;
    try {
      charge.grow(piece.length == 0 ? 0 : piece.length + LongValue.WEIGHT_OF_PIECE);
    } catch (RefusedException noRoom) {
      spoil(noRoom);
      return;
    }
    LongValue value = values[parameter];
    if (value == null) {
      value = new LongValue();
      values[parameter] = value;
    }
    value.append(piece);
  }

  /** They are not kept any more. */
  public void release() {
    kept.remove(bytes);
    bytes = 0;
    charge.close();
  }

  /**
   * The statement cannot be executed with these values, of which nothing is kept any more.
   *
   * @param why what its execution is told
   */
  void spoil(RuntimeException why) {
    if (refusal == null) {
      refusal = why;
    }
    release();
    Arrays.fill(values, null);
  }

  /** Why the statement cannot be executed with them; null: it can. */
  public @Nullable RuntimeException refusal() {
    return refusal;
  }

  /** Whether they are more than a session may keep: the statement waits for COM_STMT_RESET. */
  public boolean isTooLong() {
    return tooLong;
  }

  /** By parameter; null where none came. */
  public @Nullable LongValue[] values() {
    return values;
  }
}
