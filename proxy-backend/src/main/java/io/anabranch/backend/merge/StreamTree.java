package io.anabranch.backend.merge;

import io.anabranch.backend.merge.group.Distinct;
import io.anabranch.backend.merge.group.GroupedAggregate;
import io.anabranch.backend.row.RowBudget;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.rules.plan.PlanNode;
import java.util.List;

/** Builds the streams of a plan that yields rows. */
public final class StreamTree {

  private final RowFormat format;
  private final RowBudget budget;
  private final RouteSources sources;

  public StreamTree(RowFormat format, RowBudget budget, RouteSources sources) {
    this.format = format;
    this.budget = budget;
    this.sources = sources;
  }

  /**
   * @throws IllegalArgumentException for a plan that writes
   */
  public RowStream build(PlanNode node) {
    return switch (node) {
      case PlanNode.Route route -> concat(sources.inTurn(route));
      case PlanNode.Concat concat -> build(concat.input());
      case PlanNode.OrderedMerge merge ->
          new OrderedMerge(inputs(merge.input()), merge.keys(), format);
      case PlanNode.GroupedAggregate group ->
          new GroupedAggregate(
              build(group.input()), group.keys(), group.columns(), format, budget.held());
      case PlanNode.Distinct distinct ->
          new Distinct(build(distinct.input()), distinct.keys(), format, budget.held());
      case PlanNode.Sort sort -> new Sort(build(sort.input()), sort.keys(), format, budget);
      case PlanNode.Having having ->
          new Having(build(having.input()), having.conjunction(), format);
      case PlanNode.Limit limit -> new Limit(build(limit.input()), limit.offset(), limit.count());
      case PlanNode.TrimColumns trim -> new TrimColumns(build(trim.input()), trim.width(), format);
      case PlanNode.MapCells map -> new MapCells(build(map.input()), map, format);
      case PlanNode.Masked masked -> new MaskedCells(build(masked.input()), masked, format);
      case PlanNode.Reported told -> new Reported(build(told.input()), told.names(), format);
      case PlanNode.Checksums sums -> new Checksums(build(sums.input()), sums, format);
      case PlanNode.Renamed names -> new Renamed(build(names.input()), names, format);
      case PlanNode.Decrypted decrypted ->
          new Decrypted(build(decrypted.input()), decrypted, format);
      case PlanNode.Unveiled unveiled -> new Unveiled(build(unveiled.input()), unveiled, format);
      case PlanNode.LocalRows rows -> new LocalRows(rows, format);
      case PlanNode.TableCheck check -> sources.kept(check, new TableCheck(check, this, format));
      case PlanNode.Stage stage -> sources.staged(stage, this);
      case PlanNode.Counted counted ->
          throw new IllegalArgumentException("only statements count rows: " + counted);
      case PlanNode.Change change ->
          throw new IllegalArgumentException("no rows come from a change: " + change);
      case PlanNode.Returning returning ->
          throw new IllegalArgumentException("a change is no part of a query: " + returning);
    };
  }

  private List<RowStream> inputs(PlanNode node) {
    return node instanceof PlanNode.Route route ? sources.together(route) : List.of(build(node));
  }

  private static RowStream concat(List<RowStream> streams) {
    return streams.size() == 1 ? streams.getFirst() : new Concat(streams);
  }
}
