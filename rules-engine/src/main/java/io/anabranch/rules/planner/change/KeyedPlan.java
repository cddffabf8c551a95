package io.anabranch.rules.planner.change;

import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.query.RowSource;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.rewrite.SqlRendering;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An UPDATE or DELETE that finds its rows first.
 *
 * @param rows the query that finds them
 * @param strict whether what it warns of is an error
 */
record KeyedPlan(
    RowSource rows,
    List<Target> targets,
    ShardedNames names,
    PlanNode.Summing summing,
    PlanNode.Verb verb,
    boolean strict) {

  KeyedPlan {
    targets = List.copyOf(targets);
  }

  /** What stands in front of the keys and behind them, for one node. */
  record Text(List<Piece> head, List<Piece> tail) {
    Text {
      head = List.copyOf(head);
      tail = List.copyOf(tail);
    }
  }

  /**
   * @param texts by node
   * @param rows without its statements
   */
  record Target(ChangedTable table, List<Text> texts, RowTarget rows) {
    Target {
      texts = List.copyOf(texts);
    }

    RowTarget bind(SlotValues values, ShardedNames names, int references) {
      var around = new ArrayList<RowTarget.Around>(texts.size());
      for (int node = 0; node < texts.size(); node++) {
        int[] nodes = new int[references];
        if (table.number() >= 0) {
          nodes[table.number()] = node;
        }
        String source = table.nodes().get(node).dataSource();
        around.add(around(texts.get(node), source, nodes, values, names));
      }
      return rows.with(around);
    }
  }

  static RowTarget.Around around(
      Text text, String source, int[] nodes, SlotValues values, ShardedNames names) {
    ShardQuery head = rendered(text.head(), source, nodes, values, names);
    ShardQuery tail = rendered(text.tail(), source, nodes, values, names);
    int[] parameters =
        Arrays.copyOf(head.parameters(), head.parameters().length + tail.parameters().length);
    System.arraycopy(
        tail.parameters(), 0, parameters, head.parameters().length, tail.parameters().length);
    return new RowTarget.Around(source, head.sql(), null, tail.sql(), parameters);
  }

  private static ShardQuery rendered(
      List<Piece> pieces, String source, int[] nodes, SlotValues values, ShardedNames names) {
    var rendering = new SqlRendering(values, names, 128);
    rendering.append(pieces, nodes);
    return rendering.query(source);
  }

  PlanNode.Change root(SlotValues values, int references) {
    return new PlanNode.RowWrite(
        rows.rows(values),
        targets.stream().map(target -> target.bind(values, names, references)).toList(),
        summing,
        verb,
        strict);
  }
}
