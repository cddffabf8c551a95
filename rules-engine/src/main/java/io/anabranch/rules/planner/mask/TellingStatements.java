package io.anabranch.rules.planner.mask;

import io.anabranch.rules.function.Subqueries;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Locale;
import java.util.Set;

/**
 * Statements that show values of tables which they do not name, or make up others: refused where a
 * table with masked columns is on the server. Stateless.
 */
final class TellingStatements {

  /** Tables of servers that show values of others: histograms, statements of other sessions. */
  private static final Set<String> TABLES =
      Set.of(
          "column_stats",
          "column_statistics",
          "general_log",
          "slow_log",
          "optimizer_trace",
          "innodb_buffer_page",
          "innodb_buffer_page_lru",
          "innodb_locks",
          "innodb_trx",
          "innodb_lock_waits",
          "x$innodb_lock_waits",
          "innodb_ft_index_table",
          "innodb_ft_index_cache",
          "data_locks",
          "user_variables_by_thread",
          "error_log",
          "events_statements_history",
          "events_statements_history_long",
          "events_statements_current",
          "events_statements_summary_by_digest");

  /** Engines whose tables show rows of others. */
  private static final Set<String> ENGINES =
      Set.of("connect", "federated", "federatedx", "spider", "merge", "mrg_myisam");

  private final SqlTokens tokens;
  private final StatementKind kind;

  TellingStatements(SqlTokens tokens, StatementKind kind) {
    this.tokens = tokens;
    this.kind = kind;
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException if the statement is one of them
   */
  void check() {
    refuseTables();
    switch (kind) {
      case CALL, OTHER, PREPARE, EXECUTE ->
          throw MaskedQuery.refusal(tokens.text(0).toUpperCase(Locale.ROOT));
      case CREATE, ALTER -> refusePrograms();
      case SELECT, QUERY_EXPRESSION, INSERT, REPLACE, UPDATE, DELETE, DO, SET ->
          MaskedQuery.refuseUnknownFunctions(tokens, tokens.size(), kind);
      case LOAD_DATA -> {
        if (!tokens.isWord(2, "LOCAL") && !tokens.isWord(3, "LOCAL")) {
          throw MaskedQuery.refusal("a file of the server's");
        }
        if (Subqueries.are(tokens, tokens.size())) {
          throw MaskedQuery.refusal("a query within LOAD DATA");
        }
        MaskedQuery.refuseUnknownFunctions(tokens, tokens.size(), StatementKind.INSERT);
      }
      case SHOW -> {
        if (tokens.isAnyWord(1, "BINLOG", "RELAYLOG", "ENGINE", "EXPLAIN", "ANALYZE")) {
          throw MaskedQuery.refusal("SHOW " + tokens.text(1));
        }
      }
      case DESCRIBE -> {
        if (tokens.mention("CONNECTION")) {
          throw MaskedQuery.refusal("EXPLAIN of another connection");
        }
      }
      default -> {}
    }
  }

  private void refuseTables() {
    if (tokens.mention("LOAD_FILE")) {
      throw MaskedQuery.refusal("LOAD_FILE");
    }
    boolean reads = kind != StatementKind.SHOW && kind != StatementKind.DESCRIBE;
    for (int token = 0; token < tokens.size() && reads; token++) {
      if (tokens.isName(token) && TABLES.contains(tokens.name(token).toLowerCase(Locale.ROOT))) {
        throw MaskedQuery.refusal(
            "'" + tokens.name(token) + "', which shows values of other tables,");
      }
    }
  }

  /** Programs may make up statements, and some engines read other tables. */
  private void refusePrograms() {
    for (int token = 1; token < tokens.size(); token++) {
      boolean isProgram =
          tokens.isAnyWord(token, "PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE")
              && tokens.depth(token) == 0
              && !tokens.isPunctuation(token - 1, '.');
      boolean isUnion = tokens.isWord(token, "UNION") && tokens.isOperator(token + 1, "=");
      boolean reads = ENGINES.contains(unquoted(token)) && tokens.mention("ENGINE");
      if (isProgram || reads || isUnion) {
        throw MaskedQuery.refusal(
            tokens.text(0).toUpperCase(Locale.ROOT)
                + ' '
                + tokens.text(token).toUpperCase(Locale.ROOT));
      }
    }
  }

  /** Servers take texts for engines, too. */
  private String unquoted(int token) {
    String text = tokens.text(token).toLowerCase(Locale.ROOT);
    boolean isQuoted = tokens.kind(token) != TokenKind.WORD && text.length() > 2;
    return isQuoted ? text.substring(1, text.length() - 1) : text;
  }
}
