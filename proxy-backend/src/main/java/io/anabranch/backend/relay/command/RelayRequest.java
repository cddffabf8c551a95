package io.anabranch.backend.relay.command;

import io.anabranch.backend.row.RowCap;
import io.anabranch.rules.plan.BoundPlan.GeneratedKey;
import io.anabranch.rules.plan.NameMapping;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One command for a leased connection.
 *
 * @param prologue statements sent in front; their OK answers are swallowed, the first error becomes
 *     the command's answer and nothing behind it is run. {@code BEGIN}, {@code START TRANSACTION},
 *     {@code XA START} and {@code XA END} travel in one packet train with what follows; any other
 *     statement may fail, so what follows waits for its OK
 * @param fingerprint of the statement's normal form: what is known of its plan is found by it; any
 *     number is right
 * @param names how actual names in column definitions become logical ones
 * @param key what the OK packet of an INSERT with rows tells the client as last insert id
 * @param proviso when the client is not to get the answer
 * @param cap of the rows that the client gets; null: all of them
 * @param withholdsEnd the end of an answer that is no error goes to {@link RelayCallback#withheld}
 *     and not to the client
 */
public record RelayRequest(
    List<byte[]> prologue,
    RelayCommand command,
    long fingerprint,
    NameMapping names,
    GeneratedKey key,
    Proviso proviso,
    @Nullable RowCap cap,
    boolean withholdsEnd) {

  public RelayRequest(
      List<byte[]> prologue, RelayCommand command, NameMapping names, GeneratedKey key) {
    this(prologue, command, 0, names, key, Proviso.NONE, null, false);
  }

  public RelayRequest(List<byte[]> prologue, RelayCommand command, NameMapping names) {
    this(prologue, command, names, GeneratedKey.NONE);
  }

  /**
   * When the client is not to get the answer.
   *
   * @param await a query that goes in the same packet train in front of the command; unless its one
   *     value is 0, the outcome is {@link RelayOutcome.Unreached}. Empty: none
   * @param keeps errors that become {@link RelayOutcome.Kept}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Proviso(byte[] await, KeptErrors keeps) {

    /** The client gets every answer. */
    public static final Proviso NONE = new Proviso(new byte[0], KeptErrors.NONE);

    /** Writes that may have missed a change of the primary. */
    public static final Proviso KEEPS_READ_ONLY = new Proviso(new byte[0], KeptErrors.READ_ONLY);

    /** Reads that another member may do as well. */
    public static final Proviso KEEPS_SHUTDOWN = new Proviso(new byte[0], KeptErrors.SHUTDOWN);
  }
}
