package io.anabranch.backend.execute.read;

import io.anabranch.backend.execute.source.IntegerWidths;
import io.anabranch.backend.execute.source.Parallel;
import io.anabranch.backend.execute.source.RowShape;
import io.anabranch.backend.execute.source.SourceRun;
import io.anabranch.backend.execute.source.SourceRuns;
import io.anabranch.backend.merge.RouteSources;
import io.anabranch.backend.merge.StreamTree;
import io.anabranch.backend.row.RowBudget;
import io.anabranch.backend.row.RowStream;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opens the queries of a route: on all data sources at the same time, on each of them one after the
 * other.
 */
public final class RouteRun implements RouteSources {

  private final SourceRuns runs;
  private final RowBudget budget;
  private final StageRun.Setting staging;

  public RouteRun(SourceRuns runs, RowBudget budget, StageRun.Setting staging) {
    this.runs = runs;
    this.budget = budget;
    this.staging = staging;
  }

  @Override
  public RowStream staged(PlanNode.Stage stage, StreamTree inputs) {
    return new StageRun(stage, runs, staging).open(inputs);
  }

  @Override
  public RowStream kept(PlanNode node, RowStream rows) {
    runs.request().leases().setting("character_set_results", "utf8mb4");
    runs.keep(PlanPrinter.queries(node));
    return new RowStream() {
      private boolean isOver;

      @Override
      public List<ResultColumn> columns() {
        return rows.columns();
      }

      @Override
      public byte @Nullable [] next() {
        byte[] row = rows.next();
        if (row == null && !isOver) {
          isOver = true;
          runs.letGo();
        }
        return row;
      }

      @Override
      public void close() {
        rows.close();
      }
    };
  }

  /** Of several queries of one data source all but the last are read into memory. */
  @Override
  public List<RowStream> together(PlanNode.Route route) {
    List<Opening> openings = open(route, true);
    var shape = new RowShape(route);
    for (Opening opening : openings) {
      opening.answers.forEach(
          answer -> shape.check(answer.columns, opening.run.lease.dataSource()));
    }
    List<ResultColumn> columns = shape.columns();
    var streams = new ArrayList<RowStream>(route.queries().size());
    for (Opening opening : openings) {
      for (Answer answer : opening.answers) {
        IntegerWidths widths = opening.run.widths(answer.columns, columns);
        streams.add(
            answer.rows == null
                ? new RunStream(opening.run, columns, new ArrayDeque<>(), shape, widths)
                : new HeldRows(columns, answer.rows.iterator(), widths));
      }
    }
    return streams;
  }

  @Override
  public List<RowStream> inTurn(PlanNode.Route route) {
    List<Opening> openings = open(route, false);
    var shape = new RowShape(route);
    for (Opening opening : openings) {
      opening.answers.forEach(
          answer -> shape.check(answer.columns, opening.run.lease.dataSource()));
    }
    List<ResultColumn> columns = shape.columns();
    var streams = new ArrayList<RowStream>(openings.size());
    for (Opening opening : openings) {
      List<ShardQuery> queries = opening.run.queries;
      var rest = new ArrayDeque<>(queries.subList(1, queries.size()));
      IntegerWidths widths = opening.run.widths(opening.answers.getFirst().columns, columns);
      streams.add(new RunStream(opening.run, columns, rest, shape, widths));
    }
    return streams;
  }

  private List<Opening> open(PlanNode.Route route, boolean all) {
    var openings = new ArrayList<Opening>();
    for (SourceRun run : runs.prepare(route.queries())) {
      openings.add(new Opening(run, all, budget));
    }
    if (openings.stream().allMatch(opening -> opening.run.hasBegun())) {
      openings.forEach(Opening::run);
    } else {
      Parallel.run(openings);
    }
    for (Opening opening : openings) {
      RuntimeException failure = opening.run.failure();
      if (failure != null) {
        throw failure;
      }
    }
    return openings;
  }

  /** One answer of a data source; its rows if they have been read already. */
  private record Answer(List<ResultColumn> columns, @Nullable List<byte[]> rows) {}

  /** Opens the queries of one data source, on a thread of its own. */
  private static final class Opening implements Runnable {

    final SourceRun run;
    final List<Answer> answers = new ArrayList<>();
    private final boolean all;
    private final RowBudget budget;

    Opening(SourceRun run, boolean all, RowBudget budget) {
      this.run = run;
      this.all = all;
      this.budget = budget;
    }

    @Override
    public void run() {
      try {
        List<ShardQuery> queries = all ? run.queries : run.queries.subList(0, 1);
        for (int i = 0; i < queries.size(); i++) {
          ShardCursor cursor = run.open(queries.get(i));
          boolean isLast = i == queries.size() - 1;
          answers.add(new Answer(cursor.columns(), isLast ? null : run.rest(budget)));
        }
      } catch (RuntimeException problem) {
        run.remember(problem);
      }
    }
  }

  /** The rows of a data source's open query, then of those that are still to be sent. */
  private static final class RunStream implements RowStream {

    private final SourceRun run;
    private final List<ResultColumn> columns;
    private final Deque<ShardQuery> rest;
    private final RowShape shape;
    private @Nullable IntegerWidths widths;
    private boolean isClosed;

    RunStream(
        SourceRun run,
        List<ResultColumn> columns,
        Deque<ShardQuery> rest,
        RowShape shape,
        @Nullable IntegerWidths widths) {
      this.run = run;
      this.columns = columns;
      this.rest = rest;
      this.shape = shape;
      this.widths = widths;
    }

    @Override
    public List<ResultColumn> columns() {
      return columns;
    }

    @Override
    public byte @Nullable [] next() {
      if (isClosed) {
        return null;
      }
      byte[] row = run.next();
      while (row == null && !rest.isEmpty()) {
        List<ResultColumn> answered = run.open(rest.remove()).columns();
        shape.checkWithin(columns, answered, run.lease.dataSource());
        widths = run.widths(answered, columns);
        row = run.next();
      }
      return row == null || widths == null ? row : widths.widened(row);
    }

    /** What is left is read away, or the connection closed, when the statement ends. */
    @Override
    public void close() {
      isClosed = true;
    }
  }

  /** Rows that have been read already. */
  private static final class HeldRows implements RowStream {

    private final List<ResultColumn> columns;
    private final Iterator<byte[]> rows;
    private final @Nullable IntegerWidths widths;

    HeldRows(List<ResultColumn> columns, Iterator<byte[]> rows, @Nullable IntegerWidths widths) {
      this.columns = columns;
      this.rows = rows;
      this.widths = widths;
    }

    @Override
    public List<ResultColumn> columns() {
      return columns;
    }

    @Override
    public byte @Nullable [] next() {
      byte[] row = rows.hasNext() ? rows.next() : null;
      return row == null || widths == null ? row : widths.widened(row);
    }

    @Override
    public void close() {}
  }
}
