package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.SqlBuffer;
import io.anabranch.rules.plan.StatementPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * CREATE or ALTER VIEW over sharded tables: made in one data source over nodes that it has. Used
 * once.
 *
 * @param view how the statement names it
 * @param query token where its query starts
 * @param analysis of the query
 */
record ViewDefinition(
    PlanTask task, SourceText source, TableMention view, int query, Analysis analysis) {

  boolean isSharded() {
    return !analysis.sharded().isEmpty() || ViewExpansion.isNeeded(analysis);
  }

  StatementPlan plan() {
    var read = new HomeQuery(analysis);
    String home = read.home("a view", "write its query where it is needed");
    requireFreeElsewhere(home);
    var sql = new SqlBuffer(source.bytes().length + 64);
    var rewriting = new TableRewriting(source, task.database().name(), List.of(view));
    sql.append(rewriting.template(0, query).aimedAt(home, List.of(view.name())).constant().sql());
    sql.append((byte) ' ');
    read.appendTo(sql, home, analysis.source().bytes().length);
    NameMapping names = QueryPlanner.mapping(analysis);
    return FixedPlan.of(
        task,
        StatementPlan.Access.WRITE,
        names,
        new BoundPlan.Single(ShardQuery.text(home, sql.toByteArray())));
  }

  /** A name stands for one thing in all data sources. */
  void requireFreeElsewhere(String home) {
    String elsewhere =
        switch (new TableDirectory(task).find(view.qualifier(), view.name())) {
          case TablePlace.Single single when single.endpoint().equals(home) -> null;
          case TablePlace.Absent ignored -> null;
          case TablePlace.Single single -> single.name();
          case TablePlace.Sharded sharded -> {
            requireTable(sharded.table().nodes());
            yield sharded.table().name();
          }
          case TablePlace.Broadcast broadcast -> {
            requireTable(List.of(new DataNode(home, broadcast.name())));
            yield broadcast.name();
          }
        };
    refuse(elsewhere);
  }

  /** A name of the configuration is taken only if there is something. */
  private void requireTable(List<DataNode> nodes) {
    boolean creates = source.tokens().isWord(0, "CREATE") && !source.tokens().isWord(1, "OR");
    if (!creates || task.catalog().table(nodes).isEmpty()) {
      throw configured(task, view);
    }
  }

  /** Users of ShardingSphere list views among the tables; here they are found by themselves. */
  static RefusedException configured(PlanTask task, TableMention view) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "CREATE, ALTER or DROP VIEW of '"
            + view.name()
            + "', which the configuration of "
            + task.database().name()
            + " lists as a sharded or broadcast table,",
        "take it out of the configuration: views over sharded tables need none; a table is dropped"
            + " by DROP TABLE");
  }

  private static void refuse(@Nullable String existing) {
    if (existing != null) {
      throw ErrorCatalogue.TABLE_EXISTS.refuse(existing);
    }
  }
}
