package io.anabranch.rules.planner.program;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.endpoint.DefaultEndpointPlanner;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.syntax.query.TriggerBody;
import io.anabranch.rules.table.LogicalViews;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.TemplatePlan;
import java.util.List;
import java.util.Set;

/**
 * CREATE, ALTER and DROP of stored functions, procedures and events. Functions that use nothing but
 * broadcast tables are made in all data sources, because statements call them where their rows are;
 * all else lives in the default one. Used once.
 */
public final class RoutinePlanner {

  private static final Set<String> FIRST_WORDS =
      Set.of(
          "BEGIN",
          "RETURN",
          "INSERT",
          "UPDATE",
          "DELETE",
          "REPLACE",
          "SELECT",
          "SET",
          "IF",
          "CASE",
          "CALL",
          "WHILE",
          "LOOP",
          "REPEAT",
          "DO",
          "WITH",
          "TRUNCATE",
          "CREATE",
          "ALTER",
          "DROP",
          "RENAME");

  private static final int LATEST = 24;

  private static final String[] KINDS = {"FUNCTION", "PROCEDURE", "EVENT"};

  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;

  /** Whether a data source without the single tables could run it. */
  private boolean isAnywhere = true;

  public RoutinePlanner(PlanTask task, SourceText source) {
    this.task = task;
    this.source = source;
    this.tokens = source.tokens();
  }

  /**
   * Token of the word FUNCTION, PROCEDURE or EVENT; -1 if the statement is about something else.
   */
  public static int routine(SqlTokens tokens) {
    int found =
        tokens
            .between(1, LATEST)
            .find(
                i ->
                    tokens.isAnyWord(i, KINDS)
                        || tokens.isPunctuation(i, '.')
                        || tokens.isPunctuation(i, '('));
    return tokens.isAnyWord(found, KINDS) ? found : -1;
  }

  /**
   * @param word token of the word FUNCTION, PROCEDURE or EVENT
   */
  public StatementPlan plan(int word) {
    boolean isFunction = tokens.isWord(word, "FUNCTION") && !isOfLibrary();
    TableMention name = TableMention.at(source, TableMention.behindCondition(tokens, word + 1));
    if (isFunction) {
      requireHere(name);
    }
    if (tokens.isWord(0, "CREATE")) {
      look(tokens.lowerName(word), name.behind());
      return isFunction && isAnywhere
          ? at(task.database().endpoints())
          : new DefaultEndpointPlanner().plan(task, source);
    }
    List<String> places = isFunction ? places(name.name()) : List.of();
    return places.isEmpty() ? new DefaultEndpointPlanner().plan(task, source) : at(places);
  }

  /** Functions are looked for in the current database. */
  private void requireHere(TableMention function) {
    String qualifier = function.qualifier();
    if (qualifier != null
        && !qualifier.equalsIgnoreCase(task.database().name())
        && !new TableDirectory(task).isNoDatabase(qualifier)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a function of another logical database (" + qualifier + "." + function.name() + ")",
          "USE that database first");
    }
  }

  /** CREATE FUNCTION … SONAME. */
  private boolean isOfLibrary() {
    return tokens.all().hasWord("SONAME");
  }

  private int body(int from) {
    int first = tokens.isPunctuation(from, '(') ? tokens.closing(from) + 1 : from;
    int at = tokens.from(first).skip(token -> !FIRST_WORDS.contains(tokens.word(token)));
    return tokens.isWord(at, "DO") ? at + 1 : at;
  }

  /**
   * @param kind function, procedure or event
   * @param from behind its name
   */
  private void look(String kind, int from) {
    var directory = new TableDirectory(task);
    new TriggerBody(source, from, body(from))
        .visit(
            new TriggerBody.Uses() {
              @Override
              public void reads(TableMention read) {
                String schema = read.qualifier();
                if (schema != null && LogicalDatabase.isSystemSchema(schema)) {
                  isAnywhere = false;
                  return;
                }
                TablePlace place = directory.find(schema, read.name());
                requireHere(kind, place);
                isAnywhere &= place instanceof TablePlace.Broadcast;
              }

              @Override
              public void writes(TableMention written, String verb, int behind) {
                TablePlace place = directory.find(written.qualifier(), written.name());
                isAnywhere = false;
                requireHere(kind, place);
                new LogicalViews(task).refuseWrite(place);
                if (place instanceof TablePlace.Broadcast broadcast) {
                  throw ErrorCatalogue.NOT_SUPPORTED.refuse(
                      verb
                          + " of the broadcast table '"
                          + broadcast.name()
                          + "' in a stored program, which runs in one data source,",
                      "write to it by statements of the session");
                }
              }
            });
  }

  /** A program runs in the default data source, or in each by itself. */
  private void requireHere(String kind, TablePlace place) {
    String home = new TableDirectory(task).defaultEndpoint();
    String what =
        switch (place) {
          case TablePlace.Sharded sharded -> "the sharded table '" + sharded.table().name() + "'";
          case TablePlace.Single single when single.isShardedView() ->
              "the view '" + single.name() + "' over sharded tables";
          case TablePlace.Single single when !single.endpoint().equals(home) ->
              "the table '" + single.name() + "' of '" + single.endpoint() + "'";
          case TablePlace.Single _, TablePlace.Broadcast _, TablePlace.Absent _ -> "";
        };
    if (!what.isEmpty()) {
      StatementReader.requireSyntax(task);
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          what + " in a stored " + kind + ", which runs in '" + home + "' alone,",
          "run its statements from the session");
    }
  }

  private List<String> places(String function) {
    String sql =
        "SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE()"
            + " AND ROUTINE_TYPE = 'FUNCTION' AND ROUTINE_NAME = "
            + TableNames.literal(function);
    return task.database().endpoints().stream()
        .filter(endpoint -> !task.catalog().rows(endpoint, sql).isEmpty())
        .toList();
  }

  private StatementPlan at(List<String> endpoints) {
    DefaultEndpointPlanner.refuseSharded(task, tokens);
    SqlTemplate template = new TableRewriting(source, task.database().name(), List.of()).template();
    List<AimedText> targets =
        endpoints.stream().map(endpoint -> template.aimedAt(endpoint, List.of())).toList();
    return new TemplatePlan(
        task.scan().kind(), NameMapping.ofSchema(task.database().name()), targets, false);
  }
}
