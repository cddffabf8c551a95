package io.anabranch.rules.planner.mask;

import io.anabranch.rules.function.Subqueries;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Statements that show values of tables which they do not name, or make up others: refused where a
 * table with masked columns is on the server. Stateless.
 */
final class TellingStatements {

  /**
   * Tables of servers' own schemas that show no values of others, and no statements of other
   * sessions: a closed list.
   */
  private static final Map<String, Set<String>> READABLE =
      Map.of(
          "information_schema",
          Set.of(
              "administrable_role_authorizations",
              "all_plugins",
              "applicable_roles",
              "character_sets",
              "check_constraints",
              "collation_character_set_applicability",
              "collations",
              "column_privileges",
              "columns",
              "columns_extensions",
              "enabled_roles",
              "engines",
              "events",
              "files",
              "geometry_columns",
              "global_status",
              "global_variables",
              "key_caches",
              "key_column_usage",
              "key_period_usage",
              "keywords",
              "parameters",
              "partitions",
              "periods",
              "plugins",
              "referential_constraints",
              "resource_groups",
              "role_column_grants",
              "role_routine_grants",
              "role_table_grants",
              "routines",
              "schema_privileges",
              "schemata",
              "schemata_extensions",
              "sequences",
              "session_status",
              "session_variables",
              "spatial_ref_sys",
              "sql_functions",
              "st_geometry_columns",
              "st_spatial_reference_systems",
              "st_units_of_measure",
              "statistics",
              "system_variables",
              "table_constraints",
              "table_constraints_extensions",
              "table_privileges",
              "tables",
              "tables_extensions",
              "tablespaces",
              "tablespaces_extensions",
              "triggers",
              "user_attributes",
              "user_privileges",
              "view_routine_usage",
              "view_table_usage",
              "views"),
          "performance_schema",
          Set.of(
              "global_status",
              "global_variables",
              "persisted_variables",
              "session_status",
              "session_variables",
              "variables_info"),
          "mysql",
          Set.of(
              "help_category",
              "help_keyword",
              "help_relation",
              "help_topic",
              "time_zone",
              "time_zone_leap_second",
              "time_zone_name",
              "time_zone_transition",
              "time_zone_transition_type"),
          "sys",
          Set.of("sys_config", "version"));

  /**
   * Names of such tables without a schema, should a server find one: histograms, statements of
   * other sessions.
   */
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

  /** Engines whose tables have rows of their own alone. */
  private static final Set<String> OWN_ENGINES =
      Set.of(
          "archive",
          "aria",
          "blackhole",
          "columnstore",
          "csv",
          "heap",
          "innodb",
          "maria",
          "memory",
          "mroonga",
          "myisam",
          "ndb",
          "ndbcluster",
          "rocksdb",
          "tokudb");

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
          MaskedQuery.refuseUnknownFunctions(tokens, 0, tokens.size(), kind);
      case LOAD_DATA -> {
        if (!tokens.isWord(2, "LOCAL") && !tokens.isWord(3, "LOCAL")) {
          throw MaskedQuery.refusal("a file of the server's");
        }
        if (Subqueries.are(tokens, tokens.size())) {
          throw MaskedQuery.refusal("a query within LOAD DATA");
        }
        MaskedQuery.refuseUnknownFunctions(tokens, settings(tokens), tokens.size(), kind);
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

  /** Where the expressions of LOAD DATA begin. */
  static int settings(SqlTokens tokens) {
    int set =
        tokens
            .all()
            .findName(
                token -> tokens.isWord(token, "SET") && !tokens.isWord(token - 1, "CHARACTER"));
    return set < 0 ? tokens.size() : set;
  }

  private void refuseTables() {
    if (tokens.mention("LOAD_FILE")) {
      throw MaskedQuery.refusal("LOAD_FILE");
    }
    boolean reads = kind != StatementKind.SHOW && kind != StatementKind.DESCRIBE;
    int told = reads ? tokens.all().find(this::tells) : -1;
    if (told >= 0) {
      throw MaskedQuery.refusal(
          "'" + tokens.name(told) + "', which may show values of other tables,");
    }
  }

  /** Whether the token is the name of such a table. */
  private boolean tells(int token) {
    String table = tokens.lowerName(token);
    Set<String> readable =
        !table.isEmpty() && tokens.isPunctuation(token - 1, '.') && tokens.isName(token - 2)
            ? READABLE.get(tokens.lowerName(token - 2))
            : null;
    return TABLES.contains(table) || (readable != null && !readable.contains(table));
  }

  /** Programs may make up statements, and some engines read other tables. */
  private void refusePrograms() {
    int found = tokens.from(1).find(token -> isProgram(token) || readsOthers(token));
    if (found >= 0) {
      throw MaskedQuery.refusal(
          tokens.text(0).toUpperCase(Locale.ROOT)
              + ' '
              + tokens.text(found).toUpperCase(Locale.ROOT));
    }
  }

  private boolean isProgram(int token) {
    return tokens.isAnyWord(token, "PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE")
        && tokens.depth(token) == 0
        && !tokens.isPunctuation(token - 1, '.');
  }

  private boolean readsOthers(int token) {
    boolean isUnion = tokens.isWord(token, "UNION") && tokens.isOperator(token + 1, "=");
    boolean isEngine = ENGINES.contains(unquoted(token)) && tokens.mention("ENGINE");
    boolean isOther =
        tokens.isWord(token - 2, "ENGINE")
            && tokens.isOperator(token - 1, "=")
            && !OWN_ENGINES.contains(unquoted(token));
    return isUnion || isEngine || isOther;
  }

  /** Servers take texts for engines, too. */
  private String unquoted(int token) {
    String text = tokens.text(token).toLowerCase(Locale.ROOT);
    boolean isQuoted = tokens.kind(token) != TokenKind.WORD && text.length() > 2;
    return isQuoted ? text.substring(1, text.length() - 1) : text;
  }
}
