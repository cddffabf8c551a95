package io.anabranch.rules.planner.view;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.planner.query.HomeQuery;
import io.anabranch.rules.planner.query.ViewExpansion;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.SingleTableSearch;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.PlanTask;
import java.util.List;

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
    String home = read.home(usual(), "a view", "write its query where it is needed");
    requireFreeElsewhere(home);
    var sql = new SqlBuffer(source.bytes().length + 64);
    var rewriting = new TableRewriting(source, task.database().name(), List.of(view));
    sql.append(rewriting.template(0, query).aimedAt(home, List.of(view.name())).constant().sql());
    sql.append((byte) ' ');
    read.appendTo(sql, home, analysis.source().bytes().length);
    NameMapping names = analysis.mapping();
    return FixedPlan.of(
        task,
        StatementPlan.Access.WRITE,
        names,
        new BoundPlan.Single(ShardQuery.text(home, sql.toByteArray())));
  }

  /** Where it goes if nothing that it reads decides: where it is, or where it is listed. */
  String usual() {
    return switch (place()) {
      case TablePlace.Single single -> single.endpoint();
      case TablePlace.Absent absent -> absent.endpoint();
      case TablePlace.Sharded _, TablePlace.Broadcast _ -> throw listed();
    };
  }

  /** A name stands for one thing in all data sources. */
  void requireFreeElsewhere(String home) {
    switch (place()) {
      case TablePlace.Single single -> {
        if (!single.endpoint().equals(home)) {
          throw elsewhere(single, home);
        }
      }
      case TablePlace.Absent absent -> {
        var search = new SingleTableSearch(task);
        if (!search.looksIn(home, absent.name())) {
          throw search.configured(absent.name()).isPresent()
              ? ErrorCatalogue.NOT_SUPPORTED.refuse(
                  "a view '"
                      + view.name()
                      + "', which !SINGLE lists in "
                      + absent.endpoint()
                      + ", over tables in "
                      + home,
                  "list it there, or not at all")
              : ErrorCatalogue.NOT_SUPPORTED.refuse(
                  "a view '"
                      + view.name()
                      + "' over tables in "
                      + home
                      + ", where only what !SINGLE lists is looked for,",
                  "list " + home + "." + view.name() + " under !SINGLE tables");
        }
      }
      case TablePlace.Sharded _, TablePlace.Broadcast _ -> throw listed();
    }
  }

  private RefusedException elsewhere(TablePlace.Single existing, String home) {
    boolean replaces = source.tokens().isWord(0, "ALTER") || source.tokens().isWord(1, "OR");
    return replaces
        ? ErrorCatalogue.NOT_SUPPORTED.refuse(
            "a new query of '"
                + view.name()
                + "', which is in "
                + existing.endpoint()
                + ", over tables in "
                + home,
            "DROP VIEW and make it anew")
        : ErrorCatalogue.TABLE_EXISTS.refuse(existing.name());
  }

  private TablePlace place() {
    return new TableDirectory(task).find(view.qualifier(), view.name());
  }

  private IllegalStateException listed() {
    return new IllegalStateException(view.name() + " is a table of several nodes");
  }
}
