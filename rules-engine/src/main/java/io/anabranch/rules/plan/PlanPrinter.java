package io.anabranch.rules.plan;

import io.anabranch.rules.plan.PlanNode.Aggregate;
import io.anabranch.rules.plan.PlanNode.Comparison;
import io.anabranch.rules.plan.PlanNode.SortKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A stable text of bound plans, one node a line, inputs indented: for golden files and {@code
 * EXPLAIN ROUTE}.
 */
public final class PlanPrinter {

  private final StringBuilder out = new StringBuilder();

  private PlanPrinter() {}

  /**
   * With the cheaper ways in front that were none, where several nodes answer.
   *
   * @param bound of {@code plan}
   * @return ends with a line feed
   */
  public static String print(StatementPlan plan, BoundPlan bound) {
    var passedOver = new StringBuilder();
    if (bound instanceof BoundPlan.Merged) {
      for (StatementPlan.PassedOver each : plan.passedOver()) {
        passedOver.append("no ").append(each.strategy());
        passedOver.append(": ").append(each.reason().construct()).append('\n');
      }
    }
    return passedOver + print(bound);
  }

  /** Ends with a line feed. */
  public static String print(BoundPlan plan) {
    var printer = new PlanPrinter();
    switch (plan) {
      case BoundPlan.AsIs asIs -> printer.line(0, "as-is " + asIs.dataSource());
      case BoundPlan.Single single -> {
        printer.line(0, "single");
        printer.query(1, single.query());
      }
      case BoundPlan.Merged merged -> printer.node(0, merged.root());
    }
    return printer.out.toString();
  }

  /**
   * The shard queries of a plan, in the order in which it prints them; of a stage those that read
   * its tables.
   */
  public static List<ShardQuery> queries(PlanNode node) {
    return switch (node) {
      case PlanNode.Route route -> route.queries();
      case PlanNode.Write write -> write.queries();
      case PlanNode.RowWrite write -> queries(write.rows());
      case PlanNode.Move move -> queries(move.update());
      case PlanNode.CheckedInsert checked -> queries(checked.insert());
      case PlanNode.Lock lock -> lock.queries();
      case PlanNode.Load ignored -> List.of();
      case PlanNode.Assignment assignment -> queries(assignment.rows());
      case PlanNode.Creation creation -> creation.tables();
      case PlanNode.Returning returning -> queries(returning.change());
      case PlanNode.Concat concat -> queries(concat.input());
      case PlanNode.OrderedMerge merge -> queries(merge.input());
      case PlanNode.GroupedAggregate aggregate -> queries(aggregate.input());
      case PlanNode.Distinct distinct -> queries(distinct.input());
      case PlanNode.Sort sort -> queries(sort.input());
      case PlanNode.Having having -> queries(having.input());
      case PlanNode.Limit limit -> queries(limit.input());
      case PlanNode.Counted counted -> queries(counted.input());
      case PlanNode.TrimColumns trim -> queries(trim.input());
      case PlanNode.MapCells map -> queries(map.input());
      case PlanNode.Masked masked -> queries(masked.input());
      case PlanNode.Reported told -> queries(told.input());
      case PlanNode.Checksums sums -> queries(sums.input());
      case PlanNode.Renamed renamed -> queries(renamed.input());
      case PlanNode.Decrypted decrypted -> queries(decrypted.input());
      case PlanNode.Unveiled unveiled -> queries(unveiled.input());
      case PlanNode.LocalRows ignored -> List.of();
      case PlanNode.TableCheck check ->
          check.probes().stream().flatMap(PlanPrinter::queries).toList();
      case PlanNode.Stage stage ->
          stage.tables().stream().flatMap(table -> queries(table.rows()).stream()).toList();
    };
  }

  /** Where they run; not where a stage's own statement does. */
  public static Set<String> dataSources(PlanNode node) {
    var sources = new LinkedHashSet<String>();
    for (ShardQuery query : queries(node)) {
      sources.add(query.dataSource());
    }
    return sources;
  }

