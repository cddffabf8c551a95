package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.read.RowReading;
import io.anabranch.backend.execute.read.StageRun;
import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.RowReturn;
import io.anabranch.backend.row.RowBudget;
import io.anabranch.backend.row.RowSink;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;

/** Runs a {@link PlanNode.Change} as one unit: everything or nothing, but for DDL. */
public final class ChangeRun {

  private final MergeRequest request;
  private final long mergeMaxRows;
  private final StageRun.Setting staging;
  private final boolean atomicStatements;

  /**
   * @param mergeMaxRows rows that the statement may hold in memory
   * @param staging where queries of the statement may be staged
   * @param atomicStatements whether a write to several nodes of a sharded table is one unit
   */
  public ChangeRun(
      MergeRequest request, long mergeMaxRows, StageRun.Setting staging, boolean atomicStatements) {
    this.request = request;
    this.mergeMaxRows = mergeMaxRows;
    this.staging = staging;
    this.atomicStatements = atomicStatements;
  }

  public MergeOutcome.Done run(PlanNode.Change change) {
    return run(change, RowReturn.NONE);
  }

  /** The rows go to the client when all is done. */
  public MergeOutcome run(PlanNode.Returning returning, RowSink sink) {
    var rows = new RowReturn(returning, new RowBudget(mergeMaxRows, request.memory()));
    MergeOutcome.Done done = run(returning.change(), rows);
    return new MergeOutcome.Returned(rows.give(sink, request.names()), done);
  }

  private MergeOutcome.Done run(PlanNode.Change change, RowReturn rows) {
    if (change instanceof PlanNode.CheckedInsert insert) {
      return checked(new CheckedRun(request, insert, rows));
    }
    if (!isUnit(change)) {
      return steps(change, rows);
    }
    request.leases().beginAtomic();
    return ended(change, rows, List.of());
  }

  /** All rows at once; if one's key is elsewhere, that is undone and they go one by one. */
  private MergeOutcome.Done checked(CheckedRun insert) {
    request.leases().beginAtomic();
    MergeOutcome.Done done;
    try {
      done = insert.together();
      if (done != null) {
        commit();
        return done;
      }
    } catch (RuntimeException failure) {
      undo();
      throw failure;
    }
    undo();
    request.leases().beginAtomic();
    try {
      done = insert.oneByOne();
      commit();
      return done;
    } catch (RuntimeException failure) {
      undo();
      throw failure;
    }
  }

  /** The rows of a table that has just been made: DDL commits them, but not a temporary one's. */
  private MergeOutcome.Done fill(PlanNode.Creation creation, RowReturn rows) {
    if (creation.isTemporary()) {
      request.leases().beginAtomic();
    } else {
      request.leases().beginCommitting();
    }
    return ended(creation.rows(), rows, creation.finishing());
  }

  private MergeOutcome.Done ended(
      PlanNode.Change change, RowReturn rows, List<ShardQuery> finishing) {
    try {
      MergeOutcome.Done outcome = steps(change, rows);
      if (!finishing.isEmpty()) {
        var write = new PlanNode.Write(finishing, PlanNode.Summing.SUM, true);
        new WriteRun(request.with(write, false), write, false, RowReturn.NONE).run();
      }
      commit();
      return outcome;
    } catch (RuntimeException failure) {
      undo();
      throw failure;
    }
  }

  private void commit() {
    request.times().waiting(request.leases()::commitAtomic);
  }

  private void undo() {
    request.times().waiting(request.leases()::rollbackAtomic);
  }

  private boolean isUnit(PlanNode.Change change) {
    return switch (change) {
      case PlanNode.Write write -> write.atomic() && write.queries().size() > 1 && !isLoose(write);
      case PlanNode.Lock ignored -> false;
      case PlanNode.Assignment ignored -> false;
      case PlanNode.Creation ignored -> false;
      case PlanNode.RowWrite ignored -> true;
      case PlanNode.Load ignored -> true;
      case PlanNode.Move ignored -> true;
      case PlanNode.CheckedInsert ignored -> true;
    };
  }

  /** Copies of a broadcast table are always written together, so that they stay equal. */
  private boolean isLoose(PlanNode.Write write) {
    return !atomicStatements && write.counted().size() == write.queries().size();
  }

  private MergeOutcome.Done steps(PlanNode.Change change, RowReturn rows) {
    var reading = new RowReading(request, new RowBudget(mergeMaxRows, request.memory()), staging);
    return switch (change) {
      case PlanNode.Write write -> new WriteRun(request, write, isLoose(write), rows).run();
      case PlanNode.RowWrite write -> new RowWriteRun(request, write, reading, rows).run();
      case PlanNode.Assignment assignment ->
          throw new IllegalArgumentException("changes no table: " + assignment);
      case PlanNode.Lock lock -> new LockRun(request, lock).run();
      case PlanNode.Creation creation ->
          new CreationRun(request, creation).run(() -> fill(creation, rows));
      case PlanNode.Load load -> new LoadRun(request, load, reading).run();
      case PlanNode.Move move -> new MoveRun(request, move, reading).run();
      case PlanNode.CheckedInsert insert -> checked(new CheckedRun(request, insert, rows));
    };
  }
}
