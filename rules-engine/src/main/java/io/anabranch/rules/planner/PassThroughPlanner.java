package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.StatementDigest;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.ReadPolicy.Destination;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.sql.TableNames;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
    var source =
        SourceText.of(
            task.scan(),
            scope.charset(),
            LexerMode.of(scope.charset(), scope.ansiQuotes(), scope.noBackslashEscapes()));
    var hints = StatementHints.of(task.scan(), scope.charset());
    String hinted = hints.dataSource();
    Set<String> known = StatementHints.dataSources(database);
    if (hinted != null && !known.contains(hinted)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "DATA_SOURCE_NAME=" + hinted, "name one of " + String.join(", ", known));
    }
    String endpoint = hinted == null ? database.endpoints().getFirst() : hinted;
    Access access = access(task, source, hints);
    NameMapping names = NameMapping.ofSchema(database.name());
    List<Integer> qualifiers =
        DatabaseQualifiers.of(source.tokens(), database.name(), outOfReach(task));
    boolean readsCatalogue = CatalogueTable.isMentioned(source.tokens());
    boolean named =
        !qualifiers.isEmpty() || !DatabaseCalls.in(source.tokens()).isEmpty() || readsCatalogue;
    String schema = named ? task.catalog().defaultSchema(endpoint) : "";
    boolean isRenamed = named && !schema.equalsIgnoreCase(database.name());
    boolean isSelect = hinted == null && task.scan().kind() == StatementKind.SELECT;
    boolean isMapped = isRenamed && isSelect && readsCatalogue;
    if (CatalogueFilter.concerns(task, source.tokens()) && !isMapped) {
      return new CatalogueFilter(task, source, endpoint).plan(access);
    }
    if (!isRenamed) {
      return new PassThroughPlan(task.scan().kind(), access, names, new BoundPlan.AsIs(endpoint));
    }
    if (readsCatalogue) {
      return isMapped
          ? new QueryPlanner().plan(task)
          : new PassThroughPlan(task.scan().kind(), access, names, new BoundPlan.AsIs(endpoint));
    }
    var edits = new SourceEdits(source);
    DatabaseCalls.replace(edits, scope);
    for (int token : qualifiers) {
      edits.replace(
          edits.start(token),
          edits.end(token),
          List.of(edits.text(TableNames.quotedIfNeeded(schema))));
    }
    int[] guards = ItemNames.keep(edits);
    return new RequalifiedPlan(
        task.scan().kind(), access, names, endpoint, edits.copy(0, source.bytes().length), guards);
  }

  /** Names of the logical databases that are not on the same server. */
  private static Set<String> outOfReach(PlanTask task) {
    var names = new HashSet<String>();
    task.rules()
        .databases()
        .forEach(
            (name, other) -> {
              if (!task.database().isBeside(other)) {
                names.add(name);
              }
            });
    return names;
  }

  /**
   * A replica may run queries that surely change nothing, lock nothing and read no session state,
   * and what the groups' rules for statements say. All else is the primary's, as ShardingSphere has
   * it: SHOW too.
   */
  static Access access(PlanTask task, SourceText source, StatementHints hints) {
    Scan scan = task.scan();
    boolean isQuery =
        scan.kind() == StatementKind.SELECT || scan.kind() == StatementKind.QUERY_EXPRESSION;
    if (!isQuery || scan.mayLock() || hints.primaryOnly()) {
      return Access.WRITE;
    }
    Destination wanted = destination(task, source);
    if (wanted != null) {
      return wanted == Destination.REPLICA ? Access.READ : Access.WRITE;
    }
    return !scan.hasExecutableComment() && !SessionWords.needPrimary(source.tokens())
        ? Access.READ
        : Access.WRITE;
  }

  /** What a group of the database says of this statement; null: nothing. */
  private static @Nullable Destination destination(PlanTask task, SourceText source) {
    for (ReplicationGroup group : task.database().groups().values()) {
      if (!group.reads().digests().isEmpty()) {
        Destination found = group.reads().digests().get(StatementDigest.of(source.tokens()));
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }
}