  /** What is done with the rows of all data sources, in a word. */
  public static String strategy(PlanNode node) {
    return switch (node) {
      case PlanNode.Route _, PlanNode.Concat _ -> "concat";
      case PlanNode.OrderedMerge _ -> "ordered-merge";
      case PlanNode.GroupedAggregate _ -> "aggregate";
      case PlanNode.Distinct _ -> "distinct";
      case PlanNode.Sort _ -> "sort";
      case PlanNode.Stage _ -> "stage";
      case PlanNode.LocalRows _ -> "local";
      case PlanNode.TableCheck _ -> "check";
      case PlanNode.Assignment _ -> "assign";
      case PlanNode.Lock _ -> "lock";
      case PlanNode.Load _ -> "load";
      case PlanNode.Move _ -> "move";
      case PlanNode.Creation _ -> "create";
      case PlanNode.Write _, PlanNode.RowWrite _, PlanNode.CheckedInsert _ -> "write";
      case PlanNode.Returning returning -> strategy(returning.change());
      case PlanNode.Having having -> strategy(having.input());
      case PlanNode.Limit limit -> strategy(limit.input());
      case PlanNode.Counted counted -> strategy(counted.input());
      case PlanNode.TrimColumns trim -> strategy(trim.input());
      case PlanNode.MapCells map -> strategy(map.input());
      case PlanNode.Masked masked -> strategy(masked.input());
      case PlanNode.Checksums sums -> strategy(sums.input());
      case PlanNode.Reported told -> strategy(told.input());
      case PlanNode.Renamed renamed -> strategy(renamed.input());
      case PlanNode.Decrypted decrypted -> strategy(decrypted.input());
      case PlanNode.Unveiled unveiled -> strategy(unveiled.input());
    };
  }

  private static Stream<ShardQuery> queries(TableProbe probe) {
    PlanNode rows = probe.rows();
    return rows == null ? Stream.of() : queries(rows).stream();
  }

  private void node(int depth, PlanNode node) {
    switch (node) {
      case PlanNode.Route route -> {
        line(depth, "route");
        route.queries().forEach(query -> query(depth + 1, query));
      }
      case PlanNode.Write write -> {
        line(depth, "write " + how(write) + (write.atomic() ? " atomic" : ""));
        write.queries().forEach(query -> query(depth + 1, query));
      }
      case PlanNode.RowWrite write -> {
        line(
            depth,
            "row-write "
                + write.verb().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + " "
                + how(write.summing()));
        write.targets().forEach(target -> target(depth + 1, target));
        node(depth + 1, write.rows());
      }
      case PlanNode.Creation creation -> {
        line(depth, "create, or undo");
        creation.tables().forEach(query -> query(depth + 1, query));
        node(depth + 1, creation.rows());
        creation.finishing().forEach(query -> query(depth + 1, query));
      }
      case PlanNode.Lock lock -> {
        line(depth, "lock in turn");
        lock.queries().forEach(query -> query(depth + 1, query));
      }
      case PlanNode.Load load -> {
        String how = load.replaces() ? " replace " : " ignore ";
        line(depth, "load " + text(load.name()) + how + how(load.summing()));
        target(depth + 1, load.target());
      }
      case PlanNode.CheckedInsert checked -> {
        line(depth, "insert, looking for unique keys on all nodes");
        node(depth + 1, checked.insert());
      }
      case PlanNode.Move move -> {
        line(depth, "move from nodes " + move.nodes());
        node(depth + 1, move.values());
        node(depth + 1, move.update());
        target(depth + 1, move.selection());
        target(depth + 1, move.deletion());
        target(depth + 1, move.insertion());
      }
      case PlanNode.Assignment assignment ->
          over(depth, "assign " + String.join(", ", assignment.variables()), assignment.rows());
      case PlanNode.Returning returning ->
          over(depth, "returning " + names(returning.columns()), returning.change());
      case PlanNode.Concat concat -> over(depth, "concat", concat.input());
      case PlanNode.OrderedMerge merge ->
          over(depth, "ordered-merge by " + keys(merge.keys()), merge.input());
      case PlanNode.GroupedAggregate aggregate ->
          over(depth, "aggregate " + aggregates(aggregate), aggregate.input());
      case PlanNode.Distinct distinct ->
          over(depth, "distinct by " + keys(distinct.keys()), distinct.input());
      case PlanNode.Sort sort -> over(depth, "sort by " + keys(sort.keys()), sort.input());
      case PlanNode.Having having ->
          over(depth, "having " + comparisons(having.conjunction()), having.input());
      case PlanNode.Limit limit ->
          over(depth, "limit " + limit.count() + " offset " + limit.offset(), limit.input());
      case PlanNode.Counted counted ->
          over(
              depth,
              "count all, pass " + counted.count() + " from " + counted.offset(),
              counted.input());
      case PlanNode.TrimColumns trim -> over(depth, "trim to " + trim.width(), trim.input());
      case PlanNode.MapCells map ->
          over(depth, "map cells " + map.columns() + " " + sorted(map), map.input());
      case PlanNode.Masked masked ->
          over(depth, "mask " + new TreeSet<>(masked.maskers().keySet()), masked.input());
      case PlanNode.Checksums sums ->
          over(depth, "checksums of " + String.join(", ", sums.tables()), sums.input());
      case PlanNode.Reported told ->
          over(depth, "report once " + new TreeMap<>(told.names().tables()), told.input());
      case PlanNode.Renamed renamed ->
          over(depth, "call " + renamed.actual() + " " + renamed.logical(), renamed.input());
      case PlanNode.Decrypted decrypted ->
          over(depth, "decrypt " + decrypted(decrypted.cells()), decrypted.input());
      case PlanNode.Unveiled unveiled ->
          over(depth, "hide " + new TreeSet<>(unveiled.hidden()), unveiled.input());
      case PlanNode.LocalRows local -> {
        line(depth, "local " + names(local.columns()));
        local.rows().forEach(row -> line(depth + 1, String.join(" | ", row)));
      }
      case PlanNode.TableCheck check -> {
        line(depth, "check");
        for (TableProbe probe : check.probes()) {
          line(depth + 1, probe.table());
          PlanNode rows = probe.rows();
          if (rows != null) {
            node(depth + 2, rows);
          }
        }
      }
      case PlanNode.Stage stage -> {
        line(depth, "stage");
        for (StagedTable table : stage.tables()) {
          StagedTable.Reduction by = table.reduction();
          String keys = by == null ? "" : " by keys of " + by.of() + "." + by.column();
          line(depth + 1, table.name() + " " + table.definition() + keys);
          node(depth + 2, table.rows());
        }
        query(depth + 1, stage.query());
      }
    }
  }

