package io.anabranch.rules.planner.query;

import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan.PassedOver;
import io.anabranch.rules.planner.strategy.Attempt;
import io.anabranch.rules.planner.strategy.Scatter;
import io.anabranch.rules.planner.strategy.Strategy;
import io.anabranch.rules.resolve.PlacedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How a query is answered that one node cannot answer: by the first of its strategies that takes
 * it, {@code SELECT COUNT(*) FROM t} by merging.
 *
 * @param together where all of its tables meet
 * @param apart where they do not
 * @param names of all tables that are read
 * @param guardedSlots slots whose literals decided
 * @param passedOver strategies in front of the one that answers
 */
record OverNodes(
    Scatter together,
    Scatter apart,
    NameMapping names,
    int[] guardedSlots,
    List<PassedOver> passedOver) {

  /** By none of them. */
  static OverNodes none(PlacedStatement query, Scatter instead) {
    return new OverNodes(instead, instead, query.mapping(), new int[0], List.of());
  }

  /**
   * @param strategies in the order in which they are tried
   */
  static OverNodes of(PlacedStatement query, List<Strategy> strategies) {
    var search = new Search(query);
    for (Strategy strategy : strategies) {
      if (search.needs(strategy)) {
        search.look(strategy);
      }
    }
    return search.found();
  }

  /** Whether nothing of it is to be looked at again. */
  boolean isLasting() {
    return together.isLasting() && apart.isLasting();
  }

  private static final class Search {

    private final boolean isAlwaysOne;
    private final boolean mayBeApart;
    private final List<PassedOver> passedOver = new ArrayList<>();
    private NameMapping names;
    private int[] guards = {};
    private Refusal last = new Refusal("this query over several nodes", "restrict it to one shard");
    private @Nullable Scatter together;
    private @Nullable Scatter apart;

    Search(PlacedStatement query) {
      var placement = query.placement();
      this.isAlwaysOne = query.analysis().sharded().isEmpty() && !placement.isSplit();
      this.mayBeApart = placement.hasSingleTables();
      this.names = query.mapping();
    }

    boolean needs(Strategy strategy) {
      return !isAlwaysOne
          && (together == null || (mayBeApart && apart == null && strategy.bringsTogether()));
    }

    void look(Strategy strategy) {
      Attempt attempt = strategy.attempt();
      guards =
          IntStream.concat(Arrays.stream(guards), Arrays.stream(attempt.guardedSlots())).toArray();
      switch (attempt) {
        case Attempt.Taken taken -> {
          names = taken.names();
          together = together == null ? taken.scatter() : together;
          apart = strategy.bringsTogether() ? taken.scatter() : apart;
          if (taken.scatter() instanceof Detour detour) {
            passedOver.addAll(detour.rows().plan().passedOver());
          }
        }
        case Attempt.Declined declined -> {
          last = declined.reason();
          if (together == null) {
            passedOver.add(new PassedOver(strategy.name(), last));
          }
        }
        case Attempt.Unconcerned _ -> {}
      }
    }

    OverNodes found() {
      Scatter refused = new Scatter.Refused(last);
      Scatter here = together == null ? refused : together;
      Scatter there = apart != null ? apart : mayBeApart ? refused : here;
      return new OverNodes(here, there, names, guards, List.copyOf(passedOver));
    }
  }
}
