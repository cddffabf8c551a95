package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.rewrite.SqlRendering;
import io.anabranch.rules.routing.NodeLayout;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a scattered query: per data source one, whose legs are joined by UNION ALL.
 *
 * @param leg the query for one node, without ORDER BY and LIMIT
 * @param order ORDER BY by column positions, as it stands behind a leg; empty: none
 * @param unionOrder the same behind a union, whose table may keep less of a column
 * @param tail FOR UPDATE and the like; then each leg is a statement of its own
 * @param mostLegs legs of one union
 * @param dates names of the columns of dates, which a union may change; null: it changes none
 */
public record LegSql(
    NodeLayout layout,
    ShardedNames names,
    int tables,
    List<Piece> leg,
    String order,
    String unionOrder,
    List<Piece> tail,
    int mostLegs,
    @Nullable Set<String> dates,
    Charset charset) {

  private static final int LONGEST_STATEMENT = 1 << 20;

  public LegSql {
    leg = List.copyOf(leg);
    tail = List.copyOf(tail);
  }

  /** The same with a statement for each node. */
  LegSql apart() {
    return new LegSql(layout, names, tables, leg, order, unionOrder, tail, 1, null, charset);
  }

  /** The same, of which it is known by now which columns are of dates. */
  LegSql dated(Set<String> columns) {
    return new LegSql(
        layout, names, tables, leg, order, unionOrder, tail, mostLegs, columns, charset);
  }

  /** Whether the nodes of a data source are asked in one statement. */
  boolean unites() {
    return mostLegs > 1 && !layout.hasOneNodePerSource();
  }

  /**
   * @param limit rows that each leg and each union need to give at most; negative: all
   */
  public List<ShardQuery> queries(BitSet legs, long limit, SlotValues values) {
    Map<String, List<Integer>> bySource = new LinkedHashMap<>();
    for (int node = legs.nextSetBit(0); node >= 0; node = legs.nextSetBit(node + 1)) {
      bySource
          .computeIfAbsent(layout.node(node).dataSource(), source -> new ArrayList<>())
          .add(node);
    }
    String limited = limit < 0 ? "" : " LIMIT " + limit;
    boolean apart = dates != null && unites() && MissingDays.areGiven(leg, values);
    int most = apart ? 1 : mostLegs;
    var queries = new ArrayList<ShardQuery>();
    for (var entry : bySource.entrySet()) {
      List<Integer> nodes = entry.getValue();
      int done = 0;
      while (done < nodes.size()) {
        int count = Math.min(most, nodes.size() - done);
        done += union(entry.getKey(), nodes.subList(done, done + count), limited, values, queries);
      }
    }
    return queries;
  }

  /** Adds one statement for the first of {@code nodes} and tells for how many. */
  private int union(
      String dataSource,
      List<Integer> nodes,
      String limit,
      SlotValues values,
      List<ShardQuery> to) {
    byte[] end = bytes(order + limit);
    boolean alone = nodes.size() == 1;
    boolean limited = !limit.isEmpty();
    List<Piece> followers = FollowingLeg.of(leg);
    var rendering = new SqlRendering(values, names, 1024);
    int[] targets = new int[tables];
    int count = 0;
    while (count < nodes.size()
        && (count == 0 || rendering.length() * (count + 1L) / count < LONGEST_STATEMENT)) {
      Arrays.fill(targets, nodes.get(count));
      rendering.append(bytes(count > 0 ? " UNION ALL (" : alone ? "" : "("));
      rendering.append(count == 0 ? leg : followers, targets);
      if (alone || limited) {
        rendering.append(end);
      }
      rendering.append(tail, targets);
      rendering.append(bytes(alone ? "" : ")"));
      count++;
    }
    if (!alone) {
      rendering.append(bytes(unionOrder + limit));
    }
    ShardQuery query = rendering.query(dataSource);
    to.add(alone ? query : query.united(dates));
    return count;
  }

  private byte[] bytes(String text) {
    return text.getBytes(charset);
  }
}
