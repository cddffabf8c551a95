package io.anabranch.rules.planner.definition;

import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.CreateQuery;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.TemplatePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * DDL of temporary tables: each lives in one connection of the session, that of the default
 * endpoint unless it is made of what lies elsewhere. Used once.
 */
final class TemporaryPlanner {

  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;
  private final DdlSyntax syntax;
  private final KindPlanner statements;
  private final TemporaryTables temporaries;
  private final TableDirectory directory;

  /**
   * @param statements plans the rows of CREATE … SELECT
   */
  TemporaryPlanner(PlanTask task, SourceText source, DdlSyntax syntax, KindPlanner statements) {
    this.statements = statements;
    this.task = task;
    this.source = source;
    this.tokens = source.tokens();
    this.syntax = syntax;
    this.temporaries = task.scope().temporaries();
    this.directory = new TableDirectory(task);
  }

  /** The plan of a statement about temporary tables; null for all others. */
  @Nullable StatementPlan plan() {
    if (TemporaryTables.isCreate(tokens)) {
      return create();
    }
    boolean drops = tokens.isWord(0, "DROP");
    if (drops && tokens.isWord(1, "TEMPORARY")) {
      return at(dropped(), syntax.tables());
    }
    boolean own = false;
    for (TableMention table : syntax.tables()) {
      own |= temporaries.find(table.name()) != null;
    }
    if (!own) {
      return null;
    }
    refuseRenaming();
    return drops ? at(dropped(), syntax.tables()) : null;
  }

  // ---------------------------------------------------------------- CREATE

  private StatementPlan create() {
    TableMention table = syntax.tables().getFirst();
    requireOwnDatabase(table);
    String name = table.name().toLowerCase(Locale.ROOT);
    if (directory.actualNames().contains(name)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a temporary table called like the part '" + table.name() + "' of a sharded table",
          "give it another name");
    }
    if (!syntax.joined().isEmpty()) {
      new JoinedTables(task, tokens, syntax)
          .check(new TablePlace.Absent(free(table, null), table.name()));
    }
    if (!syntax.others().isEmpty()) {
      return like(table, syntax.others().getFirst());
    }
    CreateQuery query = CreateQuery.of(tokens, syntax);
    return query == null ? at(free(table, null), syntax.tables()) : filled(table, query);
  }

  private StatementPlan like(TableMention table, TableMention model) {
    TablePlace place = directory.require(model.qualifier(), model.name());
    String usual = free(table, null);
    DataNode node =
        switch (place) {
          case TablePlace.Sharded sharded ->
              sharded.table().nodes().stream()
                  .filter(one -> one.dataSource().equals(usual))
                  .findFirst()
                  .orElse(sharded.table().nodes().getFirst());
          case TablePlace.Broadcast broadcast -> new DataNode(usual, broadcast.name());
          case TablePlace.Single single -> new DataNode(single.endpoint(), single.name());
          case TablePlace.Absent absent -> throw directory.unknown(absent.name());
        };
    var rewriting = new TableRewriting(source, task.database().name(), List.of(table, model));
    return new TemplatePlan(
        task.scan().kind(),
        NameMapping.ofSchema(task.database().name()),
        List.of(
            rewriting
                .template()
                .aimedAt(free(table, node.dataSource()), List.of(table.name(), node.table()))),
        false);
  }

  /** CREATE … SELECT: where all that it reads is, or filled like by INSERT … SELECT. */
  private StatementPlan filled(TableMention table, CreateQuery query) {
    TemporaryTables.Table existing = temporaries.find(table.name());
    var made = new CreateSelect(task, source, syntax, query);
    String place = made.onePlace();
    if (place != null) {
      return at(free(table, place.isEmpty() ? null : place), syntax.tables());
    }
    if (existing == null) {
      return made.temporary(directory.defaultEndpoint(), statements);
    }
    if (tokens.isWord(1, "OR")) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "replacing the temporary table '" + table.name() + "' by rows of several data sources",
          "drop it first");
    }
    if (!tokens.isWord(table.first() - 1, "EXISTS")) {
      throw ErrorCatalogue.TABLE_EXISTS.refuse(table.name());
    }
    String sql = "CREATE TEMPORARY TABLE IF NOT EXISTS " + TableNames.quoted(table.name());
    return FixedPlan.write(
        task,
        new BoundPlan.Single(
            ShardQuery.text(existing.endpoint(), source.encode(sql + " (n INT)"))));
  }

  /** Where the table is made: in the data source of one that it replaces or collides with. */
  private String free(TableMention table, @Nullable String wanted) {
    TemporaryTables.Table existing = temporaries.find(table.name());
    if (existing == null) {
      return wanted == null ? directory.defaultEndpoint() : wanted;
    }
    if (wanted != null && !wanted.equals(existing.endpoint())) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "replacing the temporary table '" + table.name() + "' by one of another data source",
          "drop it first");
    }
    return existing.endpoint();
  }

  // ---------------------------------------------------------------- DROP and others

  /** The one data source whose connection knows all of the tables. */
  private String dropped() {
    var places = new TreeSet<String>();
    for (TableMention table : syntax.tables()) {
      requireOwnDatabase(table);
      TemporaryTables.Table own = temporaries.find(table.name());
      if (own != null) {
        places.add(own.endpoint());
      } else if (!tokens.isWord(1, "TEMPORARY")) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "DROP TABLE of temporary tables and others", "drop them by statements of their own");
      }
    }
    if (places.size() > 1) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "DROP of temporary tables in data sources " + String.join(" and ", places),
          "drop them by statements of their own");
    }
    return places.isEmpty() ? directory.defaultEndpoint() : places.first();
  }

  private void refuseRenaming() {
    if (!syntax.renamed().isEmpty()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "renaming a temporary table of a sharded database", "create another one");
    }
  }

  private void requireOwnDatabase(TableMention table) {
    String qualifier = table.qualifier();
    if (qualifier != null && !qualifier.equalsIgnoreCase(task.database().name())) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a temporary table of another database (" + qualifier + ")", "USE that database first");
    }
  }

  private StatementPlan at(String endpoint, List<TableMention> tables) {
    var mentions = new ArrayList<TableMention>(tables);
    var rewriting = new TableRewriting(source, task.database().name(), mentions);
    return new TemplatePlan(
        task.scan().kind(),
        NameMapping.ofSchema(task.database().name()),
        List.of(
            rewriting
                .template()
                .aimedAt(endpoint, mentions.stream().map(TableMention::name).toList())),
        false);
  }
}
