package io.anabranch.frontend.command;

import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.execution.merge.MergeLane;
import io.anabranch.frontend.execution.relay.Preparation;
import io.anabranch.frontend.execution.relay.RelayLane;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.BoundPlan;

/**
 * What becomes of a statement whose plan is bound: one target takes the relay lane, several the
 * merge lane; COM_STMT_PREPARE and COM_FIELD_LIST only want to know its columns.
 */
final class LaneChoice {

  private final CurrentStatement statement;
  private final RelayLane relayLane;
  private final MergeLane mergeLane;
  private final Preparation preparation;
  private final FieldList fieldList;
  private final ChangedDefinitions definitions;
  private final StatementCourse course;

  LaneChoice(
      CurrentStatement statement,
      RelayLane relayLane,
      MergeLane mergeLane,
      Preparation preparation,
      FieldList fieldList,
      ChangedDefinitions definitions,
      StatementCourse course) {
    this.statement = statement;
    this.relayLane = relayLane;
    this.mergeLane = mergeLane;
    this.preparation = preparation;
    this.fieldList = fieldList;
    this.definitions = definitions;
    this.course = course;
  }

  void run(BoundPlan bound) {
    if (statement.command().prepareReply() != null) {
      preparation.describe(bound);
      return;
    }
    ClientCommand.FieldList listed = statement.command().listed();
    if (listed != null) {
      fieldList.run(listed, bound);
      return;
    }
    definitions.begin();
    if (statement.command().bulk() != null && !(bound instanceof BoundPlan.AsIs)) {
      course.fail(
          ErrorCatalogue.NOT_SUPPORTED.refuse(
              "COM_STMT_BULK_EXECUTE in a database with sharded tables",
              "execute row by row: useBulkStmts=false, useBulkStmtsForInserts=false"));
      return;
    }
    switch (bound) {
      case BoundPlan.AsIs target -> relayLane.run(target);
      case BoundPlan.Single target -> relayLane.run(target);
      case BoundPlan.Merged merged -> {
        statement.target().key(merged.key());
        mergeLane.run(merged.root());
      }
    }
  }
}
