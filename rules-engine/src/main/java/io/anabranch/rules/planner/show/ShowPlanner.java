package io.anabranch.rules.planner.show;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.planner.endpoint.DefaultEndpointPlanner;
import io.anabranch.rules.planner.program.TriggerPlanner;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.ShownCondition;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.syntax.qualifier.SchemaMention;
import io.anabranch.rules.syntax.qualifier.SchemaMentions;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.TemplatePlan;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * SHOW and DESCRIBE. What is about one table is asked of its first node and its name put back; SHOW
 * TABLES is asked of every endpoint with actual names folded into logical ones.
 */
public final class ShowPlanner implements KindPlanner {

  private final KindPlanner explained;

  /**
   * @param statements plans what EXPLAIN is about
   */
  public ShowPlanner(KindPlanner statements) {
    explained = new ExplainPlanner(statements);
  }

  @Override
  public StatementPlan plan(PlanTask task) {
    SourceText source = task.source();
    SqlTokens tokens = source.tokens();
    if (task.scan().parameterCount() > 0) {
      // servers take markers behind WHERE alone
      StatementReader.requireSyntax(task);
    }
    if (tokens.isWord(0, "DESC") || tokens.isWord(0, "DESCRIBE") || tokens.isWord(0, "EXPLAIN")) {
      return explainsStatement(tokens) ? explained.plan(task) : ofTable(task, source, 1);
    }
    if (tokens.isWord(0, "ANALYZE")) {
      ExplainPlanner.refuseChange(task);
    }
    requireNoSubquery(tokens);
    int word = tokens.from(1).skipWords("FULL", "EXTENDED");
    if (RoutineListing.status(tokens) > 0) {
      return RoutineListing.plan(task, source);
    }
    if (tokens.isWord(word, "TABLES")) {
      return tables(task, source, word);
    }
    if (tokens.isWord(word, "TRIGGERS")) {
      int at = ownDatabase(task, source, word + 1);
      requireCondition(task, source, at);
      return at < 0
          ? new DefaultEndpointPlanner().plan(task, source)
          : new TriggerListing(task, source, at).plan();
    }
    if (tokens.isWord(word, "CREATE") && tokens.isWord(word + 1, "TRIGGER")) {
      return new TriggerPlanner(task, source).showCreate(word + 2);
    }
    if (tokens.isWord(word, "CREATE")
        && (tokens.isWord(word + 1, "DATABASE") || tokens.isWord(word + 1, "SCHEMA"))) {
      return ofDatabase(task, source);
    }
    boolean ofView = tokens.isWord(word + 1, "VIEW");
    if (tokens.isWord(word, "CREATE") && (ofView || tokens.isWord(word + 1, "TABLE"))) {
      return ofTable(task, source, word + 2);
    }
    boolean ofTable =
        List.of("COLUMNS", "FIELDS", "INDEX", "INDEXES", "KEYS").stream()
            .anyMatch(tokens.name(Math.min(word, tokens.size() - 1))::equalsIgnoreCase);
    boolean from = tokens.isWord(word + 1, "FROM") || tokens.isWord(word + 1, "IN");
    if (ofTable && from) {
      return ofTable(task, source, word + 2);
    }
    if (tokens.isWord(word, "TABLE") && tokens.isWord(word + 1, "STATUS")) {
      int at = ownDatabase(task, source, word + 2);
      requireCondition(task, source, at);
      return at < 0
          ? new DefaultEndpointPlanner().plan(task, source)
          : new StatusListing(task, source, at).plan();
    }
    return new DefaultEndpointPlanner().plan(task, source);
  }

