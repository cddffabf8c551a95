package io.anabranch.rules.planner.show;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StagedTable;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.planner.endpoint.DefaultEndpointPlanner;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * EXPLAIN of a statement: the statement is planned, each of the statements that it becomes is
 * explained by its data source, and their rows follow each other, in the order of {@code EXPLAIN
 * ROUTE}.
 */
public final class ExplainPlanner implements KindPlanner {

  private static final Set<String> STATEMENTS =
      Set.of("SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH", "TABLE", "VALUES");

  private final KindPlanner statements;

  /**
   * @param statements plans what is explained
   */
  public ExplainPlanner(KindPlanner statements) {
    this.statements = statements;
  }

  @Override
  public StatementPlan plan(PlanTask task) {
    SourceText source = task.source();
    int token = statement(source.tokens());
    refuseChange(task);
    if (token < 0 || task.scan().parameterCount() > 0) {
      return new DefaultEndpointPlanner().plan(task, source);
    }
    requireOwnSchema(source.tokens(), token);
    int start = source.tokens().start(token);
    PlanTask inner = inner(task, token);
    Access access = isRun(source.tokens(), token) ? Access.WRITE : Access.READ;
    StatementPlan plan = statements.plan(inner);
    byte[] prefix = source.encode(source.text().substring(0, start));
    List<ShardQuery> queries = explained(prefix, plan.bind(inner.written()));
    List<ResultColumn> columns = task.catalog().describe(queries.getFirst());
    // MySQL tells the columns of a plan only when it has made it
    boolean isSilent = columns.isEmpty();
    if (isSilent && queries.size() == 1) {
      return FixedPlan.of(task, access, plan.names(), new BoundPlan.Single(queries.getFirst()));
    }
    if (isSilent && keepsPlan(source.tokens(), token)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "EXPLAIN … INTO of a statement that runs on several nodes",
          "explain it with a condition that leads to one");
    }
    PlanNode route = new PlanNode.Route(queries, columns);
    PlanNode root = new PlanNode.MapCells(route, tableColumns(columns), plan.names().tables());
    return FixedPlan.of(task, access, plan.names(), new BoundPlan.Merged(root));
  }

  /**
   * ANALYZE runs what it tells of: with the rights of a read no replica may change rows, and no two
   * nodes.
   *
   * @throws io.anabranch.rules.error.RefusedException if it is one of a statement that changes rows
   */
  static void refuseChange(PlanTask task) {
    SqlTokens tokens = task.source().tokens();
    int statement = statement(tokens);
    if (statement < 0 || !isRun(tokens, statement)) {
      return;
    }
    StatementKind kind = inner(task, statement).scan().kind();
    if (kind != StatementKind.SELECT && kind != StatementKind.QUERY_EXPRESSION) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "ANALYZE of a statement that changes rows", "use EXPLAIN, which does not run it");
    }
  }

  private static boolean isRun(SqlTokens tokens, int statement) {
    return tokens.between(0, statement).hasWord("ANALYZE");
  }

  private static PlanTask inner(PlanTask task, int statement) {
    SourceText source = task.source();
    return task.of(source.encode(source.text().substring(source.tokens().start(statement))));
  }

  /** MySQL's {@code EXPLAIN FOR SCHEMA other SELECT …}: tables without a schema are that one's. */
  private static void requireOwnSchema(SqlTokens tokens, int statement) {
    int at =
        tokens
            .all()
            .find(
                each ->
                    tokens.isWord(each, "FOR") && tokens.isAnyWord(each + 1, "SCHEMA", "DATABASE"));
    if (at >= 0 && at < statement) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "EXPLAIN FOR " + tokens.text(at + 1) + " in a sharded database",
          "USE the database, and EXPLAIN the statement there");
    }
  }

  /** {@code EXPLAIN FORMAT = JSON INTO @plan SELECT …}. */
  private static boolean keepsPlan(SqlTokens tokens, int statement) {
    return tokens.between(0, statement).hasWord("INTO");
  }

  /** Token where the statement starts; -1 if this is not an EXPLAIN of one. */
  public static int statement(SqlTokens tokens) {
    return tokens
        .from(1)
        .find(i -> STATEMENTS.contains(tokens.word(i)) || tokens.isPunctuation(i, '('));
  }

  private static List<ShardQuery> explained(byte[] prefix, BoundPlan bound) {
    List<ShardQuery> queries =
        switch (bound) {
          case BoundPlan.Single single -> List.of(single.query());
          case BoundPlan.Merged merged -> PlanPrinter.queries(merged.root());
          case BoundPlan.AsIs as -> List.of();
        };
    if (queries.isEmpty()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "EXPLAIN of a statement that no data source runs", "run the statement itself");
    }
    var explained = new ArrayList<ShardQuery>();
    for (ShardQuery query : queries) {
      byte[] statement = withSomeKey(query.sql());
      byte[] sql = new byte[prefix.length + statement.length];
      System.arraycopy(prefix, 0, sql, 0, prefix.length);
      System.arraycopy(statement, 0, sql, prefix.length, statement.length);
      explained.add(ShardQuery.text(query.dataSource(), sql));
    }
    return explained;
  }

  /** The keys that a stage ships are known when it runs; one stands for them. */
  private static byte[] withSomeKey(byte[] sql) {
    String text = new String(sql, StandardCharsets.ISO_8859_1);
    return text.contains(StagedTable.KEYS)
        ? text.replace(StagedTable.KEYS, "0").getBytes(StandardCharsets.ISO_8859_1)
        : sql;
  }

  /** None where only the answer tells them. */
  private static List<Integer> tableColumns(List<ResultColumn> columns) {
    var found = new ArrayList<Integer>();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals("table")) {
        found.add(i);
      }
    }
    return found;
  }
}
