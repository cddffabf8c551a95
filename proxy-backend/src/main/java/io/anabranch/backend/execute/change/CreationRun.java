package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.source.Cancellation;
import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.RowReturn;
import io.anabranch.backend.execute.source.SourceRun;
import io.anabranch.backend.execute.source.SourceRuns;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs a {@link PlanNode.Creation}: tables that did not get their rows are dropped again. */
final class CreationRun {

  private final MergeRequest request;
  private final PlanNode.Creation creation;

  /** Undoes what has been done so far. */
  private final List<ShardQuery> undoing = new ArrayList<>();

  /** Whose temporary table it is; null: none has been made. */
  private @Nullable Lease pinned;

  CreationRun(MergeRequest request, PlanNode.Creation creation) {
    this.request = request;
    this.creation = creation;
  }

  /**
   * @param rows fills the tables
   */
  MergeOutcome.Done run(Supplier<MergeOutcome.Done> rows) {
    try {
      create();
      return rows.get();
    } catch (RuntimeException failure) {
      undo(failure);
      throw failure;
    }
  }

  private void create() {
    var runs = new SourceRuns(request);
    try {
      for (SourceRun run : runs.prepare(creation.tables())) {
        for (ShardQuery query : run.queries) {
          create(run, query);
        }
      }
      runs.complete();
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }

  /** Where the connection broke nobody knows whether the table was made. */
  private void create(SourceRun run, ShardQuery query) {
    ShardQuery undo = creation.undoing().get(creation.tables().indexOf(query));
    try {
      run.execute(query);
      undoing.add(undo);
      if (creation.isTemporary()) {
        pinned = run.lease;
        request.leases().pin(run.lease, Pin.TEMPORARY_TABLE);
      }
    } catch (RuntimeException problem) {
      if (!(problem instanceof ShardException.Database)) {
        undoing.add(undo);
      }
      throw run.remember(problem);
    }
  }

  /** Also for a statement that was cancelled. */
  private void undo(RuntimeException failure) {
    if (undoing.isEmpty()) {
      return;
    }
    var own =
        new MergeRequest(
            creation,
            ExecuteParameters.NONE,
            false,
            request.names(),
            request.leases(),
            new Cancellation());
    var write = new PlanNode.Write(undoing, List.of(0), false, PlanNode.Verb.DEFINE, List.of());
    try {
      new WriteRun(own, write, false, RowReturn.NONE).run();
      if (pinned != null) {
        request.leases().droppedTemporaryTable(pinned);
      }
    } catch (RuntimeException left) {
      var told =
          ErrorCatalogue.DDL_INCOMPLETE.refuse(
              "CREATE TABLE … SELECT: "
                  + failure.getMessage()
                  + "; the table was not dropped again: "
                  + left.getMessage());
      told.addSuppressed(failure);
      throw told;
    }
  }
}