  /** It would be asked of one data source. */
  private static void requireNoSubquery(SqlTokens tokens) {
    if (ShownCondition.hasQuery(tokens)
        || tokens
            .all()
            .has(token -> tokens.isPunctuation(token, '(') && tokens.isWord(token + 1, "SELECT"))) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a subquery in SHOW in a sharded database", "run it first, and write its value");
    }
  }

  private static boolean explainsStatement(SqlTokens tokens) {
    boolean name = tokens.isName(1);
    return !name
        || tokens.isPunctuation(1, '(')
        || List.of("SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH", "TABLE", "VALUES")
            .stream()
            .anyMatch(word -> tokens.isWord(1, word))
        || List.of("EXTENDED", "PARTITIONS", "FORMAT", "ANALYZE").stream()
            .anyMatch(word -> tokens.isWord(1, word) && tokens.size() > 3);
  }

  /** A statement about one table: the first node answers for all. */
  private static StatementPlan ofTable(PlanTask task, SourceText source, int token) {
    SqlTokens tokens = source.tokens();
    if (tokens.isWord(token, "IF") && !tokens.isPunctuation(token + 1, '.')) {
      // no name, but a word of DDL
      StatementReader.requireSyntax(task);
    }
    TableMention mention = TableMention.at(source, token);
    String qualifier = mention.qualifier();
    int behind = mention.behind();
    boolean named = tokens.isWord(behind, "FROM") || tokens.isWord(behind, "IN");
    if (named) {
      if (!tokens.isName(behind + 1)) {
        throw TableMention.syntaxError(source, behind + 1);
      }
      qualifier = tokens.name(behind + 1);
    }
    if (qualifier != null && LogicalDatabase.isSystemSchema(qualifier)) {
      return new DefaultEndpointPlanner().plan(task, source);
    }
    TablePlace place = new TableDirectory(task).require(qualifier, mention.name());
    var rewriting = new TableRewriting(source, task.database().name(), List.of(mention));
    if (named) {
      rewriting.replace(behind, behind + 2);
    }
    SqlTemplate template = rewriting.template();
    return switch (place) {
      case TablePlace.Sharded sharded when showsIndexes(tokens) && isDivided(task, sharded) ->
          new IndexListing(task, source, sharded.table(), named ? behind + 2 : behind).plan();
      case TablePlace.Sharded sharded -> {
        DataNode first = task.nearestNode(sharded.table().nodes());
        yield mapped(task, template, first, sharded.table().name());
      }
      case TablePlace.Broadcast all ->
          one(task, template, task.nearest(task.database().endpoints()), all.name());
      case TablePlace.Single single when single.isShardedView() && showsName(task) ->
          ofView(task, template, single);
      case TablePlace.Single single -> one(task, template, single.endpoint(), single.name());
      case TablePlace.Absent absent -> one(task, template, absent.endpoint(), absent.name());
    };
  }

  /** SHOW CREATE DATABASE: as the default endpoint has it. */
  private static StatementPlan ofDatabase(PlanTask task, SourceText source) {
    SqlTokens tokens = source.tokens();
    String endpoint = task.nearest(List.of(new TableDirectory(task).defaultEndpoint()));
    String actual = task.catalog().defaultSchema(endpoint);
    var edits = new SourceEdits(source);
    for (SchemaMention mention : SchemaMentions.of(tokens)) {
      int token = mention.token();
      requireOwn(task, tokens.name(token));
      edits.replace(
          edits.start(token), edits.end(token), List.of(edits.text(TableNames.quoted(actual))));
    }
    return RenamedAnswer.of(task, edits, endpoint, actual);
  }

  private static void requireOwn(PlanTask task, String database) {
    if (database.equalsIgnoreCase(task.database().name())) {
      return;
    }
    if (!task.rules().databases().containsKey(database.toLowerCase(Locale.ROOT))) {
      throw ErrorCatalogue.UNKNOWN_DATABASE.refuse(database);
    }
    throw ErrorCatalogue.NOT_SUPPORTED.refuse("SHOW of another database", "USE it first");
  }

  private static boolean showsIndexes(SqlTokens tokens) {
    return List.of("INDEX", "INDEXES", "KEYS").stream().anyMatch(word -> tokens.isWord(1, word));
  }

  /** Whether the table exists, in several parts. */
  private static boolean isDivided(PlanTask task, TablePlace.Sharded sharded) {
    List<DataNode> nodes = sharded.table().nodes();
    return nodes.size() > 1 && task.catalog().table(nodes).isPresent();
  }

  private static StatementPlan one(
      PlanTask task, SqlTemplate template, String endpoint, String table) {
    return new TemplatePlan(
        task.scan().kind(),
        NameMapping.ofSchema(task.database().name()),
        List.of(template.aimedAt(endpoint, List.of(table))),
        false);
  }

  /** SHOW CREATE TABLE and SHOW INDEX have the table's name in their cells. */
  private static boolean showsName(PlanTask task) {
    SqlTokens tokens = task.source().tokens();
    return List.of("CREATE", "INDEX", "INDEXES", "KEYS").stream()
        .anyMatch(word -> tokens.isWord(1, word) || tokens.isWord(2, word));
  }

  private static StatementPlan mapped(
      PlanTask task, SqlTemplate template, DataNode node, String logical) {
    AimedText shown = template.aimedAt(node.dataSource(), List.of(node.table()));
    if (shown.hasLiterals() || logical.equals(node.table()) || !showsName(task)) {
      return one(task, template, node.dataSource(), node.table());
    }
    ShardQuery query = shown.constant();
    var columns = task.catalog().describe(query);
    var names = new NameMapping(task.database().name(), Map.of(node.table(), logical));
    // MySQL does not describe SHOW before it runs: then the answer says what its columns are
    PlanNode route = new PlanNode.Route(List.of(query), columns);
    List<Integer> texts = task.source().tokens().isWord(1, "CREATE") ? List.of(0, 1) : List.of(0);
    PlanNode root = new PlanNode.MapCells(route, texts, beside(task, node));
    return FixedPlan.of(task, Access.WRITE, names, new BoundPlan.Merged(root));
  }

  /** SHOW CREATE VIEW: the query in logical names. */
  private static StatementPlan ofView(PlanTask task, SqlTemplate template, TablePlace.Single view) {
    ShardQuery query = template.aimedAt(view.endpoint(), List.of(view.name())).constant();
    var columns = task.catalog().describe(query);
    var names = NameMapping.ofSchema(task.database().name());
    PlanNode route = new PlanNode.Route(List.of(query), columns);
    Map<String, String> logical = beside(task, new DataNode(view.endpoint(), ""));
    PlanNode root = new PlanNode.MapCells(route, List.of(1), logical);
    return FixedPlan.of(task, Access.WRITE, names, new BoundPlan.Merged(root));
  }

  /** Logical names of all nodes in the data source: foreign keys show them, too. */
  private static Map<String, String> beside(PlanTask task, DataNode node) {
    Map<String, String> names = new HashMap<>();
    for (ShardedTable table : task.database().shardedTables().values()) {
      for (DataNode other : table.nodes()) {
        if (other.dataSource().equals(node.dataSource())) {
          names.put(other.table(), table.name());
        }
      }
    }
    return names;
  }

  private static StatementPlan tables(PlanTask task, SourceText source, int word) {
    int at = ownDatabase(task, source, word + 1);
    requireCondition(task, source, at);
    return at < 0
        ? new DefaultEndpointPlanner().plan(task, source)
        : new TableListing(task, source, source.tokens().isWord(1, "FULL"), at).plan();
  }

  /** Nothing but a condition may follow. */
  private static void requireCondition(PlanTask task, SourceText source, int at) {
    SqlTokens tokens = source.tokens();
    boolean follows = at >= 0 && at < tokens.size();
    if (follows && !tokens.isWord(at, "LIKE") && !tokens.isWord(at, "WHERE")) {
      StatementReader.requireSyntax(task);
    }
    boolean isPattern = at + 1 < tokens.size() && tokens.kind(at + 1) == TokenKind.STRING;
    if (follows && tokens.isWord(at, "LIKE") && !isPattern) {
      throw TableMention.syntaxError(source, at + 1);
    }
  }

  /**
   * Reads {@code FROM database}, if it stands there.
   *
   * @return the token behind it; -1 for a database of the server itself
   */
  private static int ownDatabase(PlanTask task, SourceText source, int from) {
    SqlTokens tokens = source.tokens();
    if (!tokens.isWord(from, "FROM") && !tokens.isWord(from, "IN")) {
      return from;
    }
    String database = TableMention.at(source, from + 1).name();
    if (LogicalDatabase.isSystemSchema(database)) {
      return -1;
    }
    requireOwn(task, database);
    return from + 2;
  }
}
