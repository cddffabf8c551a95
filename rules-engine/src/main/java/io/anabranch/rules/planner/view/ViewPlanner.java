package io.anabranch.rules.planner.view;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.endpoint.DefaultEndpointPlanner;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.LogicalViews;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;

/**
 * CREATE, ALTER and DROP VIEW. A view lives where the single tables are that it reads; broadcast
 * tables are there, too. Of sharded ones it reads a node there: what it means for the others is
 * told by {@link LogicalViews}. What the configuration lists as a table of several nodes is a
 * {@link ListedView}.
 */
public final class ViewPlanner {

  private static final int LATEST_VIEW = 24;

  private final StatementReader reader = new StatementReader();

  /** Token of the word VIEW; -1 if the statement is about something else. */
  public static int view(SqlTokens tokens) {
    int word =
        tokens
            .between(1, LATEST_VIEW)
            .find(i -> tokens.isAnyWord(i, "AS", "VIEW") || tokens.isPunctuation(i, '.'));
    return tokens.isWord(word, "VIEW") ? word : -1;
  }

  /**
   * The view that a CREATE or ALTER is about.
   *
   * @param view the word
   */
  public static TableMention named(SourceText source, int view) {
    return TableMention.at(source, TableMention.behindCondition(source.tokens(), view + 1));
  }

  public StatementPlan plan(PlanTask task, SourceText source, int view) {
    SqlTokens tokens = source.tokens();
    if (tokens.isWord(0, "DROP")) {
      return drop(task, source, view + 1);
    }
    int as =
        tokens
            .between(view + 1, tokens.size() - 1)
            .findName(i -> tokens.isWord(i, "AS") && tokens.depth(i) == 0);
    return as < 0
        ? new DefaultEndpointPlanner().plan(task, source)
        : create(task, source, view, as + 1);
  }

  private StatementPlan create(PlanTask task, SourceText source, int view, int query) {
    TableMention mention = named(source, view);
    new TableDirectory(task).requireDatabase(mention.qualifier());
    ListedView listed = ListedView.of(task, source, mention);
    if (listed != null) {
      return listed.plan(query);
    }
    Analysis analysis = analysis(task, source, source.tokens().start(query));
    var definition = new ViewDefinition(task, source, mention, query, analysis);
    if (definition.isSharded()) {
      return definition.plan();
    }
    String endpoint = whereTablesAre(analysis, definition.usual());
    definition.requireFreeElsewhere(endpoint);
    return new DefaultEndpointPlanner().at(task, source, endpoint);
  }

  private static StatementPlan drop(PlanTask task, SourceText source, int from) {
    SqlTokens tokens = source.tokens();
    int at = tokens.isWord(from, "IF") ? from + 2 : from;
    List<TableMention> views = TableMention.list(source, at);
    var directory = new TableDirectory(task);
    directory.requireDatabases(views, at > from, ErrorCatalogue.UNKNOWN_VIEW);
    var endpoints = new ArrayList<String>();
    for (TableMention view : views) {
      switch (directory.find(view.qualifier(), view.name())) {
        case TablePlace.Single single -> endpoints.add(single.endpoint());
        case TablePlace.Absent absent -> endpoints.add(absent.endpoint());
        case TablePlace.Sharded _, TablePlace.Broadcast _ -> {
          return ListedView.drop(task, source, views);
        }
      }
    }
    return new DefaultEndpointPlanner()
        .at(task, source, only(endpoints, directory.defaultEndpoint()));
  }

  private static String whereTablesAre(Analysis analysis, String usual) {
    var endpoints = new ArrayList<String>();
    for (PlacedTable table : analysis.tables()) {
      if (table instanceof PlacedTable.Single single) {
        endpoints.add(single.dataSource());
      }
    }
    return only(endpoints, usual);
  }

  /** The tables of a query that ends the statement; it starts at a character offset. */
  List<PlacedTable> tables(PlanTask task, SourceText source, int start) {
    return analysis(task, source, start).tables();
  }

  private Analysis analysis(PlanTask task, SourceText source, int start) {
    return reader.read(task.of(source.encode(source.text().substring(start))));
  }

  private static String only(List<String> endpoints, String usual) {
    List<String> different = endpoints.stream().distinct().toList();
    if (different.size() > 1) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a statement about views in data sources " + String.join(" and ", different),
          "write a statement for each of them");
    }
    return different.isEmpty() ? usual : different.getFirst();
  }
}
