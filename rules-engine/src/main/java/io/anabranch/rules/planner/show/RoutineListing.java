package io.anabranch.rules.planner.show;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.planner.query.QueryPlanner;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.ShownCondition;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.PlanTask;

/**
 * SHOW PROCEDURE STATUS and the like: the routines of all databases that the user sees, as {@code
 * information_schema} tells them.
 */
public final class RoutineListing {

  private static final String FIRST_COLUMNS =
      "ROUTINE_SCHEMA AS `Db`, ROUTINE_NAME AS `Name`, ROUTINE_TYPE AS `Type`,";

  private static final String COLUMNS =
      " DEFINER AS `Definer`, LAST_ALTERED AS `Modified`, CREATED AS `Created`, SECURITY_TYPE AS"
          + " `Security_type`, ROUTINE_COMMENT AS `Comment`, CHARACTER_SET_CLIENT AS"
          + " `character_set_client`, COLLATION_CONNECTION AS `collation_connection`,"
          + " DATABASE_COLLATION AS `Database Collation`";

  private RoutineListing() {}

  /** The word STATUS of SHOW PROCEDURE STATUS and the like; 0 if there is none. */
  public static int status(SqlTokens tokens) {
    boolean isRoutine =
        tokens.isWord(0, "SHOW")
            && (tokens.isWord(1, "PROCEDURE")
                || tokens.isWord(1, "FUNCTION")
                || tokens.isWord(1, "PACKAGE"));
    int status = tokens.isWord(2, "BODY") ? 3 : 2;
    return isRoutine && tokens.isWord(status, "STATUS") ? status : 0;
  }

  /**
   * @param source of a statement for which {@link #status} is not 0
   */
  public static StatementPlan plan(PlanTask task, SourceText source) {
    SqlTokens tokens = source.tokens();
    int status = status(tokens);
    requirePlain(tokens);
    String type = tokens.word(1) + (status > 2 ? " BODY" : "");
    var sql =
        new StringBuilder("SELECT * FROM (SELECT ")
            .append(FIRST_COLUMNS)
            .append(language(task, source))
            .append(COLUMNS);
    sql.append(" FROM information_schema.ROUTINES WHERE ROUTINE_TYPE = ")
        .append(TableNames.literal(type))
        .append(") AS listing");
    int condition = status + 1;
    boolean isPattern =
        condition + 2 == tokens.size() && tokens.kind(condition + 1) == TokenKind.STRING;
    if (tokens.isWord(condition, "LIKE") && isPattern) {
      sql.append(" WHERE `Name` LIKE ").append(tokens.text(condition + 1));
    } else if (tokens.isWord(condition, "WHERE")) {
      sql.append(ShownCondition.text(source, condition));
    } else if (condition < tokens.size()) {
      StatementReader.requireSyntax(task);
    }
    sql.append(" ORDER BY `Db`, `Name`");
    PlanTask query = of(task, source, sql.toString());
    StatementPlan plan = new QueryPlanner().plan(query);
    return FixedPlan.of(task, Access.WRITE, plan.names(), plan.bind(query.written()));
  }

  /** A column that some versions have. */
  private static String language(PlanTask task, SourceText source) {
    String endpoint = task.database().endpoints().getFirst();
    byte[] show = source.encode("SHOW FUNCTION STATUS");
    boolean isTold =
        task.catalog().describe(ShardQuery.text(endpoint, show)).stream()
            .anyMatch(column -> column.name().equals("Language"));
    return isTold ? " EXTERNAL_LANGUAGE AS `Language`," : "";
  }

  /** What follows is to be a condition, and nothing else. */
  private static void requirePlain(SqlTokens tokens) {
    if (tokens
        .all()
        .has(
            token ->
                (tokens.kind(token) == TokenKind.EXECUTABLE_START
                        || tokens.kind(token) == TokenKind.OPTIMIZER_HINT)
                    || tokens.depth(token) < 0
                    || tokens.kind(token) == TokenKind.MARKER)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "this form of SHOW … STATUS", "write it without comments and parameters");
    }
  }

  private static PlanTask of(PlanTask task, SourceText source, String sql) {
    return task.of(source.encode(sql));
  }
}
