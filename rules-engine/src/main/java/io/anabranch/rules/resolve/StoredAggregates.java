package io.anabranch.rules.resolve;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.function.SqlFunction;
import io.anabranch.rules.function.Trait;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.task.PlanTask;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds the aggregate functions that a database has got from its users (CREATE AGGREGATE FUNCTION).
 * Their names tell nothing, so a database is asked to prepare COUNT of them: it takes no aggregate
 * of an aggregate.
 */
final class StoredAggregates {

  private static final int INVALID_USE_OF_GROUP_FUNCTION = 1111;

  private StoredAggregates() {}

  /** Name of the first one that a query over sharded tables calls; empty: none. */
  static String first(Analysis analysis) {
    if (analysis.sharded().isEmpty()) {
      return "";
    }
    PlanTask task = analysis.task();
    String asked = task.nearestNode(analysis.sharded().getFirst().table().nodes()).dataSource();
    SqlTokens tokens = analysis.source().tokens();
    Map<String, Boolean> known = new HashMap<>();
    for (int call : tokens.all().calls()) {
      SqlFunction function = FunctionUses.at(tokens, call);
      if (function != null && function.is(Trait.UNKNOWN)) {
        String sql = "SELECT COUNT(" + call(task, tokens, call) + ")";
        if (known.computeIfAbsent(sql, question -> isRefused(analysis, asked, question))) {
          return tokens.name(call);
        }
      }
    }
    return "";
  }

  private static boolean isRefused(Analysis analysis, String dataSource, String sql) {
    try {
      analysis
          .task()
          .catalog()
          .describe(ShardQuery.text(dataSource, analysis.source().encode(sql)));
      return false;
    } catch (SchemaCatalog.DescribeException refused) {
      return refused.errno() == INVALID_USE_OF_GROUP_FUNCTION;
    }
  }

  /** The same function of as many arguments, none of which is a column. */
  private static String call(PlanTask task, SqlTokens tokens, int token) {
    var text = new StringBuilder();
    if (tokens.isPunctuation(token - 1, '.')) {
      String schema = tokens.name(token - 2);
      if (!schema.equalsIgnoreCase(task.database().name())) {
        text.append(TableNames.quoted(schema)).append('.');
      }
    }
    text.append(TableNames.quoted(tokens.name(token))).append('(');
    int arguments = tokens.between(token + 2, tokens.closing(token + 1)).parts().size();
    return text.append(String.join(", ", Collections.nCopies(arguments, "NULL")))
        .append(')')
        .toString();
  }
}