  private static String names(List<ResultColumn> columns) {
    return String.join(", ", columns.stream().map(ResultColumn::name).toList());
  }

  private static String decrypted(List<PlanNode.Decrypted.Cell> cells) {
    return String.join(
        ", ", cells.stream().map(cell -> cell.column() + " " + cell.name()).toList());
  }

  private static String how(PlanNode.Write write) {
    if (write.counted().size() == write.queries().size()) {
      return "sum";
    }
    return write.counted().equals(List.of(0)) ? "first" : "of " + write.counted();
  }

  private static String how(PlanNode.Summing summing) {
    return summing == PlanNode.Summing.SUM ? "sum" : "first";
  }

  private void target(int depth, RowTarget target) {
    var row = new StringBuilder(text(target.pieces().getFirst()));
    for (int i = 0; i < target.columns().length; i++) {
      row.append('$').append(target.columns()[i]).append(text(target.pieces().get(i + 1)));
    }
    String key = target.keys() == null ? "" : " key " + target.keys().column();
    line(depth, "rows " + row + text(target.separator()) + "…" + key);
    for (RowTarget.Around around : target.statements()) {
      line(depth + 1, around.dataSource() + ": " + text(around.head()) + "…" + text(around.tail()));
    }
  }

  private static String text(byte[] sql) {
    return new String(sql, StandardCharsets.UTF_8);
  }

  private static String sorted(PlanNode.MapCells map) {
    return new TreeMap<>(map.replacements()).toString();
  }

  private void over(int depth, String text, PlanNode input) {
    line(depth, text);
    node(depth + 1, input);
  }

  private void query(int depth, ShardQuery query) {
    String parameters =
        query.parameters().length == 0 ? "" : " " + Arrays.toString(query.parameters());
    line(depth, query.dataSource() + ": " + query.sqlText() + parameters);
  }

  private static String keys(List<SortKey> keys) {
    var text = new StringBuilder();
    for (SortKey key : keys) {
      text.append(text.isEmpty() ? "" : ", ").append(key.column());
      if (key.weight() >= 0) {
        text.append(" weight ").append(key.weight());
      }
      if (key.padWeight().length > 0) {
        text.append(" padded");
      }
      text.append(key.descending() ? " desc" : "");
    }
    return text.isEmpty() ? "nothing" : text.toString();
  }

  private static String aggregates(PlanNode.GroupedAggregate node) {
    var text = new StringBuilder();
    for (Aggregate aggregate : node.columns()) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(aggregate.function())
          .append(' ')
          .append(aggregate.column());
      if (aggregate.companion() >= 0) {
        text.append('+').append(aggregate.companion());
      }
    }
    return text + " by " + keys(node.keys());
  }

  private static String comparisons(List<Comparison> conjunction) {
    var text = new StringBuilder();
    for (Comparison comparison : conjunction) {
      text.append(text.isEmpty() ? "" : " and ")
          .append(comparison.column())
          .append(' ')
          .append(comparison.operator())
          .append(' ')
          .append(comparison.constant());
    }
    return text.toString();
  }

  private void line(int depth, String text) {
    out.repeat("  ", depth).append(text).append('\n');
  }
}
