package io.anabranch.frontend.execution.relay;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.relay.column.NameRewriter;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.row.RowCap;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.frontend.response.ClientRows;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One statement on one leased connection by the merge lane's reader, with the answer that the relay
 * would give: for connections whose channel cannot be seen, and where the relay is switched off.
 * Blocks.
 *
 * @param prologue what has to run in front
 * @param parameters of a prepared statement
 * @param binary COM_STMT_EXECUTE
 * @param capped how many rows the client may get; null: all of them
 */
record LeasedQuery(
    Lease lease,
    List<byte[]> prologue,
    ShardQuery query,
    ExecuteParameters parameters,
    boolean binary,
    NameMapping names,
    @Nullable Capped capped) {

  /**
   * @param exceeded is told of the first row that is too much, on the thread that reads
   */
  record Capped(RowCap.Counting count, Consumer<RefusedException> exceeded) {}

  /**
   * How it ended. Rows are with the client then; an OK or an error is still to be told.
   *
   * @param info of the OK
   */
  record Ending(RelayOutcome outcome, String info) {}

  /** The columns that a statement would give, and how that failed if it did. */
  record Description(List<ResultColumn> columns, @Nullable RelayOutcome failure) {}

  /**
   * @param status for the end of rows
   * @throws io.anabranch.rules.error.RefusedException for an answer of several results; the
   *     connection's state is not known then
   */
  Ending run(ClientRows rows, int status) {
    ShardConnection connection = lease.shard();
    boolean prepared = false;
    try {
      runPrologue(connection);
      prepared = true;
      try (ShardCursor cursor = connection.query(query, parameters, binary)) {
        return cursor.columns().isEmpty() ? done(cursor) : rows(cursor, rows, status);
      }
    } catch (ShardException failure) {
      return new Ending(failed(failure, !prepared, rows.isStarted()), "");
    }
  }

  Description describe() {
    ShardConnection connection = lease.shard();
    boolean prepared = false;
    try {
      runPrologue(connection);
      prepared = true;
      return new Description(logical(connection.describe(query)), null);
    } catch (ShardException failure) {
      return new Description(List.of(), failed(failure, !prepared, false));
    }
  }

  private void runPrologue(ShardConnection connection) {
    for (byte[] statement : prologue) {
      ShardQuery setting = ShardQuery.text(lease.dataSource(), statement);
      try (ShardCursor cursor = connection.query(setting)) {
        cursor.outcome();
      }
    }
  }

  private static Ending done(ShardCursor cursor) {
    ShardOutcome ok = cursor.outcome();
    requireLast(ok);
    return new Ending(
        new RelayOutcome.Done(
            ok.statusFlags(), ok.affectedRows(), ok.lastInsertId(), ok.warnings(), 0),
        ok.info());
  }

  private Ending rows(ShardCursor cursor, ClientRows rows, int status) {
    rows.columns(logical(cursor.columns()));
    long count = 0;
    boolean isTooMuch = false;
    for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
      isTooMuch = isTooMuch || isTooMuch(row);
      if (!isTooMuch) {
        rows.row(row);
        count++;
      }
    }
    ShardOutcome end = cursor.outcome();
    requireLast(end);
    if (isTooMuch) {
      return new Ending(
          new RelayOutcome.Failed(
              ErrorCatalogue.QUERY_INTERRUPTED.errno(),
              ErrorCatalogue.QUERY_INTERRUPTED.sqlState(),
              String.valueOf(ErrorCatalogue.QUERY_INTERRUPTED.refuse().getMessage()),
              false),
          "");
    }
    rows.end(status, end.warnings());
    return new Ending(
        new RelayOutcome.Done(end.statusFlags(), -1, end.lastInsertId(), end.warnings(), count),
        "");
  }

  /** What the database still says is read away: the client is told in the end. */
  private boolean isTooMuch(byte[] row) {
    if (capped == null || capped.count().takes(row.length)) {
      return false;
    }
    RefusedException refusal = capped.count().refusal();
    if (refusal != null) {
      capped.exceeded().accept(refusal);
    }
    return true;
  }

  private static void requireLast(ShardOutcome outcome) {
    if ((outcome.statusFlags() & ServerStatus.MORE_RESULTS_EXISTS) != 0) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "an answer of several results from a data source that cannot be relayed",
          "connect the data source without TLS in the driver");
    }
  }

  private RelayOutcome failed(ShardException failure, boolean inPrologue, boolean started) {
    return switch (failure) {
      case ShardException.Database error ->
          new RelayOutcome.Failed(
              error.errno(), error.sqlState(), logical(error.getMessage()), inPrologue);
      case ShardException.Lost lost ->
          new RelayOutcome.Lost(String.valueOf(lost.getMessage()), lost.mayHaveRun(), started);
    };
  }

  private String logical(@Nullable String message) {
    String text = message == null ? "" : message;
    NameRewriter rewriter = NameRewriter.of(names, lease.shard().database());
    return rewriter == null ? text : rewriter.rename(text);
  }

  private List<ResultColumn> logical(List<ResultColumn> columns) {
    return ResultShape.logical(columns, names, lease.shard().database());
  }
}
