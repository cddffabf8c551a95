package io.anabranch.backend.merge;

import io.anabranch.rules.plan.PlanNode;
import java.util.List;

/** Opens the queries of a route. */
public interface RouteSources {

  /** One stream per query; all may be read at the same time. */
  List<RowStream> together(PlanNode.Route route);

  /** Streams that together give the rows of all queries, read to the end one after the other. */
  List<RowStream> inTurn(PlanNode.Route route);
}
