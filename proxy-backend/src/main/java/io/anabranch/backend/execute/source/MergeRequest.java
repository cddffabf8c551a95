package io.anabranch.backend.execute.source;

import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.backend.transaction.StatementLeases;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a plan in the merge lane.
 *
 * @param root of {@link io.anabranch.rules.plan.BoundPlan.Merged}
 * @param parameters of a prepared statement; {@link ExecuteParameters#NONE} for text
 * @param binary rows in the binary protocol: COM_STMT_EXECUTE
 * @param names actual names to logical ones, for the texts of errors
 * @param leases the session's connections, settings included: {@code
 *     SessionTransaction.leases(...)}
 * @param cancellation lets another thread end it: KILL, client gone
 * @param file of LOAD DATA LOCAL
 * @param untold what failed queries may have left
 * @param insertId what LAST_INSERT_ID() is for the programs that ask for it, unsigned; null: none
 *     do
 * @param memory of what it keeps on the heap; whoever made the request closes it
 * @param user whose statement it is; empty: nobody's
 * @param ofText whether what is warned of a text while it is prepared counts, too: queries are
 *     prepared for the proxy's sake
 * @param times what its time goes to
 */
public record MergeRequest(
    PlanNode root,
    ExecuteParameters parameters,
    boolean binary,
    NameMapping names,
    StatementLeases leases,
    Cancellation cancellation,
    ClientFile file,
    UntoldState untold,
    @Nullable Long insertId,
    StatementMemory memory,
    String user,
    boolean ofText,
    QueryTimes times) {

  /** A part of it, in another form of the protocol perhaps. */
  public MergeRequest with(PlanNode part, boolean inBinary) {
    return copy(part, inBinary, insertId, ofText);
  }

  /** Rows for the proxy itself, in the binary protocol. */
  public MergeRequest reading(PlanNode rows) {
    return copy(rows, true, insertId, true);
  }

  /** The same for programs that may ask for LAST_INSERT_ID(). */
  public MergeRequest with(@Nullable Long wantedId) {
    return copy(root, binary, wantedId, ofText);
  }

  private MergeRequest copy(
      PlanNode part, boolean inBinary, @Nullable Long wantedId, boolean hearsText) {
    return new MergeRequest(
        part,
        parameters,
        inBinary,
        names,
        leases,
        cancellation,
        file,
        untold,
        wantedId,
        memory,
        user,
        hearsText,
        times);
  }

  public MergeRequest(
      PlanNode root,
      ExecuteParameters parameters,
      boolean binary,
      NameMapping names,
      StatementLeases leases,
      Cancellation cancellation) {
    this(
        root,
        parameters,
        binary,
        names,
        leases,
        cancellation,
        ClientFile.NONE,
        UntoldState.NONE,
        null,
        StatementMemory.UNLIMITED,
        "",
        false,
        new QueryTimes());
  }
}
