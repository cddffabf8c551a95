package io.anabranch.frontend.execution;

import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.List;

/** The columns that a client is told when it prepares. */
final class ResultShape {

  private ResultShape() {}

  /** Of a plan's answer; empty when that is an OK packet. */
  static List<ResultColumn> columns(PlanNode node) {
    return switch (node) {
      case PlanNode.Route route -> route.columns();
      case PlanNode.Change _ -> List.of();
      case PlanNode.Returning returning -> returning.columns();
      case PlanNode.Concat concat -> columns(concat.input());
      case PlanNode.OrderedMerge merge -> columns(merge.input());
      case PlanNode.GroupedAggregate aggregate -> aggregated(aggregate);
      case PlanNode.Distinct distinct -> columns(distinct.input());
      case PlanNode.Sort sort -> columns(sort.input());
      case PlanNode.Having having -> columns(having.input());
      case PlanNode.Limit limit -> columns(limit.input());
      case PlanNode.Counted counted -> columns(counted.input());
      case PlanNode.TrimColumns trim -> columns(trim.input()).subList(0, trim.width());
      case PlanNode.MapCells map -> columns(map.input());
      case PlanNode.Masked masked -> masked.columns(columns(masked.input()));
      case PlanNode.Reported told -> columns(told.input());
      case PlanNode.Checksums sums -> columns(sums.input());
      case PlanNode.Renamed names -> names.columns(names.prepared());
      case PlanNode.Decrypted decrypted -> decrypted.columns(columns(decrypted.input()));
      case PlanNode.Unveiled unveiled -> columns(unveiled.input());
      case PlanNode.LocalRows local -> local.columns();
      case PlanNode.TableCheck check -> check.columns();
      case PlanNode.Stage stage -> stage.columns();
    };
  }

  private static List<ResultColumn> aggregated(PlanNode.GroupedAggregate aggregate) {
    return columns(aggregate.input()).subList(0, aggregate.columns().size());
  }

  /**
   * With logical names in the place of the database's own; tables of other schemas keep theirs.
   *
   * @param actual the connection's schema
   */
  static List<ResultColumn> logical(List<ResultColumn> columns, NameMapping names, String actual) {
    String schema = names.schema().isEmpty() ? actual : names.schema();
    var mapped = new ArrayList<ResultColumn>(columns.size());
    for (ResultColumn column : columns) {
      boolean isOurs = !actual.isEmpty() && column.schema().equals(actual);
      mapped.add(isOurs ? logical(column, names, schema) : column);
    }
    return mapped;
  }

  private static ResultColumn logical(ResultColumn column, NameMapping names, String schema) {
    return column.named(
        schema,
        names.tables().getOrDefault(column.table(), column.table()),
        names.tables().getOrDefault(column.orgTable(), column.orgTable()),
        column.name(),
        column.orgName());
  }
}
