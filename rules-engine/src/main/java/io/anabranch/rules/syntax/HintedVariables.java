package io.anabranch.rules.syntax;

import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * MySQL's {@code SET_VAR} of optimizer hints, which a server heeds in the first SELECT of a
 * statement. What a shard is asked, and what a database finishes, are other statements: variables
 * that decide an answer ({@code sql_select_limit}, {@code sql_mode}, {@code timestamp}) would be
 * good for a part of them.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/optimizer-hints.html#optimizer-hints-set-var">Variable-Setting
 * Hint Syntax</a>.
 */
public final class HintedVariables {

  private static final Pattern SET =
      Pattern.compile("SET_VAR\\s*\\(\\s*`?(\\w+)`?\\s*=", Pattern.CASE_INSENSITIVE);

  /** What decides how long an answer takes, and no more. */
  private static final Set<String> OF_SPEED =
      Set.of(
          "big_tables",
          "bulk_insert_buffer_size",
          "default_tmp_storage_engine",
          "eq_range_index_dive_limit",
          "internal_tmp_mem_storage_engine",
          "join_buffer_size",
          "lock_wait_timeout",
          "max_execution_time",
          "max_heap_table_size",
          "max_length_for_sort_data",
          "max_seeks_for_key",
          "optimizer_prune_level",
          "optimizer_search_depth",
          "optimizer_switch",
          "range_alloc_block_size",
          "range_optimizer_max_mem_size",
          "read_buffer_size",
          "read_rnd_buffer_size",
          "secondary_engine_cost_threshold",
          "sort_buffer_size",
          "sql_buffer_result",
          "tmp_table_size",
          "use_secondary_engine");

  private static final Set<String> OF_SPEED_AND_CHECKS =
      Stream.concat(OF_SPEED.stream(), Stream.of("foreign_key_checks", "unique_checks"))
          .collect(Collectors.toUnmodifiableSet());

  private HintedVariables() {}

  /** Null: the statement sets none that decides its answer. */
  public static @Nullable Refusal refusal(SqlTokens tokens) {
    return refusal(tokens, OF_SPEED);
  }

  /**
   * The same of a write that is planned by the session's own settings ({@code sql_mode} decides
   * what is stored, and so where a row lies). Checks are the databases' alone, which are given the
   * hint.
   */
  public static @Nullable Refusal refusalOfWrite(SqlTokens tokens) {
    return refusal(tokens, OF_SPEED_AND_CHECKS);
  }

  private static @Nullable Refusal refusal(SqlTokens tokens, Set<String> allowed) {
    return tokens.all().where(token -> tokens.kind(token) == TokenKind.OPTIMIZER_HINT).stream()
        .flatMap(hint -> SET.matcher(tokens.text(hint)).results())
        .map(set -> set.group(1).toLowerCase(Locale.ROOT))
        .filter(name -> !allowed.contains(name))
        .findFirst()
        .map(
            name ->
                new Refusal(
                    "the optimizer hint SET_VAR(" + name + ")", "SET it in the session instead"))
        .orElse(null);
  }
}
