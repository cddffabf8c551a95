package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.StatementPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * CREATE, ALTER and DROP VIEW. A view lives where the single tables are that it reads; broadcast
 * tables are there, too. Of sharded ones it reads a node there: what it means for the others is
 * told by {@link LogicalViews}.
 */
final class ViewPlanner {

  private static final int LATEST_VIEW = 24;

  private final StatementReader reader = new StatementReader();

  /** Token of the word VIEW; -1 if the statement is about something else. */
  static int view(SqlTokens tokens) {
    for (int i = 1; i < Math.min(LATEST_VIEW, tokens.size()); i++) {
      if (tokens.isWord(i, "AS") || tokens.isPunctuation(i, '.')) {
        return -1;
      }
      if (tokens.isWord(i, "VIEW")) {
        return i;
      }
    }
    return -1;
  }

  StatementPlan plan(PlanTask task, SourceText source, int view) {
    SqlTokens tokens = source.tokens();
    var other = new DefaultEndpointPlanner();
    if (tokens.isWord(0, "DROP")) {
      return other.at(task, source, whereViewsAre(task, source, view + 1));
    }
    for (int i = view + 1; i + 1 < tokens.size(); i++) {
      if (tokens.isWord(i, "AS") && tokens.depth(i) == 0) {
        return create(task, source, view, i + 1);
      }
    }
    return other.plan(task, source);
  }

  private StatementPlan create(PlanTask task, SourceText source, int view, int query) {
    int at = view + 1;
    while (source.tokens().isWord(at, "IF")
        || source.tokens().isWord(at, "NOT")
        || source.tokens().isWord(at, "EXISTS")) {
      at++;
    }
    TableMention mention = TableMention.at(source, at);
    Analysis analysis = analysis(task, source, source.tokens().start(query));
    var definition = new ViewDefinition(task, source, mention, query, analysis);
    if (definition.isSharded()) {
      return definition.plan();
    }
    String endpoint = whereTablesAre(task, analysis);
    definition.requireFreeElsewhere(endpoint);
    return new DefaultEndpointPlanner().at(task, source, endpoint);
  }

  private static String whereViewsAre(PlanTask task, SourceText source, int from) {
    SqlTokens tokens = source.tokens();
    int at = tokens.isWord(from, "IF") ? from + 2 : from;
    var endpoints = new ArrayList<String>();
    TableMention mention = TableMention.at(source, at);
    endpoints.add(whereViewIs(task, mention));
    while (tokens.isPunctuation(mention.behind(), ',')) {
      mention = TableMention.at(source, mention.behind() + 1);
      endpoints.add(whereViewIs(task, mention));
    }
    return only(endpoints, task);
  }

  private static String whereViewIs(PlanTask task, TableMention view) {
    return switch (new TableDirectory(task).find(view.qualifier(), view.name())) {
      case TablePlace.Single single -> single.endpoint();
      case TablePlace.Absent absent -> absent.endpoint();
      case TablePlace.Sharded ignored -> throw ViewDefinition.configured(task, view);
      case TablePlace.Broadcast ignored -> throw ViewDefinition.configured(task, view);
    };
  }

  private static String whereTablesAre(PlanTask task, Analysis analysis) {
    var endpoints = new ArrayList<String>();
    for (PlacedTable table : analysis.tables()) {
      if (table instanceof PlacedTable.Single single) {
        endpoints.add(single.dataSource());
      }
    }
    return only(endpoints, task);
  }

  /** The tables of a query that ends the statement; it starts at a character offset. */
  List<PlacedTable> tables(PlanTask task, SourceText source, int start) {
    return analysis(task, source, start).tables();
  }

  private Analysis analysis(PlanTask task, SourceText source, int start) {
    byte[] query = source.encode(source.text().substring(start));
    var scope = task.scope();
    var mode = LexerMode.of(scope.charset(), scope.ansiQuotes(), scope.noBackslashEscapes());
    Scan scan = new SqlScanner().scan(query, 0, query.length, mode, new Scan());
    return reader.read(task.of(scan, scope, task.catalog()));
  }

  private static String only(List<String> endpoints, PlanTask task) {
    List<String> different = endpoints.stream().distinct().toList();
    if (different.size() > 1) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a statement about views in data sources " + String.join(" and ", different),
          "write a statement for each of them");
    }
    return different.isEmpty() ? new TableDirectory(task).defaultEndpoint() : different.getFirst();
  }
}
