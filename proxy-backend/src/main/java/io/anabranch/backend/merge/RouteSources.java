package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowStream;
import io.anabranch.rules.plan.PlanNode;
import java.util.List;

/** Opens the queries of a plan's leaves. */
public interface RouteSources {

  /** One stream per query; all may be read at the same time. */
  List<RowStream> together(PlanNode.Route route);

  /** Streams that together give the rows of all queries, read to the end one after the other. */
  List<RowStream> inTurn(PlanNode.Route route);

  /**
   * Rows whose stream opens routes one after the other, on the same connections.
   *
   * @param node whose queries these are
   */
  RowStream kept(PlanNode node, RowStream rows);

  /**
   * The rows of a statement over copies of tables.
   *
   * @param inputs builds the streams of the rows to copy
   */
  RowStream staged(PlanNode.Stage stage, StreamTree inputs);
}
