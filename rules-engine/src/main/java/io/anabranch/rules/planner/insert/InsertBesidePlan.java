package io.anabranch.rules.planner.insert;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.resolve.Placement;
import io.anabranch.rules.resolve.SingleTemplate;
import io.anabranch.rules.resolve.Targets;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.sql.AimedText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * INSERT or REPLACE … SELECT that each node runs over its own tables.
 *
 * @param query the statement's query
 * @param placement of the query's tables
 * @param single the query for one node
 * @param leader number of the sharded table whose nodes are the written table's
 * @param texts by node
 */
record InsertBesidePlan(
    StatementKind kind,
    NameMapping names,
    Substatement query,
    Placement placement,
    SingleTemplate single,
    int leader,
    List<Text> texts)
    implements StatementPlan {

  InsertBesidePlan {
    texts = List.copyOf(texts);
  }

  /** What stands in front of the query and behind it. */
  record Text(AimedText head, AimedText tail) {

    ShardQuery around(ShardQuery middle, SlotValues values) {
      var sql = new SqlBuffer(middle.sql().length + 128);
      head.appendTo(sql, values);
      sql.append((byte) ' ').append(middle.sql());
      if (!tail.isEmpty()) {
        sql.append((byte) ' ');
        tail.appendTo(sql, values);
      }
      int[] parameters =
          Stream.of(head.parameters(), middle.parameters(), tail.parameters())
              .flatMapToInt(IntStream::of)
              .toArray();
      return new ShardQuery(middle.dataSource(), sql.toByteArray(), parameters);
    }
  }

  @Override
  public Access access() {
    return Access.WRITE;
  }

  @Override
  public BoundPlan bind(SlotValues statement) {
    SlotValues values = query.values(statement);
    return switch (placement.targets(values)) {
      case Targets.One one ->
          new BoundPlan.Single(
              texts
                  .get(one.nodes()[leader])
                  .around(single.query(one.dataSource(), one.nodes(), values), statement));
      case Targets.Many many -> {
        var queries = new ArrayList<ShardQuery>();
        int[] nodes = new int[placement.layouts().size()];
        for (int leg : many.legs().stream().toArray()) {
          Arrays.fill(nodes, leg);
          String source = placement.layout(leader).node(leg).dataSource();
          queries.add(texts.get(leg).around(single.part(source, nodes, values), statement));
        }
        yield new BoundPlan.Merged(new PlanNode.Write(queries, PlanNode.Summing.SUM, true));
      }
      case Targets.Apart apart ->
          throw ErrorCatalogue.NOT_EXACT.refuse(apart.construct(), "read the rows first");
    };
  }
}
