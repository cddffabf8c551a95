package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.metadata.CatalogueTable;
import io.anabranch.rules.metadata.SeenDatabases;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.planner.endpoint.CatalogueFilter;
import io.anabranch.rules.planner.endpoint.CatalogueReach;
import io.anabranch.rules.planner.endpoint.PassThroughPlan;
import io.anabranch.rules.planner.endpoint.SchemaNames;
import io.anabranch.rules.planner.maintenance.AcrossShards;
import io.anabranch.rules.planner.maintenance.MaintenancePlanner;
import io.anabranch.rules.planner.query.QueryPlanner;
import io.anabranch.rules.planner.show.RenamedAnswer;
import io.anabranch.rules.planner.show.RoutineListing;
import io.anabranch.rules.rewrite.DatabaseCalls;
import io.anabranch.rules.rewrite.ItemNames;
import io.anabranch.rules.rewrite.RequalifiedPlan;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.table.AccessChoice;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.StatementHints;
import java.util.Set;

/**
 * Plans for databases without table rules, and for statements whose hint names their data source:
 * nothing is parsed, the statement goes on as it is, but for the database's own name where the
 * server calls it something else.
 */
final class PassThroughPlanner implements KindPlanner {

  @Override
  public StatementPlan plan(PlanTask task) {
    var database = task.database();
    var scope = task.scope();
    var source = task.source();
    boolean maintains = task.scan().kind() == StatementKind.TABLE_MAINTENANCE;
    if (maintains && database.isPassThrough() && AcrossShards.isAsked(source)) {
      return new MaintenancePlanner().plan(task);
    }
    var hints = StatementHints.of(task.scan(), scope.charset());
    String hinted = hints.dataSource();
    Set<String> known = StatementHints.dataSources(database);
    if (hinted != null && !known.contains(hinted)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "DATA_SOURCE_NAME=" + hinted, "name one of " + String.join(", ", known));
    }
    String endpoint = hinted == null ? database.endpoints().getFirst() : hinted;
    Access access = AccessChoice.of(task, source, hints);
    NameMapping names = NameMapping.ofSchema(database.name());
    var schemas = new SchemaNames(task, source.tokens());
    boolean readsCatalogue = CatalogueTable.isMentioned(source.tokens());
    boolean calls = !DatabaseCalls.in(source.tokens()).isEmpty();
    boolean isListing = hinted == null && RoutineListing.status(source.tokens()) > 0;
    boolean named =
        SchemaNames.isMentioned(source.tokens(), database.name())
            || calls
            || readsCatalogue
            || isListing
            || RenamedAnswer.concerns(task.scan().kind(), source.tokens());
    String schema = named ? task.catalog().defaultSchema(endpoint) : "";
    boolean isRenamed = named && (!schema.equals(database.name()) || schemas.hasOtherThan(schema));
    boolean isSelect = hinted == null && task.scan().kind() == StatementKind.SELECT;
    boolean isWider =
        isSelect && readsCatalogue && (isRenamed || CatalogueReach.isWider(task, source.tokens()));
    if (isWider) {
      return catalogue(task, source, endpoint, access, isRenamed);
    }
    boolean isFiltered = isRenamed || !scope.permitted().isAll();
    if (isListing && (isFiltered || !new SeenDatabases(task, null).isEmpty())) {
      return RoutineListing.plan(task, source);
    }
    var edits = new SourceEdits(source);
    if (isRenamed) {
      DatabaseCalls.replace(edits, scope);
      schemas.replace(edits, schema);
    }
    if (CatalogueFilter.concerns(task, source.tokens())) {
      return new CatalogueFilter(task, edits, endpoint).plan(access);
    }
    boolean isOther = hinted == null && isRenamed && !schema.equals(database.name());
    if (isOther && RenamedAnswer.concerns(task.scan().kind(), source.tokens())) {
      return RenamedAnswer.of(task, edits, endpoint, schema);
    }
    if (!isRenamed || !(calls || schemas.hasOwn())) {
      // whether the server's own catalogue will do was told by the schemas that literals name
      boolean isLasting = !readsCatalogue;
      return new PassThroughPlan(
          task.scan().kind(), access, names, new BoundPlan.AsIs(endpoint), isLasting);
    }
    int[] guards = ItemNames.keep(edits);
    return new RequalifiedPlan(
        task.scan().kind(), access, names, endpoint, edits.copy(0, source.bytes().length), guards);
  }

  /** What the parser does not take is kept to the server's own rows, where that is all there is. */
  private static StatementPlan catalogue(
      PlanTask task, SourceText source, String endpoint, Access access, boolean isRenamed) {
    try {
      return new QueryPlanner().plan(task);
    } catch (RefusedException refused) {
      if (isRenamed || !new SeenDatabases(task, null).elsewhere().isEmpty()) {
        throw refused;
      }
      return new CatalogueFilter(task, new SourceEdits(source), endpoint).plan(access);
    }
  }
}
