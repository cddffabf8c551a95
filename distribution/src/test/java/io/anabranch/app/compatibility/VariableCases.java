package io.anabranch.app.compatibility;

import io.anabranch.testkit.DatabaseServers;
import java.util.List;
import java.util.stream.Stream;

/** Session variables that {@link CompatibilityIT} sets and reads, in the order of the page. */
final class VariableCases {

  /** Of both servers. */
  private static final List<Variable> OF_BOTH =
      List.of(
          new Variable("autocommit", "0"),
          new Variable("sql_mode", "'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'"),
          new Variable("time_zone", "'+03:00'"),
          new Variable("character_set_client", "latin1"),
          new Variable("character_set_connection", "utf8mb4"),
          new Variable("character_set_results", "NULL"),
          new Variable("collation_connection", "utf8mb4_bin"),
          new Variable("collation_database", "utf8mb4_bin"),
          new Variable("sql_select_limit", "3"),
          new Variable("group_concat_max_len", "64"),
          new Variable("max_join_size", "1000"),
          new Variable("sql_big_selects", "0"),
          new Variable("sql_safe_updates", "1"),
          new Variable("sql_auto_is_null", "1"),
          new Variable("sql_notes", "0"),
          new Variable("sql_warnings", "1"),
          new Variable("sql_quote_show_create", "0"),
          new Variable("foreign_key_checks", "0"),
          new Variable("unique_checks", "0"),
          new Variable("auto_increment_increment", "5"),
          new Variable("auto_increment_offset", "2"),
          new Variable("insert_id", "77"),
          new Variable("last_insert_id", "78"),
          new Variable("lc_time_names", "'de_DE'"),
          new Variable("div_precision_increment", "8"),
          new Variable("net_read_timeout", "61"),
          new Variable("net_write_timeout", "62"),
          new Variable("wait_timeout", "63"),
          new Variable("interactive_timeout", "64"),
          new Variable("lock_wait_timeout", "5"),
          new Variable("innodb_lock_wait_timeout", "6"),
          new Variable("optimizer_switch", "'index_merge=off'"),
          new Variable("sort_buffer_size", "65536"),
          new Variable("join_buffer_size", "65536"),
          new Variable("tmp_table_size", "65536"),
          new Variable("max_heap_table_size", "65536"),
          new Variable("big_tables", "0"),
          new Variable("default_week_format", "3"),
          new Variable("explicit_defaults_for_timestamp", "0"),
          new Variable("completion_type", "1"),
          new Variable("profiling", "0"),
          new Variable("updatable_views_with_limit", "0"),
          new Variable("max_sort_length", "64"),
          new Variable("max_error_count", "10"),
          new Variable("query_prealloc_size", "16384"),
          new Variable("low_priority_updates", "1"),
          new Variable("default_storage_engine", "MyISAM"),
          new Variable("binlog_format", "'ROW'"),
          new Variable("sql_log_bin", "1"),
          new Variable("read_only", "1"));

  private static final List<Variable> OF_MARIADB =
      List.of(
          new Variable("tx_isolation", "'SERIALIZABLE'"),
          new Variable("tx_read_only", "1"),
          new Variable("max_statement_time", "7"));

  private static final List<Variable> OF_MYSQL =
      List.of(
          new Variable("transaction_isolation", "'SERIALIZABLE'"),
          new Variable("transaction_read_only", "1"),
          new Variable("max_execution_time", "7000"),
          new Variable("cte_max_recursion_depth", "7"),
          new Variable("default_collation_for_utf8mb4", "'utf8mb4_general_ci'"),
          new Variable("end_markers_in_json", "1"),
          new Variable("eq_range_index_dive_limit", "3"),
          new Variable("information_schema_stats_expiry", "0"),
          new Variable("internal_tmp_mem_storage_engine", "'MEMORY'"),
          new Variable("range_optimizer_max_mem_size", "1000000"),
          new Variable("session_track_gtids", "'OWN_GTID'"),
          new Variable("show_create_table_verbosity", "1"),
          new Variable("sql_generate_invisible_primary_key", "1"),
          new Variable("sql_require_primary_key", "1"),
          new Variable("windowing_use_high_precision", "0"),
          new Variable("print_identified_with_as_hex", "1"),
          new Variable("restrict_fk_on_non_standard_key", "0"));

  private static final List<Variable> OF_NONE = List.of(new Variable("nowhere_to_be_found", "1"));

  private VariableCases() {}

  /**
   * @param value an expression to set it to
   */
  record Variable(String name, String value) {}

  /** Those of the servers of this run, and one that there is nowhere. */
  static List<Variable> ofTheServer() {
    List<Variable> own = DatabaseServers.areMySql() ? OF_MYSQL : OF_MARIADB;
    return Stream.of(OF_BOTH, own, OF_NONE).flatMap(List::stream).toList();
  }
}
