package io.anabranch.backend.execute;

import io.anabranch.backend.execute.read.RouteRun;
import io.anabranch.backend.execute.read.StageRun;
import io.anabranch.backend.execute.source.ComparedLiterals;
import io.anabranch.backend.execute.source.MergeOutcome;
import io.anabranch.backend.execute.source.MergeRequest;
import io.anabranch.backend.execute.source.SourceRuns;
import io.anabranch.backend.execute.source.Warnings;
import io.anabranch.backend.merge.StreamTree;
import io.anabranch.backend.row.RowBudget;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.backend.row.VariableLiterals;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a {@link PlanNode.Assignment} up to the values; giving them to the session is the caller's.
 */
final class AssignmentRun {

  private static final List<String> NO_DATA =
      List.of("Warning", "1329", "No data - zero rows fetched, selected, or processed");

  private final MergeRequest request;
  private final PlanNode.Assignment assignment;
  private final RowBudget budget;
  private final StageRun.Setting staging;

  AssignmentRun(
      MergeRequest request,
      PlanNode.Assignment assignment,
      RowBudget budget,
      StageRun.Setting staging) {
    this.request = request;
    this.assignment = assignment;
    this.budget = budget;
    this.staging = staging;
  }

  MergeOutcome.Assigned run() {
    request.leases().setting("character_set_results", "NULL");
    PlanNode rows = assignment.rows();
    var runs = new SourceRuns(request.reading(rows));
    var tree = new StreamTree(RowFormat.BINARY, budget, new RouteRun(runs, budget, staging));
    try (RowStream stream = tree.build(rows)) {
      if (stream.columns().size() != assignment.variables().size()) {
        throw ErrorCatalogue.INTO_COLUMN_COUNT.refuse();
      }
      refuseHiddenDigits(stream.columns());
      byte[] first = stream.next();
      List<String> values = first == null ? List.of() : values(stream, first);
      boolean more = first != null && stream.next() != null;
      runs.complete();
      return outcome(runs, values, more);
    } catch (RuntimeException failure) {
      throw runs.fail(failure);
    }
  }

  private void refuseHiddenDigits(List<ResultColumn> columns) {
    for (int i = 0; i < columns.size(); i++) {
      boolean decimal = columns.get(i).type() == ColumnType.NEWDECIMAL.code();
      if (decimal && assignment.hidden().contains(i)) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "the digits of " + assignment.variables().get(i) + " in SELECT … INTO",
            "say how many it has: CAST(… AS DECIMAL(20,4))");
      }
    }
  }

  private static List<String> values(RowStream stream, byte[] row) {
    var literals = new VariableLiterals(stream.columns());
    literals.read(row);
    var values = new ArrayList<String>(literals.width());
    for (int i = 0; i < literals.width(); i++) {
      values.add(literals.literal(i));
    }
    return values;
  }

  private MergeOutcome.Assigned outcome(SourceRuns runs, List<String> values, boolean more) {
    List<List<String>> warned = runs.warningRows();
    var compared = new ComparedLiterals(assignment.rows(), request.parameters());
    var counted = new ArrayList<>(Warnings.ofOneStatement(warned, compared));
    int warnings = runs.warnings() - warned.size() + counted.size();
    if (values.isEmpty()) {
      counted.add(NO_DATA);
      warnings++;
    }
    return new MergeOutcome.Assigned(values, more, warnings, counted);
  }
}
