package io.anabranch.backend.execute.source;

import io.anabranch.backend.row.RowBudget;
import io.anabranch.backend.row.RowSink;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a change answers with, held until it has succeeded everywhere. The packets behind rows
 * do not tell keys that a database has made, so that it is asked for them.
 *
 * <p>{@link #begin} and {@link #row} are called by the threads of the data sources, the others by
 * the one that runs the statement.
 */
public final class RowReturn {

  /** Of a change that answers OK. */
  public static final RowReturn NONE = new RowReturn(null, new RowBudget(0));

  private record Numbered(int number, byte[] payload) {}

  private final PlanNode.@Nullable Returning plan;
  private final RowBudget budget;
  private final List<ReturnedRows> taken = new ArrayList<>();

  public RowReturn(PlanNode.@Nullable Returning plan, RowBudget budget) {
    this.plan = plan;
    this.budget = budget;
  }

  /** Whether rows are wanted at all. */
  public boolean isWanted() {
    return plan != null;
  }

  /** In front of a statement that may make keys. */
  void begin(SourceRun run) {
    if (plan != null) {
      run.awaitKey();
    }
  }

  /** Counts a row that is held. */
  void row(byte[] row) {
    budget.hold("the rows of RETURNING", row);
  }

  /** The outcome of a statement, whose answer is at its end, with the first key that it made. */
  ShardOutcome outcome(SourceRun run, ShardOutcome told) {
    return plan == null
        ? told
        : new ShardOutcome(
            told.affectedRows(), run.madeKey(), told.statusFlags(), told.warnings(), told.info());
  }

  /** Takes the rows of the answers that count. */
  public void take(List<Answered> answers) {
    answers.forEach(answer -> taken.add(answer.returned()));
  }

  /**
   * Gives all rows to the client.
   *
   * @return how many
   */
  public long give(RowSink sink, NameMapping names) {
    if (plan == null) {
      return 0;
    }
    var shape = new RowShape(plan.columns());
    var rows = new ArrayList<Numbered>();
    boolean ordered = true;
    for (ReturnedRows part : taken) {
      if (!part.columns().isEmpty()) {
        shape.check(part.columns(), part.dataSource());
      }
      ordered &= part.numbers().length == part.payloads().size();
      for (int i = 0; i < part.payloads().size(); i++) {
        int number = i < part.numbers().length ? part.numbers()[i] : 0;
        rows.add(new Numbered(number, part.payloads().get(i)));
      }
    }
    if (ordered) {
      rows.sort(Comparator.comparingInt(Numbered::number));
    }
    boolean written = taken.stream().anyMatch(part -> !part.columns().isEmpty());
    List<ResultColumn> columns = written ? shape.columns() : plan.unwritten();
    sink.columns(names.logical(columns));
    rows.forEach(row -> sink.row(row.payload()));
    return rows.size();
  }
}
