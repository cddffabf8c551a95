package io.anabranch.backend.lease;

import io.anabranch.rules.sql.TableNames;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What sessions have of a server's variables before they set any: its global values when they
 * began. Immutable.
 *
 * <p>A server copies them when a session begins, and {@code SET GLOBAL} changes those of later
 * sessions only. A pooled connection is older or younger than the session that it serves, so it is
 * told the values of that session's start. Of variables outside of {@link #NAMES} a session has
 * those of its connection.
 */
public final class StartValues {

  /**
   * Session variables that decide what statements answer or do, and that need no rights to be set;
   * each server knows some of them.
   */
  static final List<String> NAMES =
      List.of(
          "alter_algorithm",
          "big_tables",
          "block_encryption_mode",
          "check_constraint_checks",
          "completion_type",
          "cte_max_recursion_depth",
          "default_regex_flags",
          "default_storage_engine",
          "default_tmp_storage_engine",
          "default_week_format",
          "div_precision_increment",
          "end_markers_in_json",
          "eq_range_index_dive_limit",
          "expensive_subquery_limit",
          "explain_format",
          "explain_json_format_version",
          "foreign_key_checks",
          "group_concat_max_len",
          "idle_readonly_transaction_timeout",
          "idle_transaction_timeout",
          "idle_write_transaction_timeout",
          "in_predicate_conversion_threshold",
          "information_schema_stats_expiry",
          "innodb_ft_enable_stopword",
          "innodb_ft_user_stopword_table",
          "innodb_lock_wait_timeout",
          "innodb_snapshot_isolation",
          "innodb_table_locks",
          "interactive_timeout",
          "join_buffer_size",
          "join_cache_level",
          "lc_messages",
          "lc_time_names",
          "lock_wait_timeout",
          "long_query_time",
          "low_priority_updates",
          "max_execution_time",
          "max_heap_table_size",
          "max_join_size",
          "max_length_for_sort_data",
          "max_points_in_geometry",
          "max_recursive_iterations",
          "max_seeks_for_key",
          "max_session_mem_used",
          "max_sort_length",
          "max_sp_recursion_depth",
          "max_statement_time",
          "net_read_timeout",
          "net_retry_count",
          "net_write_timeout",
          "note_verbosity",
          "old_alter_table",
          "old_mode",
          "old_passwords",
          "optimizer_max_sel_arg_weight",
          "optimizer_prune_level",
          "optimizer_search_depth",
          "optimizer_switch",
          "optimizer_use_condition_selectivity",
          "print_identified_with_as_hex",
          "range_optimizer_max_mem_size",
          "read_buffer_size",
          "read_rnd_buffer_size",
          "set_operations_buffer_size",
          "show_create_table_verbosity",
          "show_gipk_in_create_table_and_information_schema",
          "sort_buffer_size",
          "sql_auto_is_null",
          "sql_big_selects",
          "sql_buffer_result",
          "sql_if_exists",
          "sql_mode",
          "sql_notes",
          "sql_quote_show_create",
          "sql_safe_updates",
          "sql_select_limit",
          "sql_warnings",
          "standard_compliant_cte",
          "system_versioning_alter_history",
          "system_versioning_asof",
          "system_versioning_insert_history",
          "time_zone",
          "tmp_disk_table_size",
          "tmp_memory_table_size",
          "tmp_table_size",
          "transaction_isolation",
          "transaction_read_only",
          "tx_isolation",
          "tx_read_only",
          "unique_checks",
          "updatable_views_with_limit",
          "use_stat_tables",
          "wait_timeout",
          "windowing_use_high_precision");

  /** Nothing is known: connections keep what they have. */
  public static final StartValues UNKNOWN = new StartValues(new @Nullable String[NAMES.size()]);

  private static final String CONDITION =
      " VARIABLES WHERE Variable_name IN (" + TableNames.literals(NAMES);

  /** Rows of name and value: the global values. */
  public static final String ASK_GLOBAL = "SHOW GLOBAL" + CONDITION + ")";

  private static final String MODE = "sql_mode";
  private static final String PACKET = "max_allowed_packet";
  public static final String ASK =
      "SHOW SESSION" + CONDITION + ", " + TableNames.literal(PACKET) + ")";

  /** Each at the place of its name; null: the server does not know it. */
  private final @Nullable String[] literals;

  private StartValues(@Nullable String[] literals) {
    this.literals = literals;
  }

  /**
   * @param values by the variables' names, as SHOW VARIABLES tells them
   */
  public static StartValues of(Map<String, String> values) {
    var literals = new @Nullable String[NAMES.size()];
    values.forEach(
        (name, value) -> {
          int place = Collections.binarySearch(NAMES, name);
          if (place >= 0) {
            // those of a thousand data sources are much the same
            literals[place] = literal(name, value).intern();
          }
        });
    return new StartValues(literals);
  }

  /**
   * What sessions of the proxy have of them: modes by which servers read texts otherwise hold for
   * those sessions alone that set them.
   */
  public StartValues ofSessions() {
    int place = Collections.binarySearch(NAMES, MODE);
    String global = literals[place];
    List<String> modes = global == null ? List.of() : SqlModes.of(global);
    List<String> plain = SqlModes.plain(modes);
    if (plain.size() == modes.size()) {
      return this;
    }
    var changed = literals.clone();
    changed[place] = TableNames.literal(String.join(",", plain)).intern();
    return new StartValues(changed);
  }

  /** Tells names and SQL texts of those that are known, in the order of {@link #NAMES}. */
  void forEach(BiConsumer<String, String> told) {
    for (int place = 0; place < literals.length; place++) {
      String literal = literals[place];
      if (literal != null) {
        told.accept(NAMES.get(place), literal);
      }
    }
  }

  /** The SQL text of a variable's value; null: it is not known. */
  public @Nullable String literal(String name) {
    int place = Collections.binarySearch(NAMES, name);
    return place < 0 ? null : literals[place];
  }

  /**
   * What is said for a value that servers show, and do not take as a text: a word of the grammar.
   *
   * @param name in lower case
   * @return null: what is shown is a value
   */
  public static @Nullable String keyword(String name, String shown) {
    return switch (name) {
      case "system_versioning_asof" -> shown.equals("DEFAULT") ? shown : null;
      case "default_tmp_storage_engine", "innodb_ft_user_stopword_table" ->
          shown.isEmpty() ? "NULL" : null;
      default -> null;
    };
  }

  private static String literal(String name, String value) {
    boolean isNumber = !value.isEmpty();
    for (int i = 0; i < value.length(); i++) {
      char letter = value.charAt(i);
      isNumber &= (letter >= '0' && letter <= '9') || (letter == '.' && i > 0);
    }
    String keyword = keyword(name, value);
    return keyword != null ? keyword : isNumber ? value : TableNames.literal(value);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StartValues same && Arrays.equals(literals, same.literals);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(literals);
  }

  /**
   * A fresh connection's.
   *
   * @param longestPacket bytes of a command that the server does not take any more
   */
  public record Born(StartValues values, long longestPacket) {

    /**
     * @param told a connection's answer to {@link #ASK}: values by name
     */
    public static Born of(Map<String, String> told) {
      String packet = told.get(PACKET);
      return new Born(
          StartValues.of(told), packet == null ? Long.MAX_VALUE : Long.parseLong(packet));
    }
  }
}
