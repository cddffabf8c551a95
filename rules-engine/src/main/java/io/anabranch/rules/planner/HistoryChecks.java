package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.task.PlanTask;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB's constructs for rows as they were, or for a period: they stand between a table and its
 * alias, which a sharded table is given, so that a database would tell an error of syntax. And the
 * number of a row, which each node counts for itself.
 *
 * <p><a href="https://mariadb.com/kb/en/system-versioned-tables/">System-versioned tables</a>
 */
final class HistoryChecks {

  private static final String NUMBER = "ROWNUM()";

  private HistoryChecks() {}

  /**
   * @throws io.anabranch.rules.error.RefusedException AB2002 with the name of the construct
   */
  static void check(PlanTask task) {
    SqlTokens tokens = task.source().tokens();
    String construct = construct(tokens, task.scope().isOracle());
    if (construct != null
        && mentionsSharded(task, tokens)
        && task.catalog().isMariaDb(task.database().endpoints().getFirst())) {
      boolean isNumber = construct.equals(NUMBER);
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          construct + " of a sharded table",
          isNumber ? "use LIMIT or ROW_NUMBER()" : "run it on the data sources themselves");
    }
  }

  /**
   * @param isOracle whether the number of a row needs no parentheses
   */
  private static @Nullable String construct(SqlTokens tokens, boolean isOracle) {
    if (tokens.isWord(0, "DELETE") && tokens.isWord(1, "HISTORY") && tokens.isWord(2, "FROM")) {
      return "DELETE HISTORY";
    }
    if (tokens.from(1).findName(i -> isNumber(tokens, i, isOracle)) >= 0) {
      return NUMBER;
    }
    int word =
        tokens
            .from(1)
            .findName(
                i ->
                    tokens.isWord(i, "FOR")
                        && !tokens.isWord(i - 1, "PERIOD")
                        && (tokens.isWord(i + 1, "SYSTEM_TIME") || isPortion(tokens, i + 1)));
    return word < 0 ? null : isPortion(tokens, word + 1) ? "FOR PORTION OF" : "FOR SYSTEM_TIME";
  }

  private static boolean isNumber(SqlTokens tokens, int token, boolean isOracle) {
    return tokens.isWord(token, "ROWNUM")
        && (isOracle || tokens.isPunctuation(token + 1, '('))
        && !tokens.isPunctuation(token - 1, '.');
  }

  private static boolean isPortion(SqlTokens tokens, int token) {
    return tokens.isWord(token, "PORTION") && tokens.isWord(token + 1, "OF");
  }

  private static boolean mentionsSharded(PlanTask task, SqlTokens tokens) {
    return task.database().shardedTables().values().stream()
        .anyMatch(table -> tokens.names().contains(table.name().toLowerCase(Locale.ROOT)));
  }
}
