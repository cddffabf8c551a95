package io.anabranch.rules.plan.answer;

import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;

/** The columns that a client is told of, as the plan knows them. */
public final class AnswerColumns {

  private AnswerColumns() {}

  /** Of a plan's answer; empty when that is an OK packet, or where only the rows tell. */
  public static List<ResultColumn> of(PlanNode node) {
    return switch (node) {
      case PlanNode.Route route -> route.columns();
      case PlanNode.Change _ -> List.of();
      case PlanNode.Returning returning -> returning.columns();
      case PlanNode.Concat concat -> of(concat.input());
      case PlanNode.OrderedMerge merge -> of(merge.input());
      case PlanNode.GroupedAggregate groups -> first(groups.input(), groups.columns().size());
      case PlanNode.Distinct distinct -> of(distinct.input());
      case PlanNode.Sort sort -> of(sort.input());
      case PlanNode.Having having -> of(having.input());
      case PlanNode.Limit limit -> of(limit.input());
      case PlanNode.Counted counted -> of(counted.input());
      case PlanNode.TrimColumns trim -> first(trim.input(), trim.width());
      case PlanNode.MapCells map -> of(map.input());
      case PlanNode.Masked masked -> masked.columns(of(masked.input()));
      case PlanNode.Reported told -> of(told.input());
      case PlanNode.Checksums sums -> of(sums.input());
      case PlanNode.Renamed names -> names.columns(names.prepared());
      case PlanNode.Decrypted decrypted -> decrypted.columns(of(decrypted.input()));
      case PlanNode.Unveiled unveiled -> of(unveiled.input());
      case PlanNode.LocalRows local -> local.columns();
      case PlanNode.TableCheck check -> check.columns();
      case PlanNode.Stage stage -> stage.columns();
    };
  }

  private static List<ResultColumn> first(PlanNode input, int count) {
    return of(input).subList(0, count);
  }
}
